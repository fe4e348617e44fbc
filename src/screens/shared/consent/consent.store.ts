import {
  type Consent,
  type ConsentChoice,
  consentOf,
  readConsent,
  writeConsent,
} from '#domain/consent/consent.ts'
import {
  type Codec,
  persisted,
  persistentStorage,
  readFrom,
  writeTo,
} from '#screens/shared/storage/persisted.ts'
import { forgetVisitor } from '#wire/analytics-client.ts'
import { CONSENT_CHANGED, CONSENT_KEY, IDENTIFIER_KEYS } from '#wire/browser-names.ts'
import { forgottenBy, leftToTheTabBy } from './kept-keys.ts'

const ANSWER: Codec<Consent | undefined> = {
  read: readConsent,
  write: consent => consent && writeConsent(consent),
}

/** The visitor's answer to the consent question; undefined until there is one. */
export const $consent = persisted<Consent | undefined>(CONSENT_KEY, undefined, ANSWER)

/** The answer as it stands in the browser now, whichever page or script wrote it. */
export const readAnswer = (): Consent | undefined => readFrom(persistentStorage, CONSENT_KEY, ANSWER)

/** Notes whether statistics have been told of this answer; not where another was given since. */
export function markSent({ at, choice }: Consent, isSent: boolean): void {
  const now = readAnswer()
  if (now?.at !== at || now.choice !== choice) return
  const { told: _, ...answer } = now
  writeTo(persistentStorage, CONSENT_KEY, ANSWER, { ...answer, ...(isSent && { told: isSent }) })
}

/** Does the browser say by itself that nothing may be measured (GPC, Do Not Track)? It counts as a plain no. */
export function browserRefuses(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean }
  return globalPrivacyControl === true || doNotTrack === '1'
}

/**
 * Records a choice made at `now` (epoch ms). Deletes every stored identifier that the choice does not allow, on the
 * server too. Moves to the tab what may be kept in the tab alone. `text` is the digest of the words of the question.
 */
export function choose(choice: ConsentChoice, now: number, text?: string): void {
  const known = choice === 'all' ? undefined : knownIdentifiers()
  for (const open of [() => localStorage, () => sessionStorage])
    try {
      for (const key of forgottenBy(choice)) open().removeItem(key)
    } catch {
      // Blocked storage holds nothing.
    }
  try {
    for (const key of leftToTheTabBy(choice)) {
      const flag = localStorage.getItem(key)
      if (flag) sessionStorage.setItem(key, flag)
      localStorage.removeItem(key)
    }
  } catch {
    // Nor does it keep anything beyond the tab.
  }
  $consent.set(consentOf(choice, now, text))
  // Statistics that run on this page stop at once.
  globalThis.dispatchEvent?.(new Event(CONSENT_CHANGED))
  if (known) void forgetVisitor(known)
}

/** What "accept all" left in this browser, if anything. */
function knownIdentifiers(): { readonly userId: string; readonly sessionId: string } | undefined {
  try {
    const [userId, sessionId] = IDENTIFIER_KEYS.map(
      key => localStorage.getItem(key) ?? sessionStorage.getItem(key) ?? '',
    )
    return userId || sessionId ? { userId: userId ?? '', sessionId: sessionId ?? '' } : undefined
  } catch {
    return undefined
  }
}
