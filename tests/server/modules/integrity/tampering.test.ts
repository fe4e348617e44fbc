import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import { sealing } from '#server/app/schedule/sealing.ts'
import { ledgerCheck } from '#server/app/schedule/watch.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { requestDigestOf } from '#server/modules/gifts/cards/request-digest.ts'
import { beginCounts, countNow, writeCheckpoint } from '#server/modules/integrity/checkpoints.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import type { Finding, FindingRule } from '#server/modules/integrity/findings.ts'
import { sealers } from '#server/modules/integrity/seal-older.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Turn } from '#server/platform/job-runner/job.ts'
import {
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  type SoldCard,
  sellCard,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { mailsOf, oneEach } from '#tests/support/told-once.ts'

const turn: Turn = { goOn: async () => {} }

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let used: SoldCard
let unused: SoldCard
let freeCardId: string
let payoutId: string
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT + 3_600_000)
  used = await test.db.transaction(trx => sellCard(trx))
  unused = await test.db.transaction(trx => sellCard(trx))
  freeCardId = (await test.db.transaction(giveFreeCard)).cardId
  await redeem(used)
  const paidOut = await test.db.transaction(trx => sellCard(trx))
  await redeem(paidOut, 'cerf')
  payoutId = (await createPayout(test.db, { ngoId: 'cerf', currency: 'EUR' }, clock())).id
  await markPaid(test.db, { id: payoutId, reference: 'SEPA 1' }, clock())
})
afterEach(() => test.close())

const redeem = (card: SoldCard, ngoId = 'msf') =>
  createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf', 'cerf'] }).redeem(
    card.privateKey,
    [{ ngoId, points: 50 }],
  )
const rules = async (now = clock()) =>
  new Set((await examineBooks(test.db, { keys: testKeys, now })).findings.map(({ rule }) => rule))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What is changed of a row, in SQL: `'x'`, `5`, `amount + 1`. */
type Changes = Readonly<Record<string, string | number>>
/** Adds a copy of a row with some of its columns changed. */
const copy = async (table: string, where: string, changes: Changes): Promise<string> => {
  const { columns } = await columnsOf(table)
  const values = columns.map(column => changes[column] ?? `"${column}"`)
  return `insert into ${table} (${columns.map(each => `"${each}"`).join(', ')}) select ${values.join(', ')} from ${table} where ${where}`
}
const columnsOf = async (table: string) => {
  const all = await test.db.snapshot(reader =>
    reader
      .selectFrom(table as 'cards')
      .selectAll()
      .limit(1)
      .execute(),
  )
  return { columns: Object.keys(all[0] ?? {}) }
}
const set = (
  id: string,
  cause: string,
  orderId: string,
  cardId: string | null,
  lines: Readonly<Record<string, number>>,
) =>
  Object.entries(lines).map(
    ([account, amount]) =>
      `insert into ledger_entries (id, set_id, account, currency, amount, card_id, order_id, cause, created_at)
        values ('${id}/${account}', '${id}', '${account}', 'EUR', ${amount}, ${cardId && `'${cardId}'`}, '${orderId}', '${cause}', ${CREATED_AT})`,
  )

const unspend = () => [
  `delete from allocations where card_id = '${used.cardId}'`,
  `delete from redemptions where card_id = '${used.cardId}'`,
  `delete from ledger_entries where set_id = 'redemption:${used.cardId}'`,
  `delete from ledger_nonces where entry_id = 'redemption:${used.cardId}'`,
  `delete from public_entries where id = 'redemption:${used.cardId}'`,
  `update cards set status = 'active' where id = '${used.cardId}'`,
]
const redirect = () => [
  `update allocations set ngo_id = 'ngo-evil' where card_id = '${used.cardId}'`,
  `update ledger_entries set account = 'ngo:ngo-evil', id = set_id || '/ngo:ngo-evil'
    where card_id = '${used.cardId}' and account = 'ngo:msf'`,
]
const refund = () => [
  `update cards set status = 'revoked' where id = '${unused.cardId}'`,
  ...set(`reversal:${unused.orderId}:0`, 'reversal', unused.orderId, unused.cardId, {
    refunds: 5500,
    cards: -5000,
    support: -395,
    tax: -105,
  }),
]
const dropTriggers = () =>
  test.engine === 'sqlite'
    ? []
    : ['draws', 'ledger_entries', 'audit_log'].map(each => `drop trigger ${each}_no_change on ${each}`)

