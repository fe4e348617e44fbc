import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_LENGTH } from '#domain/card/keys.ts'

/** Every string of a stolen place that could be a secret, by what it looks like. */
export interface Loot {
  /** What looks like a Checkout session's id. */
  readonly sessions: Set<string>
  /** What looks like a key, also within a longer run of its letters. */
  readonly keys: Set<string>
  /** Whatever else is long and without spaces: digests, ids, encrypted texts. */
  readonly others: Set<string>
}

export const newLoot = (): Loot => ({ sessions: new Set(), keys: new Set(), others: new Set() })

/** Everything below a folder, or one file; what goes away meanwhile was not stolen. */
export function bytesOf(path: string, leaveOut: readonly string[] = []): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [readFileSync(path, 'latin1')]
  return readdirSync(path).flatMap(name => {
    if (leaveOut.includes(name)) return []
    try {
      return bytesOf(join(path, name))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  })
}

const SHORTEST = 16
/** A longer run of a key's letters is no text that anybody keeps a key in. */
const LONGEST_RUN = 128

/** Looks a text through, as somebody would who knows what the product's secrets look like. */
export function gather(loot: Loot, text: string): void {
  for (const [session] of text.matchAll(/cs_(?:test|live)_[A-Za-z0-9]{8,240}/g)) loot.sessions.add(session)
  for (const [run] of text.matchAll(/[a-z2-7]{32,}/gi)) {
    if (run.length > LONGEST_RUN) continue
    for (let at = 0; at + KEY_LENGTH <= run.length; at++)
      loot.keys.add(run.slice(at, at + KEY_LENGTH).toLowerCase())
  }
  for (const [other] of text.matchAll(/[A-Za-z0-9+/_=-]{16,400}/g))
    if (other.length >= SHORTEST) loot.others.add(other)
}
