import { dayInUtc } from '#domain/days.ts'
import {
  feesByMonth,
  type PayoutAccount,
  payoutAccount,
  positions,
  providerPayouts,
} from '#server/modules/treasury/reports.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { Refusal } from './command.ts'
import { amount, table } from './table.ts'

const ACTIONS: Actions = {
  async position(tools, args) {
    noWords(readArguments(args).words)
    const rows = await (await tools.database()).snapshot(positions)
    const lines = table(
      [
        { title: '' },
        { title: 'at the provider', right: true },
        { title: 'on its way', right: true },
        { title: 'paid out', right: true },
        { title: 'by invoice', right: true },
        { title: 'to organisations', right: true },
        { title: 'at the bank', right: true },
      ],
      rows.map(row => [
        row.currency,
        amount(row.atProvider),
        amount(row.onItsWay),
        amount(row.paidOut),
        amount(row.byInvoice),
        amount(row.toOrganisations),
        amount(row.atBank),
      ]),
    )
    return { lines, data: { positions: rows }, ok: true }
  },

  async payouts(tools, args) {
    noWords(readArguments(args).words)
    const rows = await (await tools.database()).snapshot(providerPayouts)
    const lines = table(
      [
        { title: 'payout' },
        { title: 'made' },
        { title: 'amount', right: true },
        { title: '' },
        { title: 'parts', right: true },
      ],
      rows.map(row => [
        row.id,
        dayInUtc(row.at),
        amount(row.amount),
        row.currency,
        row.parts === 0 ? 'not known yet' : String(row.parts),
      ]),
    )
    return { lines, data: { payouts: rows }, ok: true }
  },

  async payout(tools, args) {
    const id = oneWord(
      readArguments(args).words,
      'the id of one payout (po_…), as `provider payouts` lists it',
    )
    const found = await (await tools.database()).snapshot(reader => payoutAccount(reader, id))
    if (found === undefined)
      throw new Refusal(`There is no payout "${id}". \`provider payouts\` lists all of them.`)
    return { lines: accountLines(found), data: found, ok: true }
  },

  async fees(tools, args) {
    noWords(readArguments(args).words)
    const rows = await (await tools.database()).snapshot(feesByMonth)
    const lines = table(
      [
        { title: 'month' },
        { title: '' },
        { title: 'payments', right: true },
        { title: 'disputes', right: true },
        { title: 'other', right: true },
        { title: 'all', right: true },
        { title: 'by the support', right: true },
        { title: 'by the operator', right: true },
      ],
      rows.map(row => {
        const all = row.payments + row.disputes + row.other
        return [
          row.month,
          row.currency,
          amount(row.payments),
          amount(row.disputes),
          amount(row.other),
          amount(all),
          amount(row.borneBySupport),
          amount(all - row.borneBySupport),
        ]
      }),
    )
    return { lines, data: { fees: rows }, ok: true }
  },
}

/** `provider …`: shows the payment provider's fees, balance and payouts. It changes nothing. */
export const provider = commandOf({
  name: 'provider',
  usage: 'position | payouts | payout <id> | fees',
  summary:
    'says where the money is between the payment provider and the bank, what a payout is made of, and the fees',
  actions: ACTIONS,
  byDefault: 'position',
})

function accountLines({ id, at, currency, amount: paid, made }: PayoutAccount): string[] {
  const title = `Payout ${id} of ${dayInUtc(at)}: ${amount(paid)} ${currency}.`
  if (made.length === 0)
    return [title, 'What it is made of is not known yet, or the provider does not say: it was made by hand.']
  const sum = (of: 'amount' | 'fee' | 'net') => amount(made.reduce((total, part) => total + part[of], 0))
  const kinds = Map.groupBy(made, ({ kind }) => kind)
  return [
    title,
    '',
    ...table(
      [
        { title: 'day' },
        { title: 'what' },
        { title: 'paid by buyer', right: true },
        { title: 'amount', right: true },
        { title: 'fee', right: true },
        { title: 'net', right: true },
        { title: 'order' },
      ],
      [
        ...made.map(part => [
          dayInUtc(part.at),
          part.kind,
          part.rate === null ? '' : `${amount(part.charged.amount)} ${part.charged.currency}`,
          amount(part.amount),
          amount(part.fee),
          amount(part.net),
          part.order ?? 'none of ours',
        ]),
        ['', 'together', '', sum('amount'), sum('fee'), sum('net'), ''],
      ],
    ),
    '',
    ...[...kinds].map(([kind, parts]) => {
      const net = parts.reduce((total, part) => total + part.net, 0)
      return `${kind}: ${parts.length}, ${amount(net)} ${currency}`
    }),
  ]
}
