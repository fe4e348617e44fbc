import { FIRST_PAYOUT_STATE } from '#domain/payout/payout-states.ts'
import { payoutsCsv } from '#server/modules/payouts/csv.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import {
  createPayout,
  markPaid,
  PayoutRefused,
  type PayoutRow,
  payouts,
} from '#server/modules/payouts/payouts.ts'
import { currency, day, oneWord, readArguments } from './arguments.ts'
import { type Command, Refusal, type Report, type Tools } from './command.ts'
import { ngoNames } from './content.ts'
import { owedTable } from './owed-table.ts'
import { amount, instant, table } from './table.ts'

/** `payout …`: what is owed, and its way to the organisations. */
export const payout: Command = {
  name: 'payout',
  usage:
    'owed | list | create <ngo> <currency> [--before <day>] | csv [--all] | paid <id> --reference <text>',
  summary: 'what is owed to organisations; makes payouts, the bank’s table, notes what the bank paid',
  async run(tools, args) {
    const [word = 'owed', ...rest] = args
    const action = ACTIONS[word]
    if (action === undefined) throw new Refusal(`payout ${payout.usage}`)
    try {
      return await action(tools, rest)
    } catch (error) {
      if (error instanceof PayoutRefused) throw new Refusal(error.message)
      throw error
    }
  },
}

const ACTIONS: Readonly<Record<string, (tools: Tools, args: readonly string[]) => Promise<Report>>> = {
  async owed(tools) {
    const db = await tools.database()
    const rows = await db.read(owed)
    const nameOf = await ngoNames(tools.place)
    const lines = owedTable(rows, nameOf, { amountTitle: 'owed', now: tools.clock() })
    return { lines, data: { owed: rows }, ok: true }
  },

  async list(tools, args) {
    readArguments(args)
    const rows = await (await tools.database()).read(reader => payouts(reader))
    return { lines: payoutTable(rows), data: { payouts: rows }, ok: true }
  },

  async create(tools, args) {
    const { words, value } = readArguments(args, { names: ['before'] })
    const [ngoId, money, ...more] = words
    if (ngoId === undefined || money === undefined || more.length > 0)
      throw new Refusal(
        'payout create <ngo> <currency> [--before 2026-12-31]. `payout owed` lists what there is.',
      )
    const before = value('before')
    const made = await createPayout(
      await tools.database(),
      { ngoId, currency: currency(money), givenBefore: before === undefined ? undefined : day(before) },
      tools.clock(),
    )
    const lines = [
      `Payout ${made.id}: ${amount(made.amount)} ${made.currency} to ${ngoId}.`,
      '`payout csv` writes it for the bank; `payout paid` notes the bank’s reference.',
    ]
    return { lines, data: made, ok: true }
  },

  async csv(tools, args) {
    const { has } = readArguments(args, { flags: ['all'] })
    const db = await tools.database()
    const rows = await db.read(reader => payouts(reader, has('all') ? {} : { status: FIRST_PAYOUT_STATE }))
    const csv = payoutsCsv(rows, await ngoNames(tools.place))
    return { lines: [csv.trimEnd()], data: { csv }, ok: true }
  },

  async paid(tools, args) {
    const { words, value } = readArguments(args, { names: ['reference'] })
    const id = oneWord(words, 'the id of one payout')
    const reference = value('reference')?.trim()
    if (!reference) throw new Refusal('payout paid <id> --reference <the bank’s reference>')
    const paid = await markPaid(await tools.database(), { id, reference }, tools.clock())
    const lines = [
      `Payout ${id} is paid: ${amount(paid.amount)} ${paid.currency} to ${paid.ngo_id}, "${reference}".`,
    ]
    return { lines, data: paid, ok: true }
  },
}

function payoutTable(rows: readonly PayoutRow[]): string[] {
  return table(
    [
      { title: 'payout' },
      { title: 'organisation' },
      { title: 'amount', right: true },
      { title: '' },
      { title: 'gifts', right: true },
      { title: 'made' },
      { title: 'status' },
      { title: 'reference' },
    ],
    rows.map(row => [
      row.id,
      row.ngo_id,
      amount(row.amount),
      row.currency,
      String(row.allocations),
      instant(row.created_at).slice(0, 10),
      row.status,
      row.reference ?? '',
    ]),
  )
}
