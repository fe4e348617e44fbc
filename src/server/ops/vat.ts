import { readVat } from '#server/modules/reports/vat.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { listing } from './listing.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'

/** `vat 2026-Q3`: the VAT that the support amounts of a year, quarter or month hold, by currency and rate. */
export const vat: Command = {
  name: 'vat',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary: 'says the VAT within the support of a year, a quarter or a month, by currency and rate',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const lines = await (await tools.database()).snapshot(reader => readVat(reader, period))
    return listing({
      titles: TITLES,
      right: [2, 3, 4, 5, 6, 7, 8],
      rows: lines.map(({ currency, rate, orders, support, vat: within, givenBack, vatBack }) => [
        currency,
        rate === null ? 'as shown' : `${rate}%`,
        String(orders),
        ...[
          support,
          within,
          givenBack,
          vatBack,
          support - givenBack - (within - vatBack),
          within - vatBack,
        ].map(minor => ({ minor })),
      ]),
      data: { ...period, lines },
      asCsv: has('csv'),
      notes: [
        ...(lines.some(({ rate }) => rate === null)
          ? ['', '“as shown”: of orders from before the rate was kept, the tax that their buyers were shown.']
          : []),
        '',
        'Support alone: gifts are no sales, and the prices of invitations stand in `report`.',
      ],
    })
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
