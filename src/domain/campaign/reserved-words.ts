import { LANGUAGES } from '../languages.ts'
import { DEVELOPER_ENTRY, POLL_ENTRIES } from './entry.ts'

/** Where the operator works. */
const OPERATOR_WORDS = ['studio', 'studio-login']

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
    ...paths.map(path => path.split('/')[1] ?? ''),
  ])
}
