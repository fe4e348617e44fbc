import { DatabaseSync } from 'node:sqlite'
import {
  AndNode,
  type CommonTableExpressionNode,
  type KyselyPlugin,
  type OperationNode,
  type RootOperationNode,
  SelectQueryNode,
  UpdateQueryNode,
} from 'kysely'
import type { GiftParts } from '#server/app/parts/gifts.ts'
import type { DeskActParts } from '#server/modules/desk/act-parts.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import { withoutGuard } from '../support/without-guard.ts'
import type { Weather } from './outside.ts'
import type { Act } from './plan.ts'

/** What a plant in a server's parts can reach. */
export interface PlantTools {
  /** A line of the process's output, past the log and its masks. */
  write(line: string): void
  /** Gives all of an order's payment back, as the payment account's owner can. */
  refundAll(orderId: string): Promise<void>
}

/** A bug that is put in on purpose, beside the product, which knows nothing of it. */
export interface Plant {
  readonly name: string
  /** The guard that is gone. */
  readonly guard: string
  /** What the simulation must find. */
  readonly finds: readonly string[]
  /** Faults beside those of the year, with which it shows itself soon. */
  readonly weather?: Partial<Weather>
  /** What nobody does in its year, so that nothing else shows it. */
  readonly leavesOut?: readonly Act['does'][]
  /** Keys of tables that the simulated database lacks: the columns of each, comma-separated. */
  readonly loose?: Readonly<Record<string, readonly string[]>>
  /** Statements for the simulated database. */
  readonly sql?: readonly string[]
  /** The database as servers see it, without a guard of their code. */
  readonly over?: (db: Database) => Database
  /** The operator's desk, with a part of it wrapped. */
  readonly atDesk?: (parts: DeskActParts) => DeskActParts
  /** The parts of a server, one of them wrapped. */
  readonly around?: (parts: GiftParts, tools: PlantTools) => GiftParts
}

/** Every key that refuses a second use, sale or line of the same name. */
const SECOND_ENTRIES = {
  ledger_entries: ['id'],
  public_entries: ['id'],
  ledger_nonces: ['entry_id'],
}

/** What the check of withdrawals stops first, where cards lack their guard. */
const OF_CARDS_OF_MANY = ['give-one', 'withdraw-some', 'refund-one'] as const

/** One for each of the guards that promise 1 and 2 stand on. */
export const PLANTS: readonly Plant[] = [
  {
    name: 'card-spent-twice',
    guard: 'the update of the card decides who uses it (gifts/cards/consume.ts), and the key of redemptions',
    finds: ['card-spent-twice', 'used-twice', 'ledger-broken', 'gift-lost'],
    leavesOut: OF_CARDS_OF_MANY,
    loose: { redemptions: ['card_id'], allocations: ['card_id,ngo_id'], ...SECOND_ENTRIES },
    over: db => withoutGuard(db, 'cards', 'status'),
  },
  {
    name: 'settled-twice',
    guard: 'the update of the order decides who makes its card (payments/settle.ts), and the key of cards',
    finds: ['settled-twice', 'ledger-broken'],
    // An order of many has a page besides, which the second card of its order runs into.
    leavesOut: ['buy-many'],
    loose: {
      cards: ['order_id,position'],
      receipt_numbers: [],
      charges: ['order_id', 'charge_id'],
      ...SECOND_ENTRIES,
    },
    over: db => withoutGuard(db, 'orders', 'status'),
  },
  {
    name: 'mail-doubled',
    guard: 'a mail in hand is nobody else’s (platform/outbox/claim.ts)',
    finds: ['mail-doubled'],
    over: withoutLeases,
  },
  {
    name: 'refund-on-a-used-card',
    guard: 'the price of a used card does not go back (payments/withdrawals)',
    finds: ['refund-on-a-used-card'],
    around: (parts, { refundAll }) => ({
      ...parts,
      withdrawals: {
        ...parts.withdrawals,
        async confirm(orderId, key, words) {
          const opened = await parts.withdrawals.confirm(orderId, key, words)
          if (opened.confirmed?.answer !== 'whole') await refundAll(orderId)
          return opened
        },
      },
    }),
  },
  {
    name: 'used-while-given-back',
    guard:
      'a refund holds its card until the payment provider has answered, and is asked for only while it does (desk/give-back.ts)',
    finds: ['used-while-given-back'],
    weather: { providerSlow: 0.8 },
    sql: [
      `create trigger no_refund_holds after insert on card_holds when new.reason = 'refund'
       begin delete from card_holds where card_id = new.card_id and reason = 'refund'; end`,
    ],
    atDesk: parts => ({
      ...parts,
      refund: (orderId, asked, call) => parts.refund(orderId, asked, { ...call, stands: async () => true }),
    }),
  },
  {
    name: 'key-in-log',
    guard: 'the log masks keys (platform/log.ts)',
    finds: ['key-in-log'],
    around: (parts, { write }) => ({
      ...parts,
      cards: {
        ...parts.cards,
        open(key, asked) {
          write(`opened ${key}\n`)
          return parts.cards.open(key, asked)
        },
      },
    }),
  },
  {
    name: 'lost-event-never-asked-after',
    guard: 'open orders are asked after (payments/reconcile.ts)',
    finds: ['paid-without-card', 'order-never-ends', 'ledger-broken'],
    weather: { eventLost: 0.7 },
    around: parts => ({ ...parts, payments: { ...parts.payments, reconcile: async () => 0 } }),
  },
  {
    name: 'drawn-twice',
    guard: 'one server draws at a time (job-runner/lease.ts), and the update of the card decides',
    finds: ['drawn-otherwise-than-once', 'used-twice', 'ledger-broken'],
    leavesOut: ['give', ...OF_CARDS_OF_MANY],
    loose: {
      redemptions: ['card_id'],
      allocations: ['card_id,ngo_id'],
      draws: ['card_id'],
      ...SECOND_ENTRIES,
    },
    over: db => withoutGuard(withoutGuard(db, 'cards', 'status'), 'periodic_jobs', 'lease_until'),
  },
  {
    name: 'own-money-divided-otherwise',
    guard: 'own money goes to whom its payer saw (payments/own-money.ts)',
    finds: ['own-money-otherwise'],
    around: parts => ({
      ...parts,
      payments: {
        ...parts.payments,
        startOwnMoney: input =>
          parts.payments.startOwnMoney({
            ...input,
            parts: input.parts.map(({ ngoId, points }, n) => ({ ngoId, points: points + n })),
          }),
      },
    }),
  },
  {
    name: 'invoice-paid-by-another-amount',
    guard: 'an invoice is paid by its whole amount alone (payments/invoices/acts.ts)',
    finds: ['paid-by-another-amount', 'cards-without-money'],
    around: ({ invoiceDesk, ...parts }) => ({
      ...parts,
      invoiceDesk: {
        ...invoiceDesk,
        async act(asked, press) {
          const known = (await invoiceDesk.list()).find(({ orderId }) => orderId === asked.order)
          const whole = known?.amount.amount
          const isTaken = asked.act === 'paid' && whole !== undefined
          return invoiceDesk.act(isTaken ? { ...asked, amount: whole } : asked, press)
        },
      },
    }),
  },
  {
    name: 'entry-not-in-the-public-ledger',
    guard: 'what is booked is published (public-ledger/enter.ts)',
    finds: ['ledger-broken', 'books:set-not-public'],
    loose: { ledger_nonces: [] },
    sql: [
      `create trigger planted before insert on public_entries when new.cause = 'given'
        begin select raise(ignore); end`,
    ],
  },
]

