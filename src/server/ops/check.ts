import type { Database } from '#server/db/database.ts'
import { checkLedger } from '#server/ledger/check.ts'
import type { Command } from './command.ts'

/** `check`: every invariant of the money (architecture §5). Ends well only when all of them hold. */
export const check: Command = {
  name: 'check',
  summary: 'verifies that no money was lost, made or spent twice',
  async run(db: Database) {
    const findings = await checkLedger(db)
    if (findings.length === 0) return { lines: ['The ledger is in order.'], data: { findings }, ok: true }
    const lines = findings.map(({ rule, subject, expected, found }) =>
      [rule, subject, expected !== undefined && `expected ${expected}, found ${found} (minor units)`]
        .filter(Boolean)
        .join('  '),
    )
    return { lines: [`${findings.length} findings:`, ...lines], data: { findings }, ok: false }
  },
}
