/**
 * Telling the giver, from the thanks: by the browser's own share sheet (without one the link opens WhatsApp), or by mail. The
 * thanks may be put into the page at any time, so everything is listened for on the document. Few write a mail: what sends
 * it is fetched once somebody begins.
 */
import sendFile from './send-answer.ts?own-file'

const sending = (): Promise<typeof import('./send-answer.ts')> => import(/* @vite-ignore */ sendFile)

document.addEventListener('click', event => {
  // What is clicked, written in or sent is always an element.
  const link = (event.target as Element).closest<HTMLElement>('[data-action="tell"]')
  if (!link || typeof navigator.share !== 'function') return
  event.preventDefault()
  // A sheet closed without sending is no failure.
  navigator.share({ text: link.dataset.text ?? '' }).catch(() => {})
})

const formOf = (target: EventTarget | null): HTMLFormElement | null =>
  (target as Element).closest<HTMLFormElement>('form[data-tell]')

document.addEventListener('input', ({ target }) => {
  const form = formOf(target)
  if (!form) return
  // Whoever writes does not want a tap beside the form to lead on.
  document.querySelector('main')!.dataset.stays = ''
  sending().then(
    ({ takeBack }) => takeBack(form),
    () => {},
  )
})

document.addEventListener('submit', event => {
  const form = formOf(event.target)
  if (!form) return
  event.preventDefault()
  sending().then(
    ({ sendAnswer }) => sendAnswer(form),
    () => {
      // What sends it cannot be had: the browser sends the form, as it does without scripts.
      if (navigator.onLine) return form.submit()
      // It would leave for a page that does not come, and the words would be gone.
      const said = form.querySelector<HTMLElement>('#tell-said')
      if (!said) return
      said.classList.add('error')
      said.textContent = said.dataset.network ?? ''
      said.focus()
    },
  )
})
