/** What sends the recipient's answer to the giver, as a file of its own: fetched once somebody writes one. */
import { sendGiftAnswer } from '#wire/answer-client.ts'

/** Shows what came of the form, in sight and with the focus. The button may stand at the lower edge of the screen. */
function say(said: HTMLElement, words: string | undefined, isError: boolean): void {
  said.classList.toggle('error', isError)
  said.textContent = words ?? ''
  said.focus()
}

/** Says it of a field, which is in sight then and has the focus. */
function sayOf(form: HTMLFormElement, name: 'tell' | 'words', words: string | undefined): void {
  const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`)
  const fault = form.querySelector<HTMLElement>(`#${name}-error`)
  if (!field || !fault) return
  fault.textContent = words ?? ''
  field.ariaInvalid = 'true'
  field.focus()
  fault.scrollIntoView({ block: 'nearest' })
}

/** Sends what the form says, and shows in it what came of that. */
export async function sendAnswer(form: HTMLFormElement): Promise<void> {
  const said = form.querySelector<HTMLElement>('#tell-said')
  if (!said || form.ariaBusy === 'true') return
  const fields = new FormData(form)
  const text = (name: string): string => String(fields.get(name) ?? '')
  const { told, untold, given, closed, refused, network, tooMany, failed } = said.dataset
  // Nothing is told without the tick, also where the browser shows the button all the same, or Enter was pressed.
  if (!fields.has('tell')) return sayOf(form, 'tell', untold)
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
    return say(said, told, false)
  }
  if (answer.fields.some(({ path }) => path === 'words')) return sayOf(form, 'words', refused)
  const words: Partial<Record<typeof answer.code, string | undefined>> = {
    'already-answered': given,
    'answer-closed': closed,
    'too-many-requests': tooMany,
    network,
  }
  say(said, words[answer.code] ?? failed, true)
}
