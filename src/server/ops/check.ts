import { checkLedger } from '#server/ledger/check.ts'
import type { Command } from './command.ts'

/** `check`: every invariant of the money (ARCHITECTURE.md#rules-that-were-paid-for). Ends well only when all of them hold. */
export const check: Command = {
  name: 'check',
  usage: '',
  summary: 'verifies that no money was lost, made or spent twice',
  async run(tools) {
    const findings = await checkLedger(await tools.database(), rule => tools.progress(`checking: ${rule}`))
    if (findings.length === 0) return { lines: ['The ledger is in order.'], data: { findings }, ok: true }
    const lines = findings.map(({ rule, subject, expected, found }) =>
      [rule, subject, expected !== undefined && `expected ${expected}, found ${found ?? '-'} (minor units)`]
        .filter(Boolean)
        .join('  '),
    )
    return { lines: [`${findings.length} findings:`, ...lines], data: { findings }, ok: false }
  },
}
