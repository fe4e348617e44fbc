import { dayInMadrid } from '#domain/days.ts'
import { type InvoiceAct, type InvoiceRefusal, InvoiceRefused } from '#domain/invoice/invoice.ts'
import { readAmount } from '#domain/money/read-amount.ts'
import { isAlarm, wordsOf } from '#server/modules/letters/alarm-kinds.ts'
import { actOnInvoice, type InvoiceParts } from '#server/modules/payments/invoices/acts.ts'
import { listInvoices } from '#server/modules/payments/invoices/open.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal, type Tools } from './command.ts'
import { amount, table } from './table.ts'

const REFUSALS: Readonly<Record<InvoiceRefusal, string>> = {
  'no-invoice': 'There is no invoice of that order. `invoice list` lists them.',
  'not-ours': 'The invoice, or its order, is not as the site wrote it: `check` says more.',
  'already-paid': 'It is paid already.',
  'invoice-cancelled': 'It was cancelled.',
  'not-an-address': 'Say an address of a mailbox, such as name@example.org.',
  'no-address': 'Whom it was for is forgotten: nobody could be sent its cards. Transfer the money back.',
  'other-amount': 'The invoice is of another amount. Cards are made for the whole amount alone.',
  'not-a-day':
    'Say on which day it was paid: --on, as 2026-11-27, not before the invoice and today at the latest.',
  'nothing-due': 'No money is to go back for that withdrawal.',
}

const ACTIONS: Actions = {
  async list(tools, args) {
    noWords(readArguments(args).words)
    const keys = await keysFor(tools)
    const rows = await (await tools.database()).snapshot(db => listInvoices(db, keys))
    const lines = table(
      [
        { title: 'number' },
        { title: 'order', whole: true },
        { title: 'for' },
        { title: 'cards go to' },
        { title: 'amount', right: true },
        { title: '' },
        { title: 'state' },
        { title: 'made' },
        { title: 'to transfer back' },
      ],
      rows.map(each => [
        each.number,
        each.orderId,
        each.name,
        each.maskedAddress ?? '',
        amount(each.amount.amount),
        each.amount.currency,
        each.standing,
        dayInMadrid(each.madeAt),
        each.due.map(({ withdrawal, amount: back }) => `${withdrawal}: ${amount(back.amount)}`).join(', '),
      ]),
    )
    return {
      lines: rows.length > 0 ? lines : ['There is no invoice yet.'],
      data: { invoices: rows },
      ok: true,
    }
  },

  async paid(tools, args) {
    const { words, value } = readArguments(args, { names: ['amount', 'on'] })
    const order = oneWord(words, ORDER)
    const arrived = readAmount(value('amount') ?? '')
    if (arrived === undefined) throw new Refusal('Say what has arrived: --amount, as 195.00.')
    const said = await act(tools, { act: 'paid', order, amount: arrived, paidOn: value('on') ?? '' })
    return { lines: [`Order ${order} is paid, and its cards are made.`, ...said], data: { order }, ok: true }
  },

  async cancel(tools, args) {
    const order = oneWord(readArguments(args).words, ORDER)
    await act(tools, { act: 'cancel', order })
    return { lines: [`Nobody can pay order ${order} any more.`], data: { order }, ok: true }
  },

  async address(tools, args) {
    const [order = '', email = '', ...others] = readArguments(args).words
    if (order === '' || email === '' || others.length > 0) throw new Refusal(`Say ${ORDER}, and the address.`)
    await act(tools, { act: 'address', order, email })
    return {
      lines: [
        `The invoice of order ${order} and its cards go to ${email}, under another link: the one that was mailed is dead. A letter with the new one goes there, as long as it can be paid.`,
      ],
      data: { order },
      ok: true,
    }
  },

  async refunded(tools, args) {
    const { words, value } = readArguments(args, { names: ['withdrawal'] })
    const order = oneWord(words, ORDER)
    const withdrawal = Number(value('withdrawal') ?? '1')
    const said = await act(tools, { act: 'refunded', order, withdrawal })
    return {
      lines: [
        `The books say that withdrawal ${withdrawal} from order ${order} was transferred back.`,
        ...said,
      ],
      data: { order, withdrawal },
      ok: true,
    }
  },
}

const ORDER = 'the order of one invoice: `invoice list` lists them'

/** @returns what a person has to look at now */
async function act(tools: Tools, asked: InvoiceAct): Promise<readonly string[]> {
  const keys = await keysFor(tools)
  const db = await tools.database()
  // What the site would mail to the operator stands on the terminal.
  const said: string[] = []
  const log: InvoiceParts['log'] = {
    info: () => {},
    error(event, _, facts = {}) {
      if (isAlarm(event)) said.push(wordsOf(event).title(facts))
    },
  }
  try {
    const say = await db.transaction(trx => actOnInvoice(trx, { keys, clock: tools.clock, log }, asked))
    say()
    return said
  } catch (error) {
    if (error instanceof InvoiceRefused) throw new Refusal(REFUSALS[error.rule])
    throw error
  }
}

/** `invoice …`: what the bank did about invoices for many cards. */
export const invoice = commandOf({
  name: 'invoice',
  usage:
    'list | paid <order> --amount <195.00> --on <day> | cancel <order> | address <order> <address> | refunded <order> [--withdrawal <number>]',
  summary:
    'invoices for many cards: says that one is paid, cancelled, was transferred back, or goes to another address',
  actions: ACTIONS,
  byDefault: 'list',
})
