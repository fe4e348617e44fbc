import { dayInMadrid } from '#domain/days.ts'
import { listReceipts } from '#server/modules/reports/receipts.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { listing } from './listing.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'

/** `receipts 2026`: the numbers of what was bought and of what went back, each without a gap. */
export const receipts: Command = {
  name: 'receipts',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary:
    'lists the numbers of receipts that were drawn in a period: of orders, and of what went back of them',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const found = await (await tools.database()).snapshot(reader => listReceipts(reader, period))
    return listing({
      titles: TITLES,
      right: [2],
      whole: [0, 4],
      rows: found.map(({ number, at, amount: minor, currency, of, orderId }) => [
        number,
        dayInMadrid(at),
        { minor },
        currency,
        of ?? '',
        orderId,
      ]),
      data: { ...period, receipts: found },
      asCsv: has('csv'),
    })
  },
}

const TITLES = ['number', 'day', 'amount', 'currency', 'of', 'order']
