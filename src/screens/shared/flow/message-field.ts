import type { WritableAtom } from 'nanostores'
import { readMessage } from '#domain/sender/message.ts'

/**
 * The field of the message on a sender-name screen: keeps what is typed, and says when it cannot be sent.
 * @returns a look at Continue: whether it may lead on; where not, it is said and the field has the focus
 */
export function messageField(form: HTMLFormElement, $message: WritableAtom<string>): () => boolean {
  const field = form.querySelector<HTMLTextAreaElement>('#message')
  const fault = form.querySelector<HTMLElement>('#message-error')
  if (!field || !fault) return () => true
  const say = (isRefused: boolean): void => {
    fault.textContent = isRefused ? (fault.dataset.words ?? '') : ''
    field.setAttribute('aria-invalid', String(isRefused))
  }
  field.addEventListener('input', () => {
    $message.set(field.value)
    say(false)
  })
  $message.subscribe(text => {
    if (document.activeElement !== field && field.value !== text) field.value = text
  })
  return () => {
    const isRefused = 'rule' in readMessage($message.get())
    say(isRefused)
    if (isRefused) field.focus()
    return !isRefused
  }
}
