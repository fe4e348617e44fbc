/**
 * Telling the giver, from the thanks: by the browser's own share sheet (without one the link opens WhatsApp), or by mail. The
 * thanks may be put into the page at any time, so everything is listened for on the document.
 */
import { sendGiftAnswer } from '#wire/answer-client.ts'

document.addEventListener('click', event => {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action="tell"]') : null
  if (!link || typeof navigator.share !== 'function') return
  event.preventDefault()
  // A sheet closed without sending is no failure.
  navigator.share({ text: link.dataset.text ?? '' }).catch(() => {})
})

const formOf = (target: EventTarget | null): HTMLFormElement | null =>
  target instanceof Element ? target.closest<HTMLFormElement>('form[data-tell]') : null

document.addEventListener('input', ({ target }) => {
  // Whoever writes does not want a tap beside the form to lead on.
  if (formOf(target)) document.querySelector('main')!.dataset.stays = ''
})

document.addEventListener('submit', event => {
  const form = formOf(event.target)
  if (!form) return
  event.preventDefault()
  void send(form)
})

async function send(form: HTMLFormElement): Promise<void> {
  const status = form.querySelector<HTMLElement>('[role="status"]')
  if (!status || form.ariaBusy === 'true') return
  const fields = new FormData(form)
  const text = (name: string): string => String(fields.get(name) ?? '')
  // Nothing is told without the tick, also where the browser shows the button all the same, or Enter was pressed.
  if (!fields.has('tell')) {
    status.classList.add('error')
    status.textContent = status.dataset.untold ?? ''
    return
  }
  form.ariaBusy = 'true'
  status.textContent = ''
  const answer = await sendGiftAnswer({
    receiptKey: text('receipt'),
    where: fields.has('where'),
    words: text('words'),
  })
  form.ariaBusy = 'false'
  const { told, given, closed, refused, network, tooMany, failed } = status.dataset
  status.classList.toggle('error', !answer.ok)
  if (answer.ok) {
    form.querySelector('.tell-fields')?.remove()
    status.textContent = told ?? ''
    status.tabIndex = -1
    status.focus()
    return
  }
  const words: Partial<Record<typeof answer.code, string | undefined>> = {
    'already-answered': given,
    'answer-closed': closed,
    'invalid-fields': refused,
    'too-many-requests': tooMany,
    network,
  }
  status.textContent = words[answer.code] ?? failed ?? ''
}
