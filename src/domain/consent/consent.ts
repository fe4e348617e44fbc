/** What may be measured after a choice (product.md#privacy). */
type AnalyticsLevel = 'none' | 'anonymous' | 'pseudo-anonymous'

/** The answers to the consent question, each with what it allows. Nobody is measured before answering. */
export const CONSENT_CHOICES = {
  all: 'pseudo-anonymous',
  'reject-optional': 'anonymous',
  reject: 'none',
} as const satisfies Record<string, AnalyticsLevel>

export type ConsentChoice = keyof typeof CONSENT_CHOICES

export interface ConsentCategory {
  readonly id: 'necessary' | 'anonymous' | 'pseudo-anonymous'
  /**
   * The switch of this category stays on and cannot be moved. Only "reject" as a whole turns the anonymous statistics
   * off.
   */
  readonly alwaysOn: boolean
}

/** What the settings screen shows a switch for (product.md#privacy). */
export const CONSENT_CATEGORIES: readonly ConsentCategory[] = [
  { id: 'necessary', alwaysOn: true },
  { id: 'anonymous', alwaysOn: true },
  { id: 'pseudo-anonymous', alwaysOn: false },
]

/** Raised when the categories or what they hold change: an answer to the question before counts as none. */
export const CONSENT_VERSION = 1

/** An answer as it is recorded. */
export interface Consent {
  readonly choice: ConsentChoice
  readonly version: number
  /** When it was given, epoch milliseconds. */
  readonly at: number
  /** SHA-256 of the words that were asked, hex. */
  readonly text?: string
  /** Statistics have been told that somebody gave this answer. */
  readonly told?: true
}

/** Is this an answer that the consent question offers? */
export function isConsentChoice(value: unknown): value is ConsentChoice {
  return typeof value === 'string' && Object.hasOwn(CONSENT_CHOICES, value)
}

/** The record of an answer given at `now` (epoch ms), to the words whose digest is `text`. */
export function consentOf(choice: ConsentChoice, now: number, text?: string): Consent {
  return { choice, version: CONSENT_VERSION, at: now, ...(text !== undefined && { text }) }
}

/** Writes an answer down for the browser's storage. */
export function writeConsent(consent: Consent): string {
  return JSON.stringify(consent)
}

/** Reads an answer back; undefined for an older question's, and for anything tampered with. */
export function readConsent(text: string): Consent | undefined {
  try {
    const { choice, version, at, text: hash, told } = (JSON.parse(text) ?? {}) as Record<string, unknown>
    const isGood =
      isConsentChoice(choice) && version === CONSENT_VERSION && Number.isSafeInteger(at) && Number(at) >= 0
    if (!isGood) return undefined
    return {
      ...consentOf(choice, Number(at), isTextHash(hash) ? hash : undefined),
      ...(told === true && { told }),
    }
  } catch {
    return undefined
  }
}

/** Could this be the digest of the words that were asked? */
export function isTextHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/**
 * May anything be measured after the answer that the browser keeps, as it stands there? Every page asks this, so it looks
 * at no more than it must: what is fetched after a yes reads the whole answer.
 */
export function allowsStatistics(kept: string | null): boolean {
  try {
    const { choice, version } = JSON.parse(kept ?? '') as Record<string, unknown>
    return version === CONSENT_VERSION && isConsentChoice(choice) && CONSENT_CHOICES[choice] !== 'none'
  } catch {
    return false
  }
}

/** May pages be kept for when there is no connection? Not after a plain no, which leaves nothing but itself. */
export function allowsKeptPages(kept: string | null): boolean {
  return readConsent(kept ?? '')?.choice !== 'reject'
}

/** What the third switch stands for when its setting is confirmed. */
export function choiceOfSwitch(isOn: boolean): ConsentChoice {
  return isOn ? 'all' : 'reject-optional'
}
