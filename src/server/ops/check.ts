import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { writeCheckpoint } from '#server/modules/integrity/checkpoints.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import { noWords, readArguments } from './arguments.ts'
import { keysFor, keysHere, secretsHere } from './card-secret.ts'
import type { Command } from './command.ts'
import { amount } from './table.ts'

const WITHOUT_SECRET =
  'CARD_KEY_SECRET is not set here, so no seal was looked at: a change by another hand may go unseen.'

const COUNT_AGAIN = 'count-again'
const COUNTED_NOTHING = 'Nothing was counted: that comes after everything else is in order.'
const PAUSED = [
  'For days nobody has counted the rows, and cards were sold. Had the worker stopped, or did the check have other findings until now?',
  `Then \`check ${COUNT_AGAIN}\` counts them. If neither is so, somebody has taken the newest counts away, and maybe rows with them.`,
]

/**
 * `check`: verifies every invariant of the money. It succeeds only when all of them hold. `check count-again`: where it
 * finds no more than that for days no rows were counted, the operator says that there was a reason, and they are counted.
 */
export const check: Command = {
  name: 'check',
  usage: `[${COUNT_AGAIN}]`,
  summary: 'verifies that no money was lost, made or spent twice, and that nobody else wrote to the database',
  async run(tools, args) {
    const isAgain = countsAgain(args)
    // The secret seals the count.
    if (isAgain) await keysFor(tools)
    const { keys, verdict } = await keysHere(tools)
    const now = tools.clock()
    // They take half of the time, so a second process checks them in parallel.
    const publicLedgerAndSeals =
      keys && askWorker('publicLedgerAndSeals', tools.place, now, { secrets: secretsHere(tools) })
    publicLedgerAndSeals?.catch(() => {})
    const db = await tools.database()
    const { findings, countAfterPause } = await examineBooks(db, {
      keys,
      now,
      publicLedgerAndSeals,
      onRule: rule => tools.progress(`checking: ${rule}`),
    })
    const unsealed = verdict === 'wrong' ? [WRONG_SECRET] : keys === undefined ? [WITHOUT_SECRET] : []
    if (findings.length === 0)
      return { lines: ['The ledger is in order.', ...unsealed], data: { findings }, ok: verdict !== 'wrong' }
    if (isAgain && keys && countAfterPause) {
      await writeCheckpoint(db, keys, countAfterPause)
      return {
        lines: ['The rows are counted again, from now on once a day.'],
        data: { findings: [] },
        ok: true,
      }
    }
    const lines = findings.map(each => [each.rule, each.subject, difference(each)].filter(Boolean).join('  '))
    const advice = countAfterPause ? PAUSED : isAgain ? [COUNTED_NOTHING] : []
    return {
      lines: [`${findings.length} findings:`, ...lines, ...advice, ...unsealed],
      data: { findings },
      ok: false,
    }
  },
}

/** @throws Refusal for any other word */
function countsAgain(args: readonly string[]): boolean {
  const { words } = readArguments(args)
  const isAgain = words[0] === COUNT_AGAIN
  noWords(isAgain ? words.slice(1) : words)
  return isAgain
}

/** What should be there and what is: amounts with their currency, numbers of rows without one. */
function difference({ expected, found, currency }: Finding): string {
  const written = (value: number) => (currency === undefined ? String(value) : `${amount(value)} ${currency}`)
  return expected === undefined
    ? ''
    : `expected ${written(expected)}, found ${found === undefined ? '-' : written(found)}`
}
