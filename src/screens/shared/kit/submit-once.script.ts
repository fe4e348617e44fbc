/**
 * A form that is answered by a page is sent once: while the answer is slow in coming, a second press would break the
 * first off, whose work is done by then, and show what came of the second. Without this script the form works as ever.
 */
const form = document.querySelector<HTMLFormElement>('form[data-submit-once]')
/** Still here after that long, the visitor stopped the browser on its way. */
const LEAVES_WITHIN_MS = 20_000

const again = (): void => {
  if (form) form.ariaBusy = 'false'
}
form?.addEventListener('submit', event => {
  if (form.ariaBusy === 'true') return event.preventDefault()
  form.ariaBusy = 'true'
  setTimeout(again, LEAVES_WITHIN_MS)
})
// Back from the answer, the page may come out of the browser's memory.
addEventListener('pageshow', again)
