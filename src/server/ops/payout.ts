import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { dayInMadrid, dayInUtc } from '#domain/days.ts'
import { isRunName } from '#domain/desk/payout-acts.ts'
import { counted } from '#domain/text/counted.ts'
import { readAccountNumber } from '#server/modules/payouts/account-numbers.ts'
import { advisedPayouts, aliveAdvice } from '#server/modules/payouts/advices/advices.ts'
import { fateOfAdvised } from '#server/modules/payouts/advices/advised-fate.ts'
import { payoutsCsv, transfersCsv } from '#server/modules/payouts/csv.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import { isSepa, painOf } from '#server/modules/payouts/pain.ts'
import { PayeeRefused } from '#server/modules/payouts/payee-accounts.ts'
import {
  cancelPayout,
  createPayout,
  markPaid,
  markUnpaid,
  type PayoutRow,
  payouts,
  payoutsToPay,
} from '#server/modules/payouts/payouts.ts'
import { PayoutRefused } from '#server/modules/payouts/refused.ts'
import { lackingAccounts, makeRun, transfersOf } from '#server/modules/payouts/runs.ts'
import { type Actions, commandOf } from './actions.ts'
import { currency, day, oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal, type Tools } from './command.ts'
import { ngoNames } from './content.ts'
import { owedTable } from './owed-table.ts'
import { ADVICE_ACTIONS } from './payout-advice.ts'
import { importStatement } from './payout-import.ts'
import { amount, table } from './table.ts'

const ACTIONS: Actions = {
  async owed(tools) {
    const db = await tools.database()
    const rows = await db.read(owed)
    const nameOf = await ngoNames(tools.place)
    const lines = owedTable(rows, nameOf, { amountTitle: 'owed', now: tools.clock() })
    return { lines, data: { owed: rows }, ok: true }
  },

  async list(tools, args) {
    readArguments(args)
    const db = await tools.database()
    const [rows, paid] = await db.snapshot(async reader => [
      await payouts(reader),
      await advisedPayouts(reader),
    ])
    const said = new Map(paid.map(each => [each.payout.id, fateOfAdvised(each)]))
    return {
      lines: payoutTable(rows, said),
      data: { payouts: rows, said: Object.fromEntries(said) },
      ok: true,
    }
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
    const rows = await db.read(reader => (has('all') ? payouts(reader) : payoutsToPay(reader)))
    const csv = payoutsCsv(rows, await ngoNames(tools.place))
    return { lines: [csv.trimEnd()], data: { csv }, ok: true }
  },

  async run(tools, args) {
    const { words, value } = readArguments(args, { names: ['before'] })
    const runKey = nameOfRun(words)
    const before = value('before')
    const { isNew, payouts, withoutAccount } = await makeRun(
      await tools.database(),
      await keysFor(tools),
      { runKey, givenBefore: before === undefined ? undefined : day(before) },
      tools.clock(),
    )
    const lines = [
      isNew
        ? `Run "${runKey}": ${counted(payouts.length, 'payout')}.`
        : `Run "${runKey}" was made before; nothing is added to it. What came since needs another name.`,
      ...payoutTable(payouts.map(each => ({ ...each, allocations: undefined }))),
      ...(withoutAccount.length > 0 ? [`Left out. ${lackingAccounts(withoutAccount)}`] : []),
      `\`payout file ${runKey} …\` writes the bank’s file of euros, \`payout others ${runKey}\` shows the other transfers.`,
    ]
    return { lines, data: { run: runKey, isNew, payouts, withoutAccount }, ok: true }
  },

  async file(tools, args) {
    const { words, value } = readArguments(args, { names: ['to', 'iban', 'payer', 'bic', 'on'] })
    const runKey = nameOfRun(words)
    const [to, iban, payer] = [value('to'), value('iban'), value('payer')]
    if (to === undefined || iban === undefined || payer === undefined)
      throw new Refusal('Say the file (--to), the account that pays (--iban) and whose it is (--payer).')
    const account = readAccountNumber({ iban, bic: value('bic') })
    if (typeof account === 'string') throw new Refusal(account)
    const file = resolve(to)
    if (existsSync(file)) throw new Refusal(`${file} is there already. Say another name.`)
    // Until two hours after midnight UTC has the day before, which a bank does not take.
    const on = value('on') === undefined ? dayInMadrid(tools.clock()) : dayInUtc(day(value('on')!))
    const { run, transfers } = await transfersHere(tools, runKey)
    const some = transfers.filter(isSepa)
    if (some.length === 0) throw new Refusal(`Nothing of run "${runKey}" is a transfer of euros to an IBAN.`)
    const pain = painOf(run, some, { payer: { name: payer, iban: account.iban ?? '', bic: account.bic }, on })
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, pain, { mode: 0o600, flag: 'wx' })
    const sum = some.reduce((total, { payout: each }) => total + each.amount, 0)
    const lines = [
      `${file}: ${counted(some.length, 'transfer')}, ${amount(sum)} EUR. Compare both with what the bank shows before you sign.`,
      ...(some.length < transfers.length ? [`\`payout others ${runKey}\` shows the others.`] : []),
    ]
    return { lines, data: { file, transfers: some.length, sum }, ok: true }
  },

  async others(tools, args) {
    const { transfers } = await transfersHere(tools, nameOfRun(readArguments(args).words))
    const csv = transfersCsv(transfers.filter(each => !isSepa(each)))
    return { lines: [csv.trimEnd()], data: { csv }, ok: true }
  },

  import: importStatement,

  async cancel(tools, args) {
    const id = oneWord(readArguments(args).words, 'the id of one payout')
    const cancelled = await cancelPayout(await tools.database(), id, tools.clock())
    const lines = [
      `Payout ${id} is cancelled: ${amount(cancelled.amount)} ${cancelled.currency} are owed to ${cancelled.ngo_id} again.`,
      'If its transfer is at the bank already, stop it there.',
    ]
    return { lines, data: cancelled, ok: true }
  },

  async unpaid(tools, args) {
    const id = oneWord(readArguments(args).words, 'the id of one payout')
    const db = await tools.database()
    const advice = await db.read(reader => aliveAdvice(reader, id))
    const open = await markUnpaid(db, id, tools.clock())
    const lines = [
      `Payout ${id} is not paid: ${amount(open.amount)} ${open.currency} to ${open.ngo_id} wait for the bank again.`,
      ...(advice === undefined
        ? []
        : [
            `The link of the mail to ${open.ngo_id} is dead. Tell them, if they have it: that money has not come.`,
          ]),
    ]
    return { lines, data: open, ok: true }
  },

  async paid(tools, args) {
    const { words, value } = readArguments(args, { names: ['reference'] })
    const id = oneWord(words, 'the id of one payout')
    const reference = value('reference')?.trim()
    if (!reference) throw new Refusal('payout paid <id> --reference <the bank’s reference>')
    const db = await tools.database()
    const paid = await markPaid(db, { id, reference }, tools.clock(), await keysFor(tools))
    const advice = await db.read(reader => aliveAdvice(reader, id))
    const lines = [
      `Payout ${id} is paid: ${amount(paid.amount)} ${paid.currency} to ${paid.ngo_id}, "${reference}".`,
      ...(advice === undefined
        ? [
            `Nobody at ${paid.ngo_id} is known to write to: \`payout advise ${id}\`, once an account is confirmed.`,
          ]
        : []),
    ]
    return { lines, data: paid, ok: true }
  },

  ...ADVICE_ACTIONS,
}

