/**
 * Statistics, for visitors who allowed them: fetched once the page is idle, by layouts/shell.ts, after a look at the
 * answer to the consent question. Nothing of the page waits for it, and nothing it does is felt.
 */
import { routeOf } from '#domain/analytics/route.ts'
import { createTracker, type Tracker } from '#stores/analytics.ts'
import { openSession, type SessionAnswer, saveEvent } from '#wire/analytics-client.ts'
import { deviceAttrs } from './device.ts'
import { offerPosition } from './position.ts'
import { watchVitals } from './vitals.ts'
import { watchVisitor } from './watch.ts'

const USER = 'gift:analytics-user'
const SESSION = 'gift:analytics-session'
const CONSENT = 'gift:consent'

let running: Tracker | undefined

let choice: string | undefined

addEventListener('gift:consent-changed', start)
// Another tab's answer counts here too.
addEventListener('storage', () => {
  if (readRecord()?.choice !== choice) start()
})

/** Begins, or goes on, as the answer allows it; a plain no stops everything. */
function start(): void {
  const record = readRecord()
  choice = record?.choice
  const isAnonymous = choice !== 'all'
  running?.stop()
  running = undefined
  if (!record) return
  if (isAnonymous) sessionStorage.removeItem(SESSION)
  if (choice === 'reject') return

  const tracker = createTracker({
    isAnonymous,
    open: () => (isAnonymous ? openAnonymously() : openAgain()),
    save: saveEvent,
    currentUrl: () => `/${document.documentElement.lang}${routeOf(location.pathname).route}`,
    now: () => performance.now(),
    wait: ms => new Promise(resolve => setTimeout(resolve, ms)),
    log: message => console.warn(message),
  })
  watchOnce()
  running = tracker
  tellConsent(record, tracker)
  showScreen()
  if (!isAnonymous) offerPosition(track)
}

/** Whoever listens keeps telling the tracker of the moment. */
const track: Tracker['track'] = (name, metadata) => running?.track(name, metadata)

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

/** The session of this tab, or a new one under the visitor's number. */
async function openAgain(): Promise<SessionAnswer | undefined> {
  const kept = sessionStorage.getItem(SESSION)
  const userId = localStorage.getItem(USER)
  if (kept && userId) return { sessionId: kept, userId }
  const answer = await openSession({
    deviceAttrs: deviceAttrs(),
    localStorageId: userId,
    isAnonymous: false,
  })
  if (answer?.sessionId && readRecord()?.choice === 'all') {
    sessionStorage.setItem(SESSION, answer.sessionId)
    localStorage.setItem(USER, answer.userId)
  }
  return answer
}

interface Answer {
  readonly choice: string
  readonly version: number
  readonly text?: string
  /** The record without a person in it has been sent. */
  readonly told?: true
}

function readRecord(): Answer | undefined {
  try {
    return (JSON.parse(localStorage.getItem(CONSENT) ?? 'null') as Answer | null) ?? undefined
  } catch {
    return undefined
  }
}

/** The next page tells again what did not go out: whoever answers is on their way to it. */
function tellConsent(answer: Answer, tracker: Tracker): void {
  const { choice, version, text, told } = answer
  if (told || !text) return
  tracker.track('consent', { choice, version, text }, async saved => {
    markTold(answer, true)
    if (!(await saved)) markTold(answer, false)
  })
}

/** Unless another answer was given since. */
function markTold({ choice, text }: Answer, isTold: boolean): void {
  const { told: _, ...record } = readRecord() ?? ({} as Answer)
  if (record.choice !== choice || record.text !== text) return
  localStorage.setItem(CONSENT, JSON.stringify({ ...record, ...(isTold && { told: true }) }))
}

start()
