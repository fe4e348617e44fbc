/**
 * Runs before the first paint of a receiver's screen. The first load in a browser session begins the story
 * (product.md#story); a reload stays where it is. The story's address comes with the script's element. Then the
 * script finds out whether the consent question is open. Where storage is blocked nothing is asked: no answer could
 * be kept.
 */
import { CONSENT_VERSION } from '#domain/consent/consent.ts'
import { ARRIVING_KEY, CONSENT_KEY, OPENED_KEY } from '#wire/browser-names.ts'

try {
  const start = document.currentScript!.dataset.start!
  if (!sessionStorage.getItem(OPENED_KEY)) {
    sessionStorage.setItem(OPENED_KEY, '1')
    if (start !== location.pathname) {
      sessionStorage.setItem(ARRIVING_KEY, 'yes')
      location.replace(start)
    }
  }
  if (versionOf(localStorage.getItem(CONSENT_KEY)) !== CONSENT_VERSION)
    document.documentElement.classList.add('asks')
} catch {
  // Storage is blocked.
}

/** Which question was answered; undefined where none was, or the text says nothing. */
function versionOf(answer: string | null): unknown {
  try {
    return JSON.parse(answer!).version
  } catch {
    return undefined
  }
}
