/** The offline screen stands at the address that could not be had: it asks again when the connection is back. */
const askAgain = (): void => location.reload()

addEventListener('online', askAgain)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && navigator.onLine) askAgain()
})
