import { dayInMadrid } from '#domain/days.ts'
import { decimal } from '#domain/money/money.ts'
import { monthsOf } from '#domain/period.ts'
import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'
import {
  type AccountBalance,
  type BookEntry,
  type JournalLine,
  journalOf,
  nameOf,
  readBalances,
  readEntries,
} from '#server/modules/reports/books.ts'
import { csvLine } from '#server/platform/csv.ts'
import { readArguments } from './arguments.ts'
import { type Command, Refusal } from './command.ts'
import { PERIOD_USAGE, periodIn } from './period.ts'
import { amount, instant, table } from './table.ts'

/**
 * `books 2026-Q3`: the balance of every account before and after a year, a quarter or a month, and what was booked in it.
 * `--csv` gives every entry with its ids, `--journal` a journal by day that an accountant's program imports.
 */
export const books: Command = {
  name: 'books',
  usage: `${PERIOD_USAGE} [--csv | --journal]`,
  summary: 'says what every account held, and what was booked, in a year, a quarter or a month',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv', 'journal'] })
    const period = periodIn(words)
    if (has('csv') && has('journal')) throw new Refusal('Ask for --csv or for --journal, not for both.')
    const db = await tools.database()
    if (!has('csv') && !has('journal')) {
      const balances = await db.snapshot(reader => readBalances(reader, period))
      return { lines: balanceLines(balances), data: { ...period, balances }, ok: true }
    }
    if (has('csv')) {
      const entries = await db.snapshot(reader => readEntries(reader, period))
      return { lines: csv(ENTRY_COLUMNS, entries), data: { ...period, entries }, ok: true }
    }
    // The entries of a year with 100,000 cards take a gigabyte; no document of the journal is of two months.
    const journal = await db.snapshot(async reader => {
      const lines: JournalLine[] = []
      for (const month of monthsOf(period))
        for (const line of journalOf(await readEntries(reader, month), dayInMadrid)) lines.push(line)
      return lines
    })
    return { lines: csv(JOURNAL_COLUMNS, journal), data: { ...period, journal }, ok: true }
  },
}

type Account = AccountBalance['account']

/** What an account is for, in the operator's words. */
const ACCOUNT_WORDS: Readonly<Partial<Record<Account, string>>> = {
  payments: 'held at the provider',
  campaign: 'given by campaigns',
  cards: 'on unused cards',
  'payouts-open': 'in payouts not paid yet',
  payouts: 'paid to organisations',
  support: 'support, without tax',
  tax: 'tax',
  volunteering: 'invitations',
  refunds: 'given back to buyers',
  losses: 'losses',
  fees: 'fees borne by support',
  bank: 'at the bank',
  operator: 'the operator’s own',
  exchange: 'exchange',
}

const wordOf = (account: Account): string => ACCOUNT_WORDS[account] ?? nameOf(account)

/** Causes in the order of a card's life; others follow by name. */
const CAUSES = [
  'sale',
  'free-claim',
  'recipient',
  'auto-donation',
  'reversal',
  'invoice',
  'movement',
  'payout',
  'payout-paid',
  'payout-unpaid',
]

const byCause = (a: string, b: string): number => {
  const place = (cause: string) => (CAUSES.includes(cause) ? CAUSES.indexOf(cause) : CAUSES.length)
  return place(a) - place(b) || a.localeCompare(b)
}

function balanceLines(balances: readonly AccountBalance[]): string[] {
  if (balances.length === 0) return ['Nothing was booked until the end of this period.']
  const currencies = [...Map.groupBy(balances, ({ currency }) => currency)]
  return [
    ...currencies.flatMap(([currency, rows]) => [
      `${currency}: what is held or spent is negative, what is owed or earned is positive. Each column sums to 0.`,
      ...table(
        [
          { title: 'account' },
          { title: 'before', right: true },
          { title: 'booked', right: true },
          { title: 'after', right: true },
          { title: 'of it by' },
        ],
        rows.map(({ account, opening, booked, closing }) => [
          wordOf(account),
          amount(opening),
          amount(closing - opening),
          amount(closing),
          Object.keys(booked).sort(byCause).join(', '),
        ]),
      ),
      `Owed to organisations afterwards: ${amount(owed(rows))} ${currency}, and ${amount(unused(rows))} on unused cards.`,
      '',
    ]),
    'Days are Madrid’s. --csv gives every entry, --journal a journal by day.',
  ]
}

/** What was given to organisations and has not been paid to them, in minor units. */
const owed = (rows: readonly AccountBalance[]): number =>
  rows
    .filter(({ account }) => account.startsWith(NGO_ACCOUNT) || account === 'payouts-open')
    .reduce((sum, { closing }) => sum + closing, 0)

const unused = (rows: readonly AccountBalance[]): number =>
  rows.find(({ account }) => account === 'cards')?.closing ?? 0

/** A column of a CSV table: its title, and what makes its cell from a row. */
type Columns<Row> = readonly (readonly [title: string, cell: (row: Row) => string])[]

const ENTRY_COLUMNS: Columns<BookEntry> = [
  ['time (UTC)', ({ at }) => instant(at)],
  ['day (Madrid)', ({ at }) => dayInMadrid(at)],
  ['set', ({ set }) => set],
  ['cause', ({ cause }) => cause],
  ['account', ({ account }) => nameOf(account)],
  ['debit', row => (row.amount < 0 ? decimal(0 - row.amount) : '')],
  ['credit', row => (row.amount > 0 ? decimal(row.amount) : '')],
  ['currency', ({ currency }) => currency],
  ['order', ({ order }) => order ?? ''],
  ['card', ({ card }) => card ?? ''],
  ['charge', ({ charge }) => charge ?? ''],
  ['provider movement', ({ movement }) => movement ?? ''],
  ['provider payout', ({ providerPayout }) => providerPayout ?? ''],
  ['payout', ({ payout }) => payout ?? ''],
]

const JOURNAL_COLUMNS: Columns<JournalLine> = [
  ['day', ({ day }) => day],
  ['document', line => line.document],
  ['cause', ({ cause }) => cause],
  ['account', ({ account }) => account],
  ['debit', ({ debit }) => (debit === 0 ? '' : decimal(debit))],
  ['credit', ({ credit }) => (credit === 0 ? '' : decimal(credit))],
  ['currency', ({ currency }) => currency],
]

const csv = <Row>(columns: Columns<Row>, rows: readonly Row[]): string[] => [
  csvLine(columns.map(([title]) => title)),
  ...rows.map(row => csvLine(columns.map(([, cell]) => cell(row)))),
]
