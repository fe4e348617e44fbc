/** What sends the recipient's answer to the giver, as a file of its own: fetched once somebody writes one. */
import { watchErrors } from '#screens/shared/kit/error-title.ts'
import { sendGiftAnswer } from '#wire/answer-client.ts'

/**
 * Shows what came of the form, in sight. It has the focus, or else what has to be mended has it, whose reason it is. The
 * button may stand at the lower edge of the screen.
 */
function say(said: HTMLElement, words = '', wrong?: HTMLInputElement | null): void {
  said.textContent = words
  if (wrong) wrong.ariaInvalid = 'true'
  ;(wrong ?? said).focus()
  said.scrollIntoView({ block: 'nearest' })
}

/** What was wrong is said no longer than until something is mended. */
export function takeBack(form: HTMLFormElement): void {
  const said = form.querySelector('.error')
  if (said) said.textContent = ''
  form.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid')
}

/** Sends what the form says, and shows in it what came of that. */
export async function sendAnswer(form: HTMLFormElement): Promise<void> {
  const said = form.querySelector<HTMLElement>('#tell-said')
  if (!said || form.ariaBusy === 'true') return
  const fields = new FormData(form)
  const text = (name: string): string => String(fields.get(name) ?? '')
  const { told, untold, given, closed, refused, network, tooMany, failed } = said.dataset
  // Nothing is told without the tick, also where the browser shows the button all the same, or Enter was pressed.
  said.classList.add('error')
  if (!fields.has('tell')) return say(said, untold, form.querySelector<HTMLInputElement>('[name="tell"]'))
  form.ariaBusy = 'true'
  said.textContent = ''
  const answer = await sendGiftAnswer({
    receiptKey: text('receipt'),
    where: fields.has('where'),
    words: text('words'),
  })
  form.ariaBusy = 'false'
  if (answer.ok) {
    form.querySelector('.tell-fields')?.remove()
    said.classList.remove('error')
    return say(said, told)
  }
  if (answer.fields.some(({ path }) => path === 'words'))
    return say(said, refused, form.querySelector<HTMLInputElement>('[name="words"]'))
  const words: Partial<Record<typeof answer.code, string | undefined>> = {
    'already-answered': given,
    'answer-closed': closed,
    'too-many-requests': tooMany,
    network,
  }
  say(said, words[answer.code] ?? failed)
}

// The list of organisations, whose thanks have this form too, watches already: both say the same.
watchErrors()
