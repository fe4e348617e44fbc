import type { TextStorage } from '#screens/shared/storage/persisted.ts'
import type { SessionAnswer } from '#wire/analytics-client.ts'
import { IDENTIFIER_KEYS } from '#wire/browser-names.ts'

const [USER, SESSION] = IDENTIFIER_KEYS

export interface VisitorNeeds {
  /** What outlives the tab, and what does not. */
  readonly persistentStorage: TextStorage
  readonly tab: TextStorage
  /** Does the visitor's answer still allow it? */
  readonly isAllowed: () => boolean
  readonly newNumber: () => string
  readonly open: (userId: string) => Promise<SessionAnswer | undefined>
  readonly forget: (answer: SessionAnswer) => unknown
}

/**
 * The session of this tab, which holds it together with the number it was opened for, or a new one under the
 * visitor's number (after "accept all" only, product.md#privacy). The number is made and kept here before anybody hears
 * of it: a page may be left before it hears the answer, and what was opened for it must be within reach of whoever
 * takes the yes back.
 * @returns undefined when none could be opened; an answer without ids where the server does not want to know
 */
export async function openAsVisitor(needs: VisitorNeeds): Promise<SessionAnswer | undefined> {
  const { persistentStorage, tab, isAllowed, newNumber, open, forget } = needs
  // Tried again after it was taken back in another tab, which has not told this one yet.
  if (!isAllowed()) return undefined
  const known = persistentStorage.getItem(USER)
  const kept = tab.getItem(SESSION)
  // Of a number that was taken back in another tab, the session is gone as well.
  if (kept && known && tab.getItem(USER) === known) return { sessionId: kept, userId: known }
  const userId = known ?? newNumber()
  persistentStorage.setItem(USER, userId)
  const answer = await open(userId)
  // Taken back while it was opened: the server may have been told to forget before there was anything.
  const isTakenBack = !isAllowed() || persistentStorage.getItem(USER) !== userId
  if (isTakenBack) {
    if (answer?.sessionId) forget(answer)
    // What was told in it would be dropped; tried again, it is one for the number that there is by then.
    return undefined
  }
  if (answer?.sessionId) {
    tab.setItem(SESSION, answer.sessionId)
    tab.setItem(USER, answer.userId)
    persistentStorage.setItem(USER, answer.userId)
  } else if (answer) {
    persistentStorage.removeItem(USER)
  }
  return answer
}

/** No session of this tab any more. */
export function leaveSession(tab: TextStorage): void {
  for (const key of IDENTIFIER_KEYS) tab.removeItem(key)
}