/** `payout …`: shows what organisations are owed, and makes, confirms and cancels payouts. */
export const payout = commandOf({
  name: 'payout',
  usage:
    'owed | list | run <name> [--before <day>] | file <name> --to <file> --iban <yours> --payer <your name> [--bic <yours>] [--on <day>] | others <name> | create <ngo> <currency> [--before <day>] | csv [--all] | import <file> [--apply] | paid <id> --reference <text> | unpaid <id> | cancel <id> | advise <id> | unadvise <id> | receipts [<organisation>] | receipt <id> [--to <file>]',
  summary:
    'what is owed to organisations; makes and cancels payouts, the bank’s files, notes what the bank paid and organisations confirm',
  actions: ACTIONS,
  byDefault: 'owed',
  refusals: [PayoutRefused, PayeeRefused, RangeError],
})

/** Reads the name of a run, such as its month, by which the operator finds it again. @throws Refusal */
function nameOfRun(words: readonly string[]): string {
  const name = oneWord(words, 'the name of the run, 2026-11 for example')
  if (!isRunName(name))
    throw new Refusal('The name of a run has up to 35 letters, digits, points and dashes.')
  return name
}

async function transfersHere(tools: Tools, runKey: string) {
  const keys = await keysFor(tools)
  return (await tools.database()).read(reader => transfersOf(reader, keys, runKey))
}

type TableRow = Omit<PayoutRow, 'allocations'> & { readonly allocations: number | undefined }

/** @param said by payout, what became of it at its organisation */
function payoutTable(rows: readonly TableRow[], said: ReadonlyMap<string, string> = new Map()): string[] {
  return table(
    [
      { title: 'payout' },
      { title: 'organisation' },
      { title: 'amount', right: true },
      { title: '' },
      { title: 'gifts', right: true },
      { title: 'made' },
      { title: 'status', whole: true },
      { title: 'reference' },
    ],
    rows.map(row => [
      row.id,
      row.ngo_id,
      amount(row.amount),
      row.currency,
      row.allocations === undefined ? '' : String(row.allocations),
      dayInUtc(row.created_at),
      said.has(row.id) ? `${row.status}, ${said.get(row.id)}` : row.status,
      row.reference ?? '',
    ]),
  )
}
