import {
  CONSENT_KEY,
  type Consent,
  type ConsentChoice,
  consentOf,
  readConsent,
  writeConsent,
} from '#domain/consent/consent.ts'
import { deleteIdentifiers } from './identifiers.ts'
import { persisted } from './persisted.ts'

/** The visitor's answer to the consent question; undefined until there is one. */
export const $consent = persisted<Consent | undefined>(CONSENT_KEY, undefined, {
  read: readConsent,
  write: consent => consent && writeConsent(consent),
})

/** Records a choice made at `now` (epoch ms), and deletes every stored identifier that it does not allow. */
export function choose(choice: ConsentChoice, now: number): void {
  deleteIdentifiers(choice)
  $consent.set(consentOf(choice, now))
}
