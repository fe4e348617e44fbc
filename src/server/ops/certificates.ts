import { dayInMadrid } from '#domain/days.ts'
import { listCertificates } from '#server/modules/payments/certificates/certificates.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { listing } from './listing.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'

/** `certificates 2026`: the list for the tax office, of what was paid in a period. */
export const certificates: Command = {
  name: 'certificates',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary: 'lists the certificates for gifts that were paid in a period; for the tax office alone',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const found = await (await tools.database()).snapshot(reader => listCertificates(reader, period))
    return listing({
      titles: TITLES,
      right: [2],
      whole: [0],
      rows: found.map(({ number, paidAt, amount: { amount: paid, currency }, isVoid, ...holder }) => [
        number,
        dayInMadrid(paidAt),
        { minor: paid },
        currency,
        // It has to be told to the tax office as taken back; its number stays.
        isVoid ? 'void' : 'holds',
        holder.name,
        holder.document,
        holder.address,
        holder.orderId,
      ]),
      data: { ...period, certificates: found },
      asCsv: has('csv'),
    })
  },
}

const TITLES = ['number', 'paid on', 'amount', 'currency', 'state', 'name', 'document', 'address', 'order']
