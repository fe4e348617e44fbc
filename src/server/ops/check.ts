import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import { keysHere, secretsHere } from './card-secret.ts'
import type { Command } from './command.ts'
import { amount } from './table.ts'

const WITHOUT_SECRET =
  'CARD_KEY_SECRET is not set here, so no seal was looked at: a change by another hand may go unseen.'

/** `check`: verifies every invariant of the money. It succeeds only when all of them hold. */
export const check: Command = {
  name: 'check',
  usage: '',
  summary: 'verifies that no money was lost, made or spent twice, and that nobody else wrote to the database',
  async run(tools) {
    const { keys, verdict } = await keysHere(tools)
    const now = tools.clock()
    // The seals take half of the time, so a second process checks them in parallel.
    const seals = keys && askWorker('seals', tools.place, now, { secrets: secretsHere(tools) })
    seals?.catch(() => {})
    const { findings } = await examineBooks(await tools.database(), {
      keys,
      now,
      seals,
      onRule: rule => tools.progress(`checking: ${rule}`),
    })
    const unsealed = verdict === 'wrong' ? [WRONG_SECRET] : keys === undefined ? [WITHOUT_SECRET] : []
    if (findings.length === 0)
      return { lines: ['The ledger is in order.', ...unsealed], data: { findings }, ok: verdict !== 'wrong' }
    const lines = findings.map(each => [each.rule, each.subject, difference(each)].filter(Boolean).join('  '))
    return { lines: [`${findings.length} findings:`, ...lines, ...unsealed], data: { findings }, ok: false }
  },
}

/** What should be there and what is: amounts with their currency, numbers of rows without one. */
function difference({ expected, found, currency }: Finding): string {
  const written = (value: number) => (currency === undefined ? String(value) : `${amount(value)} ${currency}`)
  return expected === undefined
    ? ''
    : `expected ${written(expected)}, found ${found === undefined ? '-' : written(found)}`
}
