import { CONSENT_CHOICES, type ConsentChoice } from '#domain/consent/consent.ts'
import { IDENTIFIER_KEYS, VISIT_FLAG_KEYS } from '#wire/browser-names.ts'

/** The storage entries that must not outlive a choice: every identifier, unless it allows them. */
export function forgottenBy(choice: ConsentChoice): readonly string[] {
  return CONSENT_CHOICES[choice] === 'pseudo-anonymous' ? [] : IDENTIFIER_KEYS
}

/** The storage entries that a choice leaves to the tab alone: after a plain no, every flag of a visit. */
export function leftToTheTabBy(choice: ConsentChoice): readonly string[] {
  return CONSENT_CHOICES[choice] === 'none' ? VISIT_FLAG_KEYS : []
}
