/**
 * Statistics, for visitors who allowed them: fetched once the page is idle, by screens/shared/shell/settled.ts, after a look at the
 * answer to the consent question. Nothing of the page waits for it, and nothing it does is felt.
 */

import { routeOf } from '#domain/analytics/route.ts'
import type { Consent } from '#domain/consent/consent.ts'
import { createTracker, type Tracker } from '#screens/shared/analytics/tracker.ts'
import { leaveSession, openAsVisitor } from '#screens/shared/analytics/visitor.ts'
import { markSent, readAnswer } from '#screens/shared/consent/consent.store.ts'
import { tabValue } from '#screens/shared/storage/tab.ts'
import { forgetVisitor, openSession, type SessionAnswer, saveEvent } from '#wire/analytics-client.ts'
import { ANALYTICS_CALLS_KEY, CONSENT_CHANGED } from '#wire/browser-names.ts'
import { newAttemptKey } from '#wire/client.ts'
import { deviceAttrs } from './device.ts'
import { offerPosition } from './position.ts'
import { watchVitals } from './vitals.ts'
import { watchVisitor } from './watch.ts'

/** A count, which tells nobody from anybody. */
const callsOfTab = tabValue<number>(ANALYTICS_CALLS_KEY, {
  read: text => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  write: String,
})

let running: Tracker | undefined
let followed: Consent | undefined

/** Begins, or goes on, as the answer allows it; a plain no, or none any more, stops everything. */
function follow(answer: Consent | undefined): void {
  running?.stop()
  running = undefined
  followed = answer
  const isAnonymous = answer?.choice !== 'all'
  if (isAnonymous) leaveSession(sessionStorage)
  if (!answer || answer.choice === 'reject') {
    callsOfTab.set(undefined)
    return
  }

  running = createTracker({
    isAnonymous,
    open: isAnonymous ? openAnonymously : openPseudonymously,
    save: saveEvent,
    currentUrl: () => `/${document.documentElement.lang}${routeOf(location.pathname).route}`,
    now: () => performance.now(),
    calls: callsOfTab,
    wait: ms => new Promise(resolve => setTimeout(resolve, ms)),
    log: message => isLeft || console.warn(message),
  })
  watchOnce()
  showScreen()
  if (!isAnonymous) offerPosition(track)
}

/** Looks whether another answer was given. @returns whether there was one */
function look(): boolean {
  const answer = readAnswer()
  if (answer?.at === followed?.at && answer?.choice === followed?.choice) return false
  follow(answer)
  return true
}

// On this page; or on another, in another tab, or while the browser kept this page for whoever goes back to it.
addEventListener(CONSENT_CHANGED, () => look() && tellConsent())
addEventListener('storage', look)
addEventListener('pageshow', look)

/** Whoever listens keeps telling the tracker of the moment. */
const track: Tracker['track'] = (...event) => running?.track(...event)

let isWatching = false
let showScreen = (): void => {}

function watchOnce(): void {
  if (isWatching) return
  isWatching = true
  showScreen = watchVisitor(track)
  watchVitals(track)
}

/** The server makes its own number of the day: nothing is kept here. */
const openAnonymously = (): Promise<SessionAnswer | undefined> =>
  openSession({ deviceAttrs: {}, localStorageId: null, isAnonymous: true })

const openPseudonymously = (): Promise<SessionAnswer | undefined> =>
  openAsVisitor({
    persistentStorage: localStorage,
    tab: sessionStorage,
    isAllowed: () => readAnswer()?.choice === 'all',
    newNumber: newAttemptKey,
    open: localStorageId => openSession({ deviceAttrs: deviceAttrs(), localStorageId, isAnonymous: false }),
    forget: forgetVisitor,
  })

/** A page that is being left lives less than this after its requests are broken off. */
const LEAVING_MS = 500

/** Is the page being left? Its requests then arrive, although the page is told that they failed. */
let isLeft = false
addEventListener('pagehide', () => {
  isLeft = true
})
addEventListener('pageshow', () => {
  isLeft = false
})

/**
 * Sends the record of the consent, which names no person. Visitors leave the page as they answer, so the next page
 * sends again what did not go out.
 */
function tellConsent(): void {
  const answer = followed
  if (!answer?.text || answer.told) return
  const { choice, version, text } = answer
  track('consent', { choice, version, text }, async saved => {
    markSent(answer, true)
    if (await saved) return
    // A page that is being left may hear of the failure before it hears that it is left.
    setTimeout(() => isLeft || markSent(answer, false), LEAVING_MS)
  })
}

look()
tellConsent()
