import { DAY_MS } from '../durations.ts'

/** What can be revoked: the key of a partner, a person at the desk, the account where an organisation is paid. */
export const REVOCABLE = ['partner', 'person', 'account'] as const

export type Revocable = (typeof REVOCABLE)[number]

/** Something that opens nothing any more. Its id is given to nothing else, so that it stays revoked for good. */
export interface Revocation {
  readonly what: Revocable
  readonly id: string
  /** Epoch ms UTC. */
  readonly at: number
}

/** Backups are kept for two months: what was revoked longer ago than this is revoked in all of them. */
export const REVOCATIONS_KEPT_MS = 100 * DAY_MS

/** Each once, by its first instant, the oldest first; none that every backup knows. @param now epoch ms UTC */
export function mergeRevocations(all: readonly Revocation[], now: number): readonly Revocation[] {
  const sorted = all
    .filter(({ at }) => at > now - REVOCATIONS_KEPT_MS)
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const once = new Map<string, Revocation>()
  for (const each of sorted) {
    const key = `${each.what} ${each.id}`
    if (!once.has(key)) once.set(key, each)
  }
  return [...once.values()]
}

/** The list as a text of one line for each. It holds ids and times, and nothing secret. */
export const writeRevocations = (all: readonly Revocation[]): string =>
  all.map(({ what, id, at }) => `${what} ${id} ${new Date(at).toISOString()}\n`).join('')

const LINE = /^(\w+) (\S+) (\S+)$/

/** Reads what `writeRevocations` wrote. @throws Error for another line: what it revoked would be valid again */
export function readRevocations(text: string): readonly Revocation[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [, word, id = '', instant = ''] = LINE.exec(line) ?? []
      const what = REVOCABLE.find(each => each === word)
      const at = Date.parse(instant)
      if (what === undefined || Number.isNaN(at))
        throw new Error(
          'The file `revocations` has a line that cannot be read. Mend it, or take it away and revoke by hand what it names.',
        )
      return { what, id, at }
    })
}
