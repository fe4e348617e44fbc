import { readVat } from '#server/modules/reports/vat.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'
import { amount, decimal, table } from './table.ts'

/** `vat 2026-Q3`: the VAT that the support amounts of a year, quarter or month hold, by currency and rate. */
export const vat: Command = {
  name: 'vat',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary: 'says the VAT within the support of a year, a quarter or a month, by currency and rate',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const lines = await (await tools.database()).snapshot(reader => readVat(reader, period))
    const rows = lines.map(line => [
      line.currency,
      line.rate === null ? 'as shown' : `${line.rate}%`,
      String(line.orders),
      ...[
        line.support,
        line.vat,
        line.givenBack,
        line.vatBack,
        line.support - line.givenBack - (line.vat - line.vatBack),
        line.vat - line.vatBack,
      ].map(minor => (has('csv') ? decimal(minor) : amount(minor))),
    ])
    const data = { ...period, lines }
    if (has('csv')) return { lines: [TITLES, ...rows].map(cells => cells.join(',')), data, ok: true }
    return {
      lines: [
        ...table(
          TITLES.map((title, n) => (n < 2 ? { title } : { title, right: true })),
          rows,
        ),
        ...(lines.some(({ rate }) => rate === null)
          ? ['', '“as shown”: of orders from before the rate was kept, the tax that their buyers were shown.']
          : []),
        '',
        'Support alone: gifts are no sales, and the prices of invitations stand in `report`.',
      ],
      data,
      ok: true,
    }
  },
}

const TITLES = [
  'currency',
  'rate',
  'orders',
  'support',
  'VAT in it',
  'given back',
  'VAT back',
  'net',
  'VAT due',
]
