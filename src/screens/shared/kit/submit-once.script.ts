/**
 * Sends a form once, where the answer is a page. While the answer is slow, a second press would cancel the first
 * request. The server would already have done its work, and the page would show the result of the second one. The
 * form works without this script too.
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
