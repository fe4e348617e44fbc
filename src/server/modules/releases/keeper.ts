import type { Released } from '#domain/releases.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { isReplaced, keepVersion, releasesOf } from './versions.ts'

/** Writes down what is published. */
export interface Keeper {
  /** Writes down what is published now. Never rejects: a later order writes down what could not be written. */
  keep(): Promise<void>
  /**
   * Sees to it that this version is the newest one that is written down, for an order. It is not written if another
   * version came after it: then this server has not heard of the newer one. It is if the last `keep` failed: then the
   * version is a publish that was not written.
   * @param content JSON, asked for only where it is to be written
   * @param now epoch ms UTC
   * @returns false where another version came after it
   */
  bringBack(trx: Writer, of: Released, version: string, content: () => string, now: number): Promise<boolean>
}

interface Dependencies {
  readonly db: Database
  readonly log: Log
  /** What the log calls a failure, such as `offer-not-kept`. */
  readonly failure: string
  /** Writes everything down that is published now, if it is not the newest already. */
  readonly write: (trx: Writer) => Promise<void>
}

/** A keeper of what one module publishes. */
export function createKeeper({ db, log, failure, write }: Dependencies): Keeper {
  /** Is there a publish that the last `keep` could not write down? */
  let isUnwritten = false
  return {
    async keep() {
      try {
        await db.transaction(write)
        isUnwritten = false
      } catch (error) {
        isUnwritten = true
        log.error(failure, error)
      }
    },
    async bringBack(trx, of, version, content, now) {
      const [newest] = await releasesOf(trx, of, 1)
      if (newest?.version === version) return true
      if (!isUnwritten && (await isReplaced(trx, of, version))) return false
      await keepVersion(trx, of, { version, content: content() }, now)
      return true
    },
  }
}
