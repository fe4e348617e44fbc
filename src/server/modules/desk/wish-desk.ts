import { createHash } from 'node:crypto'
import { listWishes, markLookedAt, type SeenWish, type WishedFor } from '#server/modules/gifts/wishes.ts'
import type { Database } from '#server/platform/db/database.ts'
import { noteOf, type Press, writeNote } from './press-notes.ts'

/** The organisations that recipients miss, as the operator sees them. `ops wishes` is the same on the machine. */
export interface WishDesk {
  /** The newest first. */
  list(): Promise<readonly WishedFor[]>
  /** Marks what the operator has seen: wishes that came later stay new. @returns false where the press was carried out before */
  lookedAt(seen: SeenWish, press: Press): Promise<boolean>
}

/** Makes the desk of wishes. */
export function createWishDesk({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: () => number
}): WishDesk {
  return {
    list: () => db.snapshot(listWishes),
    lookedAt: (seen, press) =>
      db.transaction(async trx => {
        const now = clock()
        // The log names no words of a stranger.
        const subject = createHash('sha256').update(seen.word).digest('hex').slice(0, 20)
        if (!(await writeNote(trx, noteOf(press, 'wish looked at', subject), now))) return false
        await markLookedAt(trx, seen, now)
        return true
      }),
  }
}
