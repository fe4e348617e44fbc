/** What sends the recipient's answer to the giver, as a file of its own: fetched once somebody writes one. */
import { sendGiftAnswer } from '#wire/answer-client.ts'

/** Shows what came of the form, in sight and with the focus. The button may stand at the lower edge of the screen. */
function say(status: HTMLElement, words: string | undefined, isError: boolean): void {
  status.classList.toggle('error', isError)
  status.textContent = words ?? ''
  status.focus()
}

/** Sends what the form says, and shows in it what came of that. */
export async function sendAnswer(form: HTMLFormElement): Promise<void> {
  const status = form.querySelector<HTMLElement>('[role="status"]')
  if (!status || form.ariaBusy === 'true') return
  const fields = new FormData(form)
  const text = (name: string): string => String(fields.get(name) ?? '')
  // Nothing is told without the tick, also where the browser shows the button all the same, or Enter was pressed.
  if (!fields.has('tell')) return say(status, status.dataset.untold, true)
  form.ariaBusy = 'true'
  status.textContent = ''
  const answer = await sendGiftAnswer({
    receiptKey: text('receipt'),
    where: fields.has('where'),
    words: text('words'),
  })
  form.ariaBusy = 'false'
  const { told, given, closed, refused, network, tooMany, failed } = status.dataset
  if (answer.ok) {
    form.querySelector('.tell-fields')?.remove()
    return say(status, told, false)
  }
  const words: Partial<Record<typeof answer.code, string | undefined>> = {
    'already-answered': given,
    'answer-closed': closed,
    'invalid-fields': refused,
    'too-many-requests': tooMany,
    network,
  }
  say(status, words[answer.code] ?? failed, true)
}
