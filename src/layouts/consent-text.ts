import { createHash } from 'node:crypto'
import { CONSENT_CATEGORIES, CONSENT_CHOICES, CONSENT_VERSION } from '#domain/consent/consent.ts'
import type { Language } from '#domain/languages.ts'
import { getT } from '#i18n/index.ts'

const ANSWERS = ['accept', 'reject', 'reject-optional'].map(answer => `cookies-settings-${answer}`)

/** Every text that stands around the question, by where it is asked. */
const WORDS = {
  settings: [
    'cookies-settings-lead',
    ...CONSENT_CATEGORIES.flatMap(({ id }) => [`cookies-settings-${id}`, `cookies-settings-${id}-line`]),
    ...ANSWERS,
  ],
  bar: ['consent-bar-question', ...Object.keys(CONSENT_CHOICES).map(choice => `consent-bar-${choice}`)],
} as const

/** The digest of the words that a visitor answers. By it a record tells what was asked, but not who answered. */
export function consentText(language: Language, place: keyof typeof WORDS): string {
  const t = getT(language)
  const words = WORDS[place].map(key => t(key))
  return createHash('sha256')
    .update([CONSENT_VERSION, ...words].join('\n'))
    .digest('hex')
}
