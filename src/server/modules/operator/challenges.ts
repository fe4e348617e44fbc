import { createHash, randomBytes } from 'node:crypto'
import { CHALLENGE_MS } from '#domain/desk/roles.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { readSharedTime } from '#server/platform/db/database-time.ts'
import { readSigned, signed } from './signed.ts'

/** What a passkey signs: for one purpose, for five minutes, once. Nothing is stored before it is answered. */
export interface Challenges {
  /** @param purpose what the answer is good for; it may hold ids and digests, never a secret */
  make(purpose: string): Promise<string>
  /** @returns tells whether something is what `make` gave for the purpose, and still within its time. It may have been answered */
  fitting(purpose: string): Promise<(challenge: string) => boolean>
  /** Marks it as answered. @returns false where it was answered before, by whichever process */
  use(challenge: string): Promise<boolean>
}

/** How long an answered one is remembered beyond its own end, in ms: a clock that goes back brings none back. */
const REMEMBERED_MS = DAY_MS

/**
 * Makes challenges that every process knows, by the clock that all have in common: another server than the one that made
 * it may be asked for the answer.
 * @param key of the signature, made from the server's secret
 * @param sharedClock another clock in the place of the database's
 */
export function createChallenges(db: Database, key: Buffer, clock: Clock, sharedClock?: Clock): Challenges {
  const endOf = (text: string) => Number(text.split(' ')[1])
  const sharedNow = () => readSharedTime(db, clock, sharedClock)
  return {
    async make(purpose) {
      const end = (await sharedNow()) + CHALLENGE_MS
      return signed(key, `${randomBytes(16).toString('base64url')} ${end} ${purpose}`)
    },
    async fitting(purpose) {
      const now = await sharedNow()
      return challenge => {
        const text = readSigned(key, challenge)
        if (text === undefined) return false
        const [, , ...rest] = text.split(' ')
        return rest.join(' ') === purpose && endOf(text) > now && endOf(text) <= now + CHALLENGE_MS
      }
    },
    async use(challenge) {
      const id = createHash('sha256').update(challenge).digest('base64url')
      const now = await sharedNow()
      return db.transaction(async trx => {
        await trx
          .deleteFrom('used_challenges')
          .where('expires_at', '<', now - REMEMBERED_MS)
          .execute()
        const row = await trx
          .insertInto('used_challenges')
          .values({ id, expires_at: now + CHALLENGE_MS })
          .onConflict(conflict => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        return row !== undefined
      })
    },
  }
}
