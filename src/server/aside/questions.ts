import { setImmediate } from 'node:timers/promises'
import { readAudience } from '#server/analytics/report.ts'
import type { Database } from '#server/db/database.ts'
import { checkLedger } from '#server/ledger/check.ts'
import { readCounts, readSummary } from '#server/ledger/summary.ts'
import { payouts } from '#server/payouts/payouts.ts'

/** What reads all cards, mails or visits, by the name that a process of its own is asked by. `now`: epoch ms UTC. */
export const QUESTIONS = {
  // The embedded database reads at a stretch: between its rules it is heard whether anybody listens.
  findings: (db: Database) => checkLedger(db, () => setImmediate()),
  summary: (db: Database, now: number) => db.snapshot(reader => readSummary(reader, now)),
  counts: (db: Database, now: number) => db.snapshot(reader => readCounts(reader, now)),
  payouts: (db: Database) => db.snapshot(reader => payouts(reader)),
  audience: (db: Database, now: number) => db.snapshot(reader => readAudience(reader, now)),
} as const

export type Question = keyof typeof QUESTIONS
export type AnswerTo<Q extends Question> = Awaited<ReturnType<(typeof QUESTIONS)[Q]>>
