import type { Released } from '#domain/releases.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { isReplaced } from './versions.ts'

/** Writes down what is published. */
export interface Keeper {
  /** Writes down what is published now. Never rejects: a later order writes down what could not be written. */
  keep(): Promise<void>
  /**
   * May an order write this version down as the newest one? Not if another version came after it: then this server has
   * not heard of the newer one. It may if the last `keep` failed: then the version is a publish that was not written.
   */
  mayBringBack(trx: Writer, of: Released, version: string): Promise<boolean>
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
    mayBringBack: async (trx, of, version) => isUnwritten || !(await isReplaced(trx, of, version)),
  }
}
