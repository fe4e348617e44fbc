import { paidDonors } from '#server/modules/payments/donors.ts'
import { csvCell } from '#server/platform/csv.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'
import { amount, decimal, instant, table } from './table.ts'

/** `donors 2026`: the donors of the orders for which the law of the market asks who gives. */
export const donors: Command = {
  name: 'donors',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary: 'lists who gave, with their document, where a market asks for it; for the authorities alone',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const found = await (await tools.database()).snapshot(reader => paidDonors(reader, period))
    const rows = found.map(({ paidAt, total, currency, name, document, orderId }) => [
      instant(paidAt).slice(0, 10),
      has('csv') ? decimal(total) : amount(total),
      currency,
      name,
      document,
      orderId,
    ])
    const data = { ...period, donors: found }
    if (has('csv'))
      return { lines: [TITLES, ...rows].map(cells => cells.map(csvCell).join(',')), data, ok: true }
    return {
      lines: table(
        TITLES.map((title, n) => (n === 1 ? { title, right: true } : { title })),
        rows,
      ),
      data,
      ok: true,
    }
  },
}

const TITLES = ['paid on', 'amount', 'currency', 'name', 'document', 'order']
