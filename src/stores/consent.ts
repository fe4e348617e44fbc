import {
  CONSENT_KEY,
  type Consent,
  type ConsentChoice,
  consentOf,
  forgottenBy,
  leftToTheTabBy,
  readConsent,
  writeConsent,
} from '#domain/consent/consent.ts'
import { persisted } from './persisted.ts'

/** The visitor's answer to the consent question; undefined until there is one. */
export const $consent = persisted<Consent | undefined>(CONSENT_KEY, undefined, {
  read: readConsent,
  write: consent => consent && writeConsent(consent),
})

/**
 * Records a choice made at `now` (epoch ms), deletes every stored identifier that it does not allow, and moves to
 * the tab what it leaves to the tab.
 */
export function choose(choice: ConsentChoice, now: number): void {
  for (const open of [() => localStorage, () => sessionStorage])
    try {
      for (const key of forgottenBy(choice)) open().removeItem(key)
    } catch {
      // Blocked storage holds nothing.
    }
  try {
    for (const key of leftToTheTabBy(choice)) {
      const mark = localStorage.getItem(key)
      if (mark) sessionStorage.setItem(key, mark)
      localStorage.removeItem(key)
    }
  } catch {
    // Nor does it keep anything beyond the tab.
  }
  $consent.set(consentOf(choice, now))
}