interface Attack {
  readonly name: string
  readonly finding: FindingRule
  readonly statements: () => readonly string[] | Promise<readonly string[]>
}

/** The sixteen of the report: seven that were seen before, and nine that left everything in order. */
const ATTACKS: readonly Attack[] = [
  {
    name: '1. a changed amount in the books',
    finding: 'set-unbalanced',
    statements: () => [
      `update ledger_entries set amount = amount + 100 where card_id = '${used.cardId}' and account = 'cards'`,
    ],
  },
  {
    name: '2. a deleted line of the books',
    finding: 'set-unbalanced',
    statements: () => [
      `delete from ledger_entries where set_id = 'sale:${used.orderId}' and account = 'tax'`,
    ],
  },
  {
    name: '3. a set that is half balanced',
    finding: 'set-unbalanced',
    statements: () => set('claim:x', 'free-claim', used.orderId, used.cardId, { cards: 500, campaign: -400 }),
  },
  {
    name: '4. a used card that is active again',
    finding: 'card-books-differ',
    statements: () => [`update cards set status = 'active' where id = '${used.cardId}'`],
  },
  {
    name: '5. a credit that was raised',
    finding: 'card-not-paid',
    statements: () => [`update cards set credit = 9000 where id = '${unused.cardId}'`],
  },
  {
    name: '6. a gift redirected on one side',
    finding: 'organisation-books-differ',
    statements: () => [`update allocations set ngo_id = 'ngo-evil' where card_id = '${used.cardId}'`],
  },
  {
    name: '7. a campaign’s count',
    finding: 'campaign-count-differs',
    statements: () => ['update free_campaigns set claimed = 0'],
  },
  { name: '8. a card un-spent, with all that told of it', finding: 'card-seal-broken', statements: unspend },
  {
    name: '9. a gift redirected on both sides',
    finding: 'redemption-seal-broken',
    statements: () => [
      ...redirect(),
      `update redemptions set request_digest = '${requestDigestOf([{ ngoId: 'ngo-evil', points: 50 }])}'
        where card_id = '${used.cardId}'`,
    ],
  },
  {
    name: '9b. the same, its request left as it was',
    finding: 'request-differs',
    statements: redirect,
  },
  {
    name: '10. an order, a card and a sale made without a payment',
    finding: 'card-seal-broken',
    statements: async () => [
      await copy('orders', `id = '${unused.orderId}'`, {
        id: `'minted-order'`,
        attempt_key_digest: 'null',
        checkout_session_digest: `'a digest'`,
      }),
      await copy('cards', `id = '${unused.cardId}'`, {
        id: `'minted-card'`,
        order_id: `'minted-order'`,
        private_digest: `'${sha256('a key of the thief')}'`,
        public_digest: `'${sha256('another')}'`,
      }),
      ...set('sale:minted-order', 'sale', 'minted-order', 'minted-card', {
        payments: -5500,
        cards: 5000,
        support: 395,
        tax: 105,
      }),
    ],
  },
  {
    name: '10b. the same, seen by its order',
    finding: 'order-seal-broken',
    statements: async () => [
      await copy('orders', `id = '${unused.orderId}'`, { id: `'minted-order'`, attempt_key_digest: 'null' }),
    ],
  },
  { name: '11. a refund that nobody made', finding: 'card-seal-broken', statements: refund },
  {
    name: '11b. the same, of which the provider has said nothing',
    finding: 'reversal-books-differ',
    statements: refund,
  },
  {
    name: '11c. the same, said in the name of the provider',
    finding: 'reversal-seal-broken',
    statements: () => [
      ...refund(),
      `insert into reversals (order_id, refunded, lost, taken, updated_at, seal)
        values ('${unused.orderId}', 5500, 0, 0, 1, 'guessed')`,
    ],
  },
  {
    name: '12. support moved to the losses',
    finding: 'reversal-books-differ',
    statements: () =>
      set(`reversal:${used.orderId}:0`, 'reversal', used.orderId, used.cardId, {
        support: -300,
        losses: 300,
      }),
  },
  {
    name: '12b. the same, under a name that the product does not use',
    finding: 'entry-unknown',
    statements: () =>
      set('correction:1', 'correction', used.orderId, used.cardId, { support: -300, losses: 300 }),
  },
  {
    name: '12c. the same, as a part of the sale',
    finding: 'entry-unknown',
    statements: () =>
      set(`sale:${used.orderId}`, 'sale', used.orderId, used.cardId, { refunds: 300, losses: -300 }),
  },
  {
    name: '13. a claim deleted with its count',
    finding: 'claim-missing',
    statements: () => ['delete from free_claims', 'update free_campaigns set claimed = 0'],
  },
  {
    name: '14. a day of giving away that was moved',
    finding: 'auto-donation-day-differs',
    statements: () => [
      `update cards set auto_donate_at = auto_donate_at - ${DAY_MS} where id = '${unused.cardId}'`,
    ],
  },
  {
    name: '15. a private key’s digest replaced by one of the thief’s own key',
    finding: 'card-keys-differ',
    statements: () => [
      `update cards set private_digest = '${sha256('a key of the thief')}' where id = '${unused.cardId}'`,
    ],
  },
  {
    name: 'a check word that was given to another card',
    finding: 'check-word-differs',
    statements: () => [
      `update cards set check_digest = (select check_digest from cards where id = '${used.cardId}') where id = '${unused.cardId}'`,
    ],
  },
  {
    name: 'a check word of an invitation that was given to another',
    finding: 'check-word-differs',
    statements: async () => {
      const { cardId } = await test.db.transaction(trx => inviteFor(trx))
      return [`update volunteering_cards set check_digest = 'hmac:other' where id = '${cardId}'`]
    },
  },
  { name: '16. triggers that were dropped', finding: 'guard-differs', statements: dropTriggers },
]

