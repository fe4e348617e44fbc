import { LANGUAGES } from '../languages.ts'
import { DEVELOPER_ENTRY, POLL_ENTRIES } from './entry.ts'

/** Where the operator works. */
const OPERATOR_WORDS = ['studio', 'studio-login']

/** What addresses of the site begin with, or are to begin with, beside its pages. */
const ADDRESS_WORDS = [
  'withdraw',
  'ledger',
  'transparency',
  'passport',
  'g',
  'api',
  'images',
  'health',
  'internal',
  'gift-card',
  'gift-card-volunteering',
  'lost-link',
  'new-links',
  'gift-letters',
  'send-for-me',
  'not-for-me',
  'certificate',
  'invoice',
  'many',
  'received',
  'own-money-thanks',
]

/**
 * First segments, in lower case, that lead elsewhere, so that a campaign called so would never be seen.
 * @param paths of the site's own pages
 */
export function reservedWords(paths: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...Object.keys(POLL_ENTRIES),
    DEVELOPER_ENTRY,
    ...LANGUAGES,
    ...OPERATOR_WORDS,
    ...ADDRESS_WORDS,
    ...paths.map(path => path.split('/')[1] ?? ''),
  ])
}