/** The plant of a name; none without one. @throws Error where there is no such plant */
export function plantOf(name: string | undefined): Plant | undefined {
  const plant = PLANTS.find(each => each.name === name)
  if (name !== undefined && plant === undefined)
    throw new Error(`There is no plant "${name}". There are ${PLANTS.map(each => each.name).join(', ')}.`)
  return plant
}

/** Takes keys out of a database, with every reference to the tables that have them. */
export function loosen(file: string, { loose = {}, sql = [] }: Plant): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  db.exec('pragma legacy_alter_table = on')
  const tables = db
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
    .all()
  const gone = new Set(Object.keys(loose))
  for (let before = -1; before < gone.size; ) {
    before = gone.size
    for (const { name } of tables)
      if (
        db
          .prepare(`pragma foreign_key_list("${name}")`)
          .all()
          .some(({ table }) => gone.has(String(table)))
      )
        gone.add(String(name))
  }
  for (const table of gone) {
    const keys = db
      .prepare(`pragma index_list("${table}")`)
      .all()
      .filter(each => each.unique === 1 && each.partial === 0)
    const columns = keys.map(({ name }) =>
      db
        .prepare(`pragma index_info("${name}")`)
        .all()
        .map(each => String(each.name)),
    )
    db.exec(
      `alter table "${table}" rename to was; create table "${table}" as select * from was; drop table was`,
    )
    for (const [n, key] of columns.entries())
      if (!loose[table]?.includes(key.join(',')))
        db.exec(`create unique index "${table}_${n}" on "${table}" (${key.join(', ')})`)
  }
  for (const statement of sql) db.exec(statement)
  db.close()
}

/** The outbox, whose workers take what another one has in hand. */
function withoutLeases(db: Database): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => leaseless(node),
    transformResult: async ({ result }) => result,
  }
  return { ...db, transaction: fn => db.transaction(trx => fn(trx.withPlugin(plugin) as Writer)) }
}

function leaseless(node: RootOperationNode): RootOperationNode {
  if (!UpdateQueryNode.is(node) || !node.with) return node
  const expressions = node.with.expressions.map((each): CommonTableExpressionNode => {
    const { expression } = each
    if (!SelectQueryNode.is(expression) || !expression.where) return each
    const [first, ...others] = conditionsOf(expression.where.where).filter(
      condition => !JSON.stringify(condition).includes('"lease_until"'),
    )
    if (!first) return each
    return {
      ...each,
      expression: {
        ...expression,
        where: { ...expression.where, where: others.reduce(AndNode.create, first) },
      } as SelectQueryNode,
    }
  })
  return { ...node, with: { ...node.with, expressions } }
}

function conditionsOf(node: OperationNode): OperationNode[] {
  return AndNode.is(node) ? [...conditionsOf(node.left), ...conditionsOf(node.right)] : [node]
}