/** What is like them. */
const SISTERS: readonly Attack[] = [
  {
    name: 'a longer term, together with its day',
    finding: 'card-seal-broken',
    statements: () => [`update cards set term_months = 24 where id = '${unused.cardId}'`],
  },
  {
    name: 'reminders that are no list of days',
    finding: 'card-seal-broken',
    statements: () => [`update cards set reminder_days = 'soon' where id = '${unused.cardId}'`],
  },
  {
    name: 'a term that no calendar holds',
    finding: 'card-seal-broken',
    statements: () => [`update cards set term_months = 9000000 where id = '${unused.cardId}'`],
  },
  {
    name: 'less value added tax than was quoted',
    finding: 'order-seal-broken',
    statements: () => [`update orders set vat_rate = 0, vat_amount = 0 where id = '${unused.orderId}'`],
  },
  {
    name: 'an organisation that no buyer named',
    finding: 'order-seal-broken',
    statements: () => [`update orders set fallback_ngo_id = 'friend' where id = '${unused.orderId}'`],
  },
  {
    name: 'an order that was paid less, in the books as well',
    finding: 'order-seal-broken',
    statements: () => [
      `update orders set support_amount = 0, tax_amount = 0, total_amount = 5000 where id = '${used.orderId}'`,
      `delete from ledger_entries where set_id = 'sale:${used.orderId}' and account in ('support', 'tax')`,
      `update ledger_entries set amount = -5000 where set_id = 'sale:${used.orderId}' and account = 'payments'`,
    ],
  },
  {
    name: 'an invitation opened by a thief’s key',
    finding: 'card-keys-differ',
    statements: async () => {
      const { cardId } = await test.db.transaction(trx => inviteFor(trx))
      return [
        `update volunteering_cards set key_digest = '${sha256('a key of the thief')}' where id = '${cardId}'`,
      ]
    },
  },
  {
    name: 'a payout that took from another organisation’s account',
    finding: 'payout-books-differ',
    statements: () => [
      `update ledger_entries set account = 'ngo:msf', id = 'payout:${payoutId}/ngo:msf' where id = 'payout:${payoutId}/ngo:cerf'`,
    ],
  },
  {
    name: 'a payout that is in the books alone',
    finding: 'payout-books-differ',
    statements: () =>
      set('payout:none', 'payout', '', null, { 'ngo:msf': -500, 'payouts-open': 500 }).map(each =>
        each.replace("''", 'null'),
      ),
  },
  {
    name: 'a free card from nowhere',
    finding: 'claim-missing',
    statements: async () => [
      await copy('cards', `id = '${freeCardId}'`, {
        id: `'minted-card'`,
        private_digest: `'${sha256('1')}'`,
        public_digest: `'${sha256('2')}'`,
      }),
      `insert into ledger_entries (id, set_id, account, currency, amount, card_id, order_id, cause, created_at)
        values ('claim:minted-card/campaign', 'claim:minted-card', 'campaign', 'EUR', -500, 'minted-card', null, 'free-claim', 1),
          ('claim:minted-card/cards', 'claim:minted-card', 'cards', 'EUR', 500, 'minted-card', null, 'free-claim', 1)`,
    ],
  },
  {
    name: 'a card given by the draw to whom nobody drew',
    finding: 'draw-differs',
    statements: () => [`update redemptions set cause = 'auto-donation' where card_id = '${used.cardId}'`],
  },
  {
    name: 'a unique index that is gone',
    finding: 'guard-differs',
    statements: () =>
      test.engine === 'sqlite'
        ? ['alter table free_claims rename to away', 'create table free_claims as select * from away']
        : ['alter table free_claims drop constraint free_claims_pkey'],
  },
  {
    name: 'every count taken away, with a card and all that told of it',
    finding: 'checkpoint-missing',
    statements: () => [...unspend(), 'delete from checkpoints'],
  },
  {
    name: 'a row made without a seal, the counts taken away so that it may lack one',
    finding: 'card-seal-broken',
    statements: () => [
      `update cards set credit = 30000, seal = null where id = '${unused.cardId}'`,
      'delete from checkpoints',
    ],
  },
  {
    name: 'two orders whose payments were exchanged',
    finding: 'order-seal-broken',
    statements: () => [
      `update orders set checkout_session_digest = 'the thief’s' where id = '${unused.orderId}'`,
    ],
  },
  {
    name: 'a view that nobody knows',
    finding: 'guard-differs',
    statements: () => ['create view thief as select * from cards'],
  },
  ...(process.env.TEST_ENGINE === 'postgres'
    ? [
        'create rule thief as on insert to cards do also delete from draws',
        'alter table cards enable row level security',
        'create policy thief on cards using (false)',
        `alter table cards alter column email set default 'thief@evil.example'`,
        'alter table checkpoints set unlogged',
        'alter table cards add column thief text',
        `alter table cards add constraint thief check (status <> 'consumed') not valid`,
        'create table thief () inherits (cards)',
        `update pg_class set relhastriggers = false where oid = 'ledger_entries'::regclass`,
        `update pg_class set relchecks = 0 where oid = 'cards'::regclass`,
        `update pg_index set indisready = false where indexrelid = 'free_claims_pkey'::regclass`,
        `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
        `update pg_class set relhasindex = false where oid = 'cards'::regclass`,
        `delete from pg_trigger where tgconstraint = (select oid from pg_constraint where conname = 'cards_order_id_fkey')`,
        `delete from pg_trigger where tgname = (select min(tgname) from pg_trigger where tgisinternal and tgrelid = 'redemptions'::regclass)`,
        `update pg_trigger set tgenabled = 'D' where tgisinternal and tgrelid = 'cards'::regclass`,
        'alter table allocations disable trigger all',
        'alter table cards add constraint thief exclude (id with =)',
        'create unique index thief on cards (sender_name, id)',
        'alter table cards add column thief_of int; alter table cards drop column thief_of; create table thief (like cards); alter table cards inherit thief',
        `do $$ begin execute format('alter role %I in database %I set session_replication_role = local', current_user, current_database()); end $$`,
        `do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
        `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
      ].map(
        (statement): Attack => ({
          name: statement,
          finding: 'guard-differs',
          statements: () => [statement],
        }),
      )
    : []),
  ...(process.env.TEST_ENGINE === 'postgres'
    ? [
        {
          name: 'an index over what a function of another hand makes of a row',
          finding: 'guard-differs' as const,
          statements: () => [
            `create function thief(text) returns text language plpgsql immutable as 'begin return null; end'`,
            'create index thief on cards (thief(id))',
          ],
        },
        {
          name: 'an index over the rows that a function of another hand takes',
          finding: 'guard-differs' as const,
          statements: () => [
            `create function thief(text) returns boolean language plpgsql immutable as 'begin return false; end'`,
            'create index thief on cards (id) where thief(id)',
          ],
        },
        {
          name: 'a trigger whose namesake stands at another table',
          finding: 'guard-differs' as const,
          statements: () => [
            'drop trigger draws_no_change on draws',
            'create table elsewhere (id text)',
            `create trigger draws_no_change before update or delete or truncate on elsewhere
              for each statement execute function draws_refuse_change()`,
          ],
        },
        {
          name: 'a trigger of another hand with the name of a known one',
          finding: 'guard-differs' as const,
          statements: () => [
            `create function thief() returns trigger language plpgsql as 'begin return new; end'`,
            'create trigger draws_no_change before insert on cards for each row execute function thief()',
            // The known one comes behind it in the catalogue.
            'drop trigger draws_no_change on draws',
            `create trigger draws_no_change before update or delete or truncate on draws
              for each statement execute function draws_refuse_change()`,
          ],
        },
        {
          name: 'a trigger of another hand that passes for the database’s own',
          finding: 'guard-differs' as const,
          statements: () => [
            `create function thief() returns trigger language plpgsql as 'begin return new; end'`,
            'create trigger thief before insert on cards for each row execute function thief()',
            `update pg_trigger set tgisinternal = true where tgname = 'thief'`,
          ],
        },
        {
          name: 'a constraint of another hand with the name of a known one',
          finding: 'guard-differs' as const,
          statements: () => [
            `alter table cards add constraint orders_paid_keep_no_session check (status <> 'consumed') not valid`,
            'alter table orders drop constraint orders_paid_keep_no_session',
            `alter table orders add constraint orders_paid_keep_no_session
              check (status <> 'paid' or (checkout_session_id is null and checkout_url is null))`,
          ],
        },
        {
          name: 'a constraint whose namesake stands at another table',
          finding: 'guard-differs' as const,
          statements: () => [
            'alter table cards drop constraint cards_come_from_somewhere',
            `create table elsewhere (kind text, order_id text, constraint cards_come_from_somewhere
              check ((kind = 'donation' and order_id is not null) or (kind = 'free' and order_id is null)))`,
          ],
        },
        {
          name: 'a trigger on changes of the tables themselves',
          finding: 'guard-differs' as const,
          statements: () => [
            `create function thief() returns event_trigger language plpgsql as 'begin end'`,
            'create event trigger thief on ddl_command_end execute function thief()',
          ],
        },
      ]
    : []),
  {
    name: 'a trigger of another hand',
    finding: 'guard-differs',
    statements: () =>
      test.engine === 'sqlite'
        ? [
            `create trigger thief after insert on cards begin update cards set credit = credit + 1 where id = new.id; end`,
          ]
        : [
            `create function thief() returns trigger language plpgsql as 'begin return new; end'`,
            'create trigger thief before insert on cards for each row execute function thief()',
          ],
  },
]

/** Numbers that stop whoever reads them, each in a row of its own table. */
const UNREADABLE: readonly (readonly [name: string, table: string, column: string, value: string])[] = [
  ['a credit', 'cards', 'credit', '9007199254740993'],
  ['a time before every number', 'cards', 'auto_donate_at', '-9007199254740993'],
  ['the largest credit of all', 'cards', 'credit', '9223372036854775807'],
  ['a card’s time', 'cards', 'created_at', '9007199254740993'],
  ['the day of an order', 'orders', 'settled_at', '9007199254740993'],
  ['a line of the books', 'ledger_entries', 'amount', '9223372036854775807'],
  ['a share of a gift', 'allocations', 'amount', '9007199254740993'],
  ['the day of a use', 'redemptions', 'created_at', '9007199254740993'],
  ['a campaign’s count', 'free_campaigns', 'claimed', '9007199254740993'],
  ['the time of a claim', 'free_claims', 'created_at', '9007199254740993'],
  ['what a payout comes to', 'payouts', 'amount', '9007199254740993'],
  ['the time of a count', 'checkpoints', 'at', '9007199254740993'],
]

describe('a number that nobody can read', () => {
  it.each(UNREADABLE)(
    'is found, with its row, and keeps nobody from finding the rest: %s',
    async (_, table, column, value) => {
      await test.plant(`update ${table} set ${column} = ${value}`, `create view thief as select * from cards`)
      const { findings } = await examineBooks(test.db, { keys: testKeys, now: clock() })
      const rows = findings.filter(({ rule }) => rule === 'number-amiss')
      expect(rows.length).toBeGreaterThan(0)
      for (const { subject } of rows) expect(subject).toMatch(new RegExp(`^${table}\\.${column} .`))
      if (table === 'cards')
        expect(rows.map(({ subject }) => subject)).toContain(`cards.${column} ${unused.cardId}`)
      expect(findings.map(({ rule }) => rule)).toContain('guard-differs')
    },
  )

  it.runIf(process.env.TEST_ENGINE !== 'postgres').each([`'many'`, `x'00'`, '1.5'])(
    'is found in a table of the embedded database that was made anew: %s',
    async value => {
      await test.plant(
        'create table anew as select * from cards',
        'drop table cards',
        'alter table anew rename to cards',
        `update cards set credit = ${value} where id = '${unused.cardId}'`,
      )
      const { findings } = await examineBooks(test.db, { keys: testKeys, now: clock() })
      expect(findings).toContainEqual({ rule: 'number-amiss', subject: `cards.credit ${unused.cardId}` })
    },
  )

  it('is no finding where it is the largest that is read right', async () => {
    await test.plant(`update cards set remind_at = ${Number.MAX_SAFE_INTEGER}`)
    expect([...(await rules())]).not.toContain('number-amiss')
  })
})

it('a rule that cannot be asked is a finding, and the others are asked all the same', async () => {
  const cascade = test.engine === 'postgres' ? ' cascade' : ''
  await test.plant(`drop table payout_allocations${cascade}`, 'update free_campaigns set claimed = 0')
  const { findings, count } = await examineBooks(test.db, { keys: testKeys, now: clock() })
  expect(findings).toContainEqual({
    rule: 'rule-unfinished',
    subject: expect.stringMatching(/^payoutsAmiss: /),
  })
  expect(findings.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['campaign-count-differs', 'guard-differs']),
  )
  expect(count).toBeUndefined()
})

it('whoever looks at the public ledger and the seals beside and does not come to an end is a finding', async () => {
  const publicLedgerAndSeals = Promise.reject(new RangeError('too large'))
  publicLedgerAndSeals.catch(() => {})
  const { findings } = await examineBooks(test.db, { keys: testKeys, now: clock(), publicLedgerAndSeals })
  expect(findings).toEqual([{ rule: 'rule-unfinished', subject: 'publicLedgerAndSeals: RangeError' }])
})

it('a database that is away is no finding', async () => {
  const away = { ...test.db, snapshot: () => Promise.reject(new Problem('temporarily-unavailable')) }
  await expect(examineBooks(away, { keys: testKeys, now: clock() })).rejects.toThrow(Problem)
})

describe('a change by another hand is found:', () => {
  it('none, where there was none', async () => {
    expect((await examineBooks(test.db, { keys: testKeys, now: clock() })).findings).toEqual([])
  })

  it.each([...ATTACKS, ...SISTERS])('$name', async ({ finding, statements }) => {
    await test.plant(...(await statements()))
    expect([...(await rules())]).toContain(finding)
  })

  it('whose seals were kept from before it, by the rows that were counted', async () => {
    const before = await test.db.read(db =>
      db.selectFrom('cards').select('seal').where('id', '=', unused.cardId).executeTakeFirstOrThrow(),
    )
    await redeem(unused)
    clock.advance(DAY_MS)
    await writeCheckpoint(test.db, testKeys, await test.db.snapshot(reader => countNow(reader, clock())))
    expect([...(await rules())]).toEqual([])
    const { cardId } = unused
    await test.plant(
      `delete from allocations where card_id = '${cardId}'`,
      `delete from redemptions where card_id = '${cardId}'`,
      `delete from ledger_entries where set_id = 'redemption:${cardId}'`,
      `update cards set status = 'active', seal = '${before.seal}' where id = '${cardId}'`,
    )
    const found = await rules()
    expect([...found]).not.toContain('card-seal-broken')
    expect([...found]).toContain('rows-missing')
  })

  it('that takes the counts away, or changes them', async () => {
    for (let n = 0; n < 3; n++) {
      clock.advance(DAY_MS)
      await writeCheckpoint(test.db, testKeys, await test.db.snapshot(reader => countNow(reader, clock())))
    }
    expect([...(await rules())]).toEqual([])
    await test.plant('delete from checkpoints where number = 3')
    expect([...(await rules())]).toContain('checkpoint-broken')
    await test.plant('delete from checkpoints where number = 4')
    expect([...(await rules())]).not.toContain('checkpoint-broken')
    // With the last ones gone too, it is found that none was made for days on which cards were sold.
    clock.advance(30 * DAY_MS)
    await test.db.transaction(trx => sellCard(trx, { created_at: clock() - 5 * DAY_MS }))
    expect([...(await rules())]).toContain('checkpoint-missing')
    await test.plant(`update checkpoints set counts = '{}' where number = 1`)
    expect([...(await rules())]).toContain('checkpoint-broken')
  })

  it('but not that a site stopped for a week just before its next count was due', async () => {
    clock.advance(DAY_MS)
    await writeCheckpoint(test.db, testKeys, await test.db.snapshot(reader => countNow(reader, clock())))
    clock.advance(DAY_MS)
    await test.db.transaction(trx => sellCard(trx, { created_at: clock() }))
    clock.advance(7 * DAY_MS)
    expect([...(await rules())]).toEqual([])
  })

  it('and, while nobody counted for a week in which cards were sold, that counts may be missing: one may follow by hand', async () => {
    const log = quietLog()
    const daily = ledgerCheck(
      log,
      () => examineBooks(test.db, { keys: testKeys, now: clock() }),
      count => writeCheckpoint(test.db, testKeys, count),
    )
    clock.advance(DAY_MS)
    await daily.run(turn)
    clock.advance(3 * DAY_MS)
    await test.db.transaction(trx => sellCard(trx, { created_at: clock() }))
    clock.advance(4 * DAY_MS + HOUR_MS)
    // Nothing tells a stop from counts that somebody took away: it is said each day, until a person has answered.
    for (let day = 0; day < 30; day++) {
      expect(await daily.run(turn)).toEqual({ findings: 1 })
      clock.advance(DAY_MS)
    }
    expect(log.events).toEqual(Array.from({ length: 30 }, () => 'ledger-broken'))
    const { findings, count, countAfterPause } = await examineBooks(test.db, { keys: testKeys, now: clock() })
    expect([findings, count]).toEqual([[{ rule: 'checkpoint-missing', subject: '3' }], undefined])
    await writeCheckpoint(test.db, testKeys, countAfterPause!)
    for (let day = 0; day < 10; day++) {
      clock.advance(DAY_MS)
      expect(await daily.run(turn)).toEqual({ findings: 0 })
    }
  })

  it('beside which no count may follow: neither another change, nor the first count that is gone', async () => {
    clock.advance(30 * DAY_MS)
    await test.db.transaction(trx => sellCard(trx, { created_at: clock() - 5 * DAY_MS }))
    const examined = (db: Database, more: Finding[] = []) =>
      examineBooks(db, { keys: testKeys, now: clock(), publicLedgerAndSeals: Promise.resolve(more) })
    expect((await examined(test.db)).countAfterPause).toBeDefined()
    const another: Finding = { rule: 'card-seal-broken', subject: unused.cardId }
    expect((await examined(test.db, [another])).countAfterPause).toBeUndefined()
    const uncounted = await openTestDatabase()
    await uncounted.db.transaction(trx => sellCard(trx))
    const { findings, countAfterPause } = await examined(uncounted.db)
    await uncounted.close()
    expect(findings).toContainEqual({ rule: 'checkpoint-missing', subject: '1' })
    expect(findings.map(({ rule }) => rule)).toEqual(['checkpoint-missing'])
    expect(countAfterPause).toBeUndefined()
  })

  it('that puts another count in the place of one, though the product has made both', async () => {
    const count = async () => {
      clock.advance(DAY_MS)
      await writeCheckpoint(test.db, testKeys, await test.db.snapshot(reader => countNow(reader, clock())))
    }
    await count()
    await count()
    const { at, counts, seal } = await test.db.read(db =>
      db.selectFrom('checkpoints').selectAll().where('number', '=', 3).executeTakeFirstOrThrow(),
    )
    await test.plant('delete from checkpoints where number = 3')
    await count()
    await count()
    expect([...(await rules())]).not.toContain('checkpoint-broken')
    await test.plant(
      `update checkpoints set at = ${at}, counts = '${counts}', seal = '${seal}' where number = 3`,
    )
    expect([...(await rules())]).toContain('checkpoint-broken')
  })

  it('although the product has used the card since', async () => {
    await test.plant(...unspend())
    await redeem(used)
    expect([...(await rules())]).toContain('card-seal-broken')
  })
})

describe('rows from before there were seals', () => {
  const unseal = ['orders', 'cards', 'volunteering_cards', 'redemptions', 'reversals'].map(
    table => `update ${table} set seal = null`,
  )
  /** As the first start of this version finds and leaves the tables. */
  const update = async (...changes: string[]) => {
    await test.plant(...unseal, 'delete from checkpoints', ...changes)
    expect(withoutTriggers(await rules())).not.toContain('checkpoint-missing')
    await beginCounts(test.db, testKeys, clock())
  }
  let log = quietLog()
  const seal = () => sealing({ db: test.db, keys: testKeys, clock, log }).run(turn)
  beforeEach(() => {
    log = quietLog()
  })
  const withoutTriggers = (found: ReadonlySet<FindingRule>) =>
    [...found].filter(rule => rule !== 'guard-differs')

  it('are in order, get their seals once, and the operator hears of it', async () => {
    await update()
    expect(withoutTriggers(await rules())).toEqual([])
    // A card that is used before its turn comes is sealed like every other.
    await redeem(unused)
    expect(await seal()).toEqual({ sealed: 9 })
    expect(log.events).toEqual(['books-sealed'])
    expect(await seal()).toEqual({ sealed: 0 })
    // The update is long over.
    expect(withoutTriggers(await rules(clock() + 3 * DAY_MS))).toEqual([])
  })

  it('are told of once, whatever process dies behind a commit', async () => {
    const told = await mailsOf('books-sealed', async () => {
      clock.advance(HOUR_MS)
      await update()
      return {
        db: test.db,
        clock,
        act: ({ db, log }) => sealing({ db, keys: testKeys, clock, log }).run(turn),
      }
    })
    expect(told.length).toBeGreaterThan(9)
    expect(told).toEqual(oneEach(told))
  })

  it('are none once all are sealed', async () => {
    expect(await seal()).toEqual({ sealed: 0 })
    expect(log.events).toEqual([])
    await test.plant(...unseal)
    expect(await seal()).toEqual({ sealed: 0 })
    const found = await rules()
    for (const rule of ['order-seal-broken', 'card-seal-broken', 'redemption-seal-broken'] as const)
      expect([...found]).toContain(rule)
  })

  it('do not get a good one where their keys or their day are another’s', async () => {
    const { cardId } = await test.db.transaction(trx => inviteFor(trx))
    await update(
      `update cards set private_digest = 'x' where id = '${unused.cardId}'`,
      `update volunteering_cards set key_digest = 'x' where id = '${cardId}'`,
    )
    await seal()
    expect([...(await rules())]).toContain('invitation-seal-broken')
    expect([...(await rules())]).toEqual(expect.arrayContaining(['card-seal-broken', 'card-keys-differ']))
  })

  it('get no seal of what they said before they were used', async () => {
    await update()
    const usedMeanwhile: Database = {
      ...test.db,
      async transaction(fn) {
        await redeem(unused)
        return test.db.transaction(fn)
      },
    }
    const [, sealCards] = sealers(usedMeanwhile, testKeys)
    await sealCards!('')
    expect(withoutTriggers(await rules())).toEqual([])
  })

  it('are counted anew by no start once there are seals', async () => {
    await test.plant(
      `update cards set credit = 30000, seal = null where id = '${unused.cardId}'`,
      'delete from checkpoints',
    )
    await beginCounts(test.db, testKeys, clock())
    expect(await seal()).toEqual({ sealed: 0 })
    expect([...(await rules())]).toEqual(expect.arrayContaining(['checkpoint-missing', 'card-seal-broken']))
  })

  it('get none because somebody has changed the first count', async () => {
    await test.plant(
      `update checkpoints set counts = '{"unsealed":1}', at = ${clock()} where number = 1`,
      `update cards set credit = 30000, seal = null where id = '${unused.cardId}'`,
    )
    expect(await seal()).toEqual({ sealed: 0 })
    expect([...(await rules())]).toEqual(expect.arrayContaining(['checkpoint-broken', 'card-seal-broken']))
  })

  it('may come for a day, while an update goes from one server to the next, and are sealed then', async () => {
    await update()
    await seal()
    const late = await test.db.transaction(trx => sellCard(trx))
    await test.plant(`update cards set seal = null where id = '${late.cardId}'`)
    expect(withoutTriggers(await rules())).toEqual([])
    expect(await seal()).toEqual({ sealed: 1 })
    await test.plant(`update cards set seal = null where id = '${late.cardId}'`)
    clock.advance(2 * DAY_MS)
    expect(await seal()).toEqual({ sealed: 0 })
    expect([...(await rules())]).toContain('card-seal-broken')
  })
})
