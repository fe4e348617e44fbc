import { dayInMadrid } from '#domain/days.ts'
import { paidDonors } from '#server/modules/payments/donors.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { listing } from './listing.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'

/** `donors 2026`: the donors of the orders for which the law of the market asks who gives. */
export const donors: Command = {
  name: 'donors',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary: 'lists who gave, with their document, where a market asks for it; for the authorities alone',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const found = await (await tools.database()).snapshot(reader => paidDonors(reader, period))
    return listing({
      titles: TITLES,
      right: [1],
      rows: found.map(({ paidAt, total, currency, name, document, orderId }) => [
        dayInMadrid(paidAt),
        { minor: total },
        currency,
        name,
        document,
        orderId,
      ]),
      data: { ...period, donors: found },
      asCsv: has('csv'),
    })
  },
}

const TITLES = ['paid on', 'amount', 'currency', 'name', 'document', 'order']
