import { setImmediate } from 'node:timers/promises'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type GivenSecrets, readCardKeys } from '#server/modules/gifts/cards/secrets.ts'
import { checkPublicLedgerAndSeals } from '#server/modules/integrity/check.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import { payouts } from '#server/modules/payouts/payouts.ts'
import { readAudience } from '#server/modules/reports/audience.ts'
import { knownDuties } from '#server/modules/reports/duties.ts'
import { readCounts, readSummary } from '#server/modules/reports/summary.ts'
import type { Database } from '#server/platform/db/database.ts'

/**
 * What reads all cards, mails or visits, by the name that a process of its own is asked by. `now`: epoch ms UTC;
 * `secrets`: of the card keys, for who has to look at seals.
 */
export const QUERIES = {
  // The embedded database reads at a stretch: between its rules it is heard whether anybody listens.
  findings: async (db: Database, now: number, secrets?: GivenSecrets) =>
    examineBooks(db, { now, keys: await keysOf(db, secrets), onRule: () => setImmediate() }),
  publicLedgerAndSeals: async (db: Database, now: number, secrets?: GivenSecrets) => {
    const keys = await keysOf(db, secrets)
    return keys === undefined
      ? []
      : checkPublicLedgerAndSeals(db, { now, keys, onRule: () => setImmediate() })
  },
  summary: (db: Database, now: number) => db.snapshot(reader => readSummary(reader, now)),
  duties: (db: Database, now: number) => db.snapshot(reader => knownDuties(reader, now)),
  counts: (db: Database, now: number) => db.snapshot(reader => readCounts(reader, now)),
  payouts: (db: Database) => db.snapshot(reader => payouts(reader)),
  audience: (db: Database, now: number) => db.snapshot(reader => readAudience(reader, now)),
} as const

export type Question = keyof typeof QUERIES
export type AnswerTo<Q extends Question> = Awaited<ReturnType<(typeof QUERIES)[Q]>>

const keysOf = async (db: Database, secrets: GivenSecrets | undefined): Promise<CardKeys | undefined> =>
  secrets && (await readCardKeys(db, secrets)).keys
