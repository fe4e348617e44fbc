import { decimal } from '#domain/money/money.ts'
import { csvFile, type Figure, figure } from '#server/platform/csv.ts'
import type { NamedCurrency, NamedFigures } from './named-figures.ts'

const COLUMNS = ['figure', 'currency', 'organisation', 'name', 'year', 'since', 'count', 'amount']

/**
 * The public figures as a table: RFC 4180, a header, amounts with a point and two decimals, days in UTC. The first row says
 * how many lines of the log were added up, and the day of its head.
 */
export function figuresCsv(figures: NamedFigures | undefined): string {
  const size = figures?.size ?? 0
  return csvFile([
    COLUMNS,
    ['lines', '', '', '', '', figures?.day ?? '', figure(String(size)), ''],
    ...(figures
      ? [['chain', '', '', '', '', figures.chain.until ?? '', figure(String(figures.chain.cards)), '']]
      : []),
    ...(figures?.currencies ?? []).flatMap(rowsOf),
    ...(figures?.months ?? []).flatMap(rowsOfMonth),
  ])
}

const money = (amount: number): Figure => figure(decimal(amount))

/** What a month had of each cause; it stands where other rows have a year: `2026-03`. */
const rowsOfMonth = ({ month, currency, rows }: NamedFigures['months'][number]): (string | Figure)[][] =>
  rows.map(({ cause, count, amount }) => [
    `month: ${cause}`,
    currency,
    '',
    '',
    month,
    '',
    figure(String(count)),
    money(amount),
  ])

function rowsOf(figures: NamedCurrency): (string | Figure)[][] {
  const { currency } = figures
  const sums = {
    sold: figures.sold,
    free: figures.free,
    given: figures.given,
    'given away': figures.givenAway,
    'on cards': figures.onCards,
    'in transfer': figures.inTransfer,
    'paid out': figures.paidOut,
    support: figures.support,
    tax: figures.tax,
    volunteering: figures.volunteering,
    'fees from support': figures.fees.fromSupport,
    'fees from the operator': figures.fees.fromOperator,
    refunded: figures.refunded,
    lost: figures.lost,
  }
  return [
    ...Object.entries(sums).map(([name, sum]) =>
      typeof sum === 'number'
        ? [name, currency, '', '', '', '', '', money(sum)]
        : [name, currency, '', '', '', '', figure(String(sum.count)), money(sum.amount)],
    ),
    ...figures.waiting.map(({ ngoId, name, since, amount }) => [
      'waiting',
      currency,
      ngoId,
      name,
      '',
      since,
      '',
      money(amount),
    ]),
    ...figures.payouts.flatMap(({ year, to }) =>
      to.flatMap(({ ngoId, name, amount, confirmed }) => [
        ['payouts', currency, ngoId, name, year, '', '', money(amount)],
        ['payouts confirmed', currency, ngoId, name, year, '', '', money(confirmed)],
      ]),
    ),
  ]
}
