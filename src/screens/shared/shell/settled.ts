/**
 * What every page does once it is painted: statistics for whoever allowed them, polls that did not arrive, and pages kept
 * for when there is no connection. One file for all pages, which a browser keeps; the page carries none of it.
 */
import { allowsStatistics } from '#domain/consent/consent.ts'
import statistics from '#screens/shared/analytics/start.ts?own-file'
import unsentPolls from '#screens/shared/polls/unsent-polls.ts?own-file'
import { CONSENT_CHANGED, CONSENT_KEY, IDENTIFIER_KEYS, UNSENT_POLLS_KEY } from '#wire/browser-names.ts'
import keptPages from './keep-pages.ts?own-file'

/**
 * Statistics come only once the page has nothing left to do, and only after an answer that allows them; a browser
 * that says it does not want to be measured is not (product.md#privacy). Until then not even their code is fetched.
 */
const measure = (): void => {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean }
  try {
    const isAllowed = allowsStatistics(localStorage.getItem(CONSENT_KEY))
    if (isAllowed && !globalPrivacyControl && doNotTrack !== '1')
      import(/* @vite-ignore */ statistics).catch(() => {})
    // Taken back in another tab, while nothing in this one listened.
    else for (const key of IDENTIFIER_KEYS) sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked: no answer can be kept, so nothing is measured.
  }
}
addEventListener(CONSENT_CHANGED, measure)

/**
 * Sends polls that were submitted and did not arrive. They wait in the tab (screens/shared/polls/polls.store.ts),
 * with any answer to the consent question.
 */
const sendUnsentPolls = (): void => {
  let waits = window.name.includes(UNSENT_POLLS_KEY)
  try {
    waits ||= sessionStorage.getItem(UNSENT_POLLS_KEY) !== null
  } catch {
    // Storage is blocked: the tab's name has said it.
  }
  // The page that a poll was sent on is on its way elsewhere.
  if (waits && !document.querySelector('form[data-poll]'))
    import(/* @vite-ignore */ unsentPolls).catch(() => {})
}

/** Nobody who is only passing by fetches what keeps pages for when there is no connection. */
const KEPT_AFTER_MS = 4_000

sendUnsentPolls()
/** A phone that always has something to do measures all the same. */
const IDLE_WITHIN_MS = 3_000
// Not in every browser we serve.
if ('requestIdleCallback' in window) requestIdleCallback(measure, { timeout: IDLE_WITHIN_MS })
else setTimeout(measure, 1_000)
// While the site is developed there is no such file.
if (import.meta.env.PROD)
  setTimeout(() => import(/* @vite-ignore */ keptPages).catch(() => {}), KEPT_AFTER_MS)
