/** The offline screen stands at the address that could not be had: it asks again when the connection is back. */
const askAgain = (): void => {
  if (navigator.onLine) location.reload()
}

// A visitor who is on the way to another page is not called back: a reload would take the place of that page.
let isLeaving = false
addEventListener('beforeunload', () => {
  isLeaving = true
})
addEventListener('pageshow', () => {
  isLeaving = false
})

addEventListener('online', () => {
  if (!isLeaving) askAgain()
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') askAgain()
})
