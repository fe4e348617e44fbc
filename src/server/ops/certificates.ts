import { listCertificates } from '#server/modules/payments/certificates/certificates.ts'
import { csvCell } from '#server/platform/csv.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'
import { amount, decimal, instant, table } from './table.ts'

/** `certificates 2026`: the list for the tax office, of what was paid in a period. */
export const certificates: Command = {
  name: 'certificates',
  usage: `${PERIOD_USAGE} [--csv]`,
  summary: 'lists the certificates for gifts that were paid in a period; for the tax office alone',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    const period = periodIn(words)
    const found = await (await tools.database()).snapshot(reader => listCertificates(reader, period))
    const rows = found.map(({ number, paidAt, amount: { amount: paid, currency }, isVoid, ...holder }) => [
      number,
      instant(paidAt).slice(0, 10),
      has('csv') ? decimal(paid) : amount(paid),
      currency,
      // It has to be told to the tax office as taken back; its number stays.
      isVoid ? 'void' : 'holds',
      holder.name,
      holder.document,
      holder.address,
      holder.orderId,
    ])
    const data = { ...period, certificates: found }
    if (has('csv'))
      return { lines: [TITLES, ...rows].map(cells => cells.map(csvCell).join(',')), data, ok: true }
    return {
      lines: table(
        TITLES.map((title, n) => (n === 2 ? { title, right: true } : { title })),
        rows,
      ),
      data,
      ok: true,
    }
  },
}

const TITLES = ['number', 'paid on', 'amount', 'currency', 'state', 'name', 'document', 'address', 'order']
