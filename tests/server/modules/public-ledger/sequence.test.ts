import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { money } from '#domain/money/money.ts'
import {
  type Amounts,
  blindOf,
  commitmentOf,
  type Leaf,
  readLeaf,
  summed,
} from '#domain/public-ledger/leaf.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { cancelPayout, createPayout, markPaid, markUnpaid } from '#server/modules/payouts/payouts.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { sequenceOnceADay } from '#server/modules/public-ledger/publish.ts'
import { LedgerAltered, sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { verifyFolder } from '#server/modules/public-ledger/verify-folder.ts'
import { bookMovement } from '#server/modules/treasury/book.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CREATED_AT, giveFreeCard, type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

/** Soon after the midnight that ends the day on which the cards of the builders are sold. */
const NEXT_DAY = Date.parse('2026-03-11T00:10:00Z')
const NGOS = ['msf', 'cerf', 'irc']

const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
const goOn = async () => {}
const run = promisify(execFile)

let test: TestDatabase
let folder: string
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  folder = mkdtempSync(join(tmpdir(), 'gc-ledger-'))
})
afterEach(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A chance that is none: the same order for the same leaves. */
const tools = (db: Database = test.db) => ({ db, clock, signer, folder, draw: (count: number) => count - 1 })
const sequence = (db?: Database) => sequenceDays(tools(db), goOn)
const derive = () => deriveFiles({ db: test.db, folder, goOn })
const sell = (changes: Parameters<typeof sellCard>[1] = {}) =>
  test.db.transaction(trx => sellCard(trx, changes))
const redeem = ({ privateKey }: SoldCard, points: Readonly<Record<string, number>> = { msf: 50 }) =>
  createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS }).redeem(
    privateKey,
    Object.entries(points).map(([ngoId, each]) => ({ ngoId, points: each })),
  )

async function sellAndRedeem(number: number, points?: Readonly<Record<string, number>>): Promise<SoldCard[]> {
  const cards: SoldCard[] = []
  for (let n = 0; n < number; n++) {
    const card = await sell()
    clock.advance(1)
    await redeem(card, points)
    cards.push(card)
  }
  return cards
}

const leaves = async (): Promise<readonly Leaf[]> =>
  (
    await test.db.read(reader => reader.selectFrom('ledger_leaves').select('leaf').orderBy('seq').execute())
  ).map(({ leaf }) => readLeaf(leaf))
const told = async () =>
  (await leaves()).map(({ day, cause, amounts }) => `${day} ${cause} ${amounts.flat().join(' ')}`)
const nonceOf = async (id: string) =>
  (
    await test.db.read(reader =>
      reader.selectFrom('ledger_nonces').select('nonce').where('entry_id', '=', id).executeTakeFirst(),
    )
  )?.nonce
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })

/** The balances of the books, of those sets that are in leaves or of all. */
async function balances(which: 'published' | 'all'): Promise<Amounts> {
  const rows = await test.db.read(reader =>
    reader
      .selectFrom('ledger_entries')
      .leftJoin('ledger_leaf_entries', 'ledger_leaf_entries.entry_id', 'ledger_entries.set_id')
      .select(['account', 'amount', 'entry_id'])
      .execute(),
  )
  return summed(
    rows
      .filter(({ entry_id }) => which === 'all' || entry_id !== null)
      .map(({ account, amount }) => [account, amount] as const),
  )
}

describe('an entry', () => {
  it('is written with every set of the books, and with none that is not booked', async () => {
    const sold = await sell()
    await redeem(sold)
    await expect(
      test.db.transaction(async trx => {
        await sellCard(trx)
        throw new Error('the payment fails')
      }),
    ).rejects.toThrow('the payment fails')
    const entries = await test.db.read(reader =>
      reader.selectFrom('public_entries').selectAll().orderBy('cause').execute(),
    )
    expect(entries).toEqual([
      {
        id: `redemption:${sold.cardId}`,
        day: '2026-03-10',
        cause: 'given',
        currency: 'EUR',
        amounts: '[["cards",-5000],["ngo:msf",5000]]',
      },
      {
        id: `sale:${sold.orderId}`,
        day: '2026-03-10',
        cause: 'sale',
        currency: 'EUR',
        amounts: '[["cards",5000],["payments",-5500],["support",395],["tax",105]]',
      },
    ])
    expect(await findings()).toEqual([])
  })

  it('can be changed or deleted by nobody, and no leaf or head either', async () => {
    await sell()
    clock.set(NEXT_DAY)
    await sequence()
    const changes = [
      ['public_entries', 'day'],
      ['ledger_leaves', 'leaf'],
      ['ledger_leaf_entries', 'entry_id'],
      ['ledger_heads', 'note'],
    ] as const
    for (const [table, column] of changes) {
      const update = test.db.transaction(trx =>
        trx
          .updateTable(table as 'ledger_heads')
          .set({ [column]: 'x' })
          .execute(),
      )
      await expect(update, table).rejects.toThrow('append-only')
      const remove = test.db.transaction(trx => trx.deleteFrom(table).execute())
      await expect(remove, table).rejects.toThrow('append-only')
    }
  })
})

describe('the log', () => {
  it('has nothing of today', async () => {
    await sell()
    expect(await sequence()).toEqual({ leaves: 0, size: 0, waiting: 0 })
    clock.set(NEXT_DAY)
    expect(await sequence()).toEqual({ leaves: 1, size: 1, waiting: 0 })
    expect(await told()).toEqual(['2026-03-10 sale cards 5000 payments -5500 support 395 tax 105'])
  })

  it('has uses of cards in batches alone, whose sums are theirs', async () => {
    const cards = await sellAndRedeem(19)
    clock.set(NEXT_DAY)
    expect(await sequence()).toMatchObject({ leaves: 19, waiting: 19 })
    clock.set(NEXT_DAY + HOUR_MS)
    const last = await sell()
    await redeem(last, { cerf: 20, irc: 30 })
    clock.set(NEXT_DAY + DAY_MS)
    expect(await sequence()).toMatchObject({ waiting: 0 })
    const [batch, ...more] = (await leaves()).filter(({ cause }) => cause === 'given')
    expect(more).toEqual([])
    expect(batch).toMatchObject({ day: '2026-03-11', currency: 'EUR' })
    expect(batch!.amounts).toEqual([
      ['cards', -100_000],
      ['ngo:cerf', 2_000],
      ['ngo:irc', 3_000],
      ['ngo:msf', 95_000],
    ])
    // The recipient's nonce opens the recipient's own amounts.
    for (const [card, amounts] of [
      [
        cards[3]!,
        [
          ['cards', -5_000],
          ['ngo:msf', 5_000],
        ],
      ],
      [
        last,
        [
          ['cards', -5_000],
          ['ngo:cerf', 2_000],
          ['ngo:irc', 3_000],
        ],
      ],
    ] as const) {
      const nonce = await nonceOf(`redemption:${card.cardId}`)
      expect(batch!.proof).toContain(commitmentOf(sha256, nonce!, 'given', amounts))
    }
    expect(await balances('published')).toEqual(await balances('all'))
    expect(await findings()).toEqual([])
  })

  it('ties neither key that a giver has to what the recipient chose', async () => {
    const cards = await sellAndRedeem(20)
    clock.set(NEXT_DAY)
    await sequence()
    const all = await leaves()
    const choices: Amounts[] = NGOS.map(ngo => [
      ['cards', -5_000],
      [`ngo:${ngo}`, 5_000],
    ])
    const proofs = new Set(all.filter(({ cause }) => cause === 'given').flatMap(({ proof }) => proof))
    for (const { orderId } of cards) {
      // Both keys lead to the nonce of the sale.
      const nonce = await nonceOf(`sale:${orderId}`)
      expect(all.filter(({ proof }) => proof === blindOf(sha256, nonce!, 'sale'))).toHaveLength(1)
      for (const amounts of choices)
        expect(proofs.has(commitmentOf(sha256, nonce!, 'given', amounts))).toBe(false)
      expect(proofs.has(blindOf(sha256, nonce!, 'given'))).toBe(false)
    }
  })

  it('has rare amounts of a day in one sum', async () => {
    for (let n = 0; n < 5; n++) await sell()
    const rare = await sell({ support_amount: 700, tax_amount: 147, total_amount: 5_700 })
    await sell({ support_amount: 900, tax_amount: 189, total_amount: 5_900 })
    clock.set(NEXT_DAY)
    expect(await sequence()).toMatchObject({ leaves: 6, waiting: 0 })
    const sum = (await leaves()).find(({ proof }) => typeof proof !== 'string')!
    expect(sum.amounts).toEqual([
      ['cards', 10_000],
      ['payments', -11_600],
      ['support', 1_264],
      ['tax', 336],
    ])
    const nonce = await nonceOf(`sale:${rare.orderId}`)
    const own: Amounts = [
      ['cards', 5_000],
      ['payments', -5_700],
      ['support', 553],
      ['tax', 147],
    ]
    expect(sum.proof).toContain(commitmentOf(sha256, nonce!, 'sale', own))
  })

  it('has unused cards with how their organisation was found, free cards, and what the provider moved', async () => {
    await sell()
    await test.db.transaction(giveFreeCard)
    const movement = {
      id: 'txn_1',
      kind: 'payout',
      type: 'payout',
      currency: 'EUR',
      amount: -900,
      fee: 0,
      net: -900,
      charged_currency: 'EUR',
      charged_amount: -900,
      exchange_rate: null,
      fee_details: '[]',
      source_id: null,
      charge_id: null,
      order_id: null,
      created_at: CREATED_AT,
      available_at: CREATED_AT,
    } as const
    await test.db.transaction(trx => bookMovement(trx, testKeys, movement, clock()))
    clock.set(CREATED_AT + 400 * DAY_MS)
    await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 1, listedNgoIds: () => NGOS })
    clock.advance(DAY_MS)
    await sequence()
    expect((await told()).sort()).toEqual([
      '2026-03-10 bank bank -900 payments 900',
      '2026-03-10 claim campaign -500 cards 500',
      '2026-03-10 sale cards 5000 payments -5500 support 395 tax 105',
      '2027-04-14 auto cards -500 ngo:cerf 500',
      '2027-04-14 auto cards -5000 ngo:cerf 5000',
    ])
    expect((await leaves()).filter(({ cause }) => cause === 'auto').map(({ draw }) => draw)).toEqual([
      { by: 'chance', place: 1, candidates: NGOS },
      { by: 'chance', place: 1, candidates: NGOS },
    ])
    expect(await findings()).toEqual([])
  })

  it('has the order that chance gives it', async () => {
    for (let n = 0; n < 12; n++) await sell({ ngo_amount: 5_000 + n * 100, support_amount: 0, tax_amount: 0 })
    const eachFive = [5_000, 6_000, 7_000].flatMap(ngo_amount => Array.from({ length: 5 }, () => ngo_amount))
    for (const ngo_amount of eachFive) await sell({ ngo_amount, support_amount: 0, tax_amount: 0 })
    clock.set(NEXT_DAY)
    const drawn: number[] = []
    const draw = (of: number) => {
      drawn.push(of)
      return 0
    }
    await sequenceDays({ ...tools(), draw }, goOn)
    const size = (await leaves()).length
    expect(drawn).toEqual(Array.from({ length: size - 1 }, (_, n) => size - n))
  })

  it('is written once a day', async () => {
    await sell()
    clock.set(NEXT_DAY)
    expect(await sequenceOnceADay(tools(), goOn)).toMatchObject({ leaves: 1 })
    // A movement of yesterday that the provider tells of today.
    await sell()
    clock.advance(HOUR_MS)
    expect(await sequenceOnceADay(tools(), goOn)).toBeUndefined()
    clock.advance(DAY_MS)
    expect(await sequenceOnceADay(tools(), goOn)).toMatchObject({ leaves: 1, size: 2 })
  })

  it('goes on with a fresh chance where a buyer was forgotten before', async () => {
    const [card] = await sellAndRedeem(20)
    await test.db.transaction(trx =>
      clearPersons(trx, 'donation', [{ id: card!.cardId, order_id: card!.orderId }]),
    )
    expect(await nonceOf(`sale:${card!.orderId}`)).toBeUndefined()
    expect(await nonceOf(`redemption:${card!.cardId}`)).toBeUndefined()
    clock.set(NEXT_DAY)
    expect(await sequence()).toMatchObject({ waiting: 0 })
    expect(await balances('published')).toEqual(await balances('all'))
    expect(await findings()).toEqual([])
  })
})

describe('a payout', () => {
  it('is shown once the bank has paid it and its cards are in leaves, with no fewer than five after it', async () => {
    await sellAndRedeem(20)
    const payout = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    clock.set(NEXT_DAY)
    await sequence()
    expect(await told()).not.toContainEqual(expect.stringContaining('payout'))
    await markPaid(test.db, { id: payout.id, reference: 'SEPA 1' }, clock())
    clock.advance(DAY_MS)
    expect(await sequence()).toMatchObject({ leaves: 2, waiting: 0 })
    expect((await told()).slice(-2).sort()).toEqual([
      '2026-03-10 payout ngo:msf -100000 payouts-open 100000',
      '2026-03-11 paid payouts 100000 payouts-open -100000',
    ])
    expect(await findings()).toEqual([])
  })

  it('waits where it would tell what a single recipient chose', async () => {
    await sellAndRedeem(19)
    const payout = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    clock.advance(1)
    // The one card of the batch that the payout does not pay out.
    await sellAndRedeem(1)
    await markPaid(test.db, { id: payout.id, reference: 'SEPA 1' }, clock())
    clock.set(NEXT_DAY)
    await sequence()
    const causes = async () => (await leaves()).map(({ cause }) => cause)
    expect(await causes()).toContain('given')
    expect(await causes()).not.toContain('payout')
    const other = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    await markPaid(test.db, { id: other.id, reference: 'SEPA 2' }, clock())
    clock.advance(DAY_MS)
    // Together with the next one it tells no more than the batch.
    expect(await sequence()).toMatchObject({ leaves: 2, waiting: 0 })
    expect(await told()).toContainEqual(expect.stringMatching(/ payout ngo:msf -100000 /))
    expect(await balances('published')).toEqual(await balances('all'))
    expect(await findings()).toEqual([])
  })

  it('that was noted as paid by mistake is turned round line by line, and the sums are those of the books', async () => {
    await sellAndRedeem(20)
    const { id } = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    await markPaid(test.db, { id, reference: 'SEPA 1' }, clock())
    const paid = '2026-03-10 paid payouts 100000 payouts-open -100000'
    const isWhole = async () => {
      await derive()
      const { sums } = await verifyFolder(folder, signer.verifier)
      expect(summed([...sums.get('EUR')!])).toEqual(await balances('all'))
      expect(await findings()).toEqual([])
    }
    clock.set(NEXT_DAY)
    await sequence()
    expect((await told()).slice(-2)).toContain(paid)
    await isWhole()
    await markUnpaid(test.db, id, clock())
    clock.advance(DAY_MS)
    expect(await sequence()).toMatchObject({ leaves: 1, waiting: 0 })
    expect((await told()).at(-1)).toBe('2026-03-11 paid payouts -100000 payouts-open 100000')
    await isWhole()
    await markPaid(test.db, { id, reference: 'SEPA 2' }, clock())
    clock.advance(DAY_MS)
    expect(await sequence()).toMatchObject({ leaves: 1, waiting: 0 })
    expect((await told()).at(-1)).toBe('2026-03-12 paid payouts 100000 payouts-open -100000')
    await isWhole()
  })

  it('that was noted as paid by mistake before its line was shown waits as one that is not paid', async () => {
    await sellAndRedeem(20)
    const { id } = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    await markPaid(test.db, { id, reference: 'SEPA 1' }, clock())
    await markUnpaid(test.db, id, clock())
    clock.set(NEXT_DAY)
    await sequence()
    expect(await told()).not.toContainEqual(expect.stringMatching(/ (payout|paid) /))
    await markPaid(test.db, { id, reference: 'SEPA 2' }, clock())
    clock.advance(DAY_MS)
    expect(await sequence()).toMatchObject({ leaves: 2, waiting: 0 })
    expect((await told()).slice(-2).sort()).toEqual([
      '2026-03-10 payout ngo:msf -100000 payouts-open 100000',
      '2026-03-11 paid payouts 100000 payouts-open -100000',
    ])
    expect(await balances('published')).toEqual(await balances('all'))
    expect(await findings()).toEqual([])
  })

  it('that was taken back shows no amount', async () => {
    await sellAndRedeem(3)
    const payout = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    await cancelPayout(test.db, payout.id, clock())
    clock.set(NEXT_DAY)
    await sequence()
    expect(await told()).toContain('2026-03-10 payout ')
    expect(await findings()).toEqual([])
  })
})

describe('two servers, and one that is killed', () => {
  const scene = async () => {
    await sellAndRedeem(20)
    for (const support_amount of [100, 200])
      await sell({ support_amount, tax_amount: 21, total_amount: 5_000 + support_amount })
    clock.set(NEXT_DAY)
  }

  /** Every entry in one leaf, heads that fit, and files that verify. */
  const isWhole = async () => {
    expect(await findings()).toEqual([])
    const waiting = await test.db.read(reader =>
      reader
        .selectFrom('public_entries')
        .leftJoin('ledger_leaf_entries', 'entry_id', 'public_entries.id')
        .select('id')
        .where('entry_id', 'is', null)
        .execute(),
    )
    expect(waiting).toEqual([])
    await derive()
    const { sums } = await verifyFolder(folder, signer.verifier)
    expect(summed([...sums.get('EUR')!])).toEqual(await balances('all'))
  }

  it('write one tree at once', async () => {
    await scene()
    const others = await Promise.all([test.another(), test.another()])
    await Promise.all([test.db, ...others].map(db => sequence(db)))
    await sequence()
    await isWhole()
  })

  it('write one tree, where one has put in another place what the other is about to write', async () => {
    await sell()
    await sell({ created_at: CREATED_AT + DAY_MS, settled_at: CREATED_AT + DAY_MS })
    clock.set(NEXT_DAY + DAY_MS)
    let isFirst = true
    const slow: Database = {
      ...test.db,
      async transaction(fn) {
        // The other one has known of the first day alone.
        if (isFirst) await sequenceDays({ ...tools(), clock: () => NEXT_DAY }, goOn)
        isFirst = false
        return test.db.transaction(fn)
      },
    }
    // A line of the first day comes last.
    await sequenceDays({ ...tools(slow), draw: () => 0 }, goOn)
    expect(isFirst).toBe(false)
    expect(await leaves()).toHaveLength(1)
    await sequence()
    await isWhole()
  })

  it('go on with one tree, wherever one was killed', async () => {
    await scene()
    const rounds = count({ usual: 20, long: 200 })
    for (let step = 1; step <= rounds; step++) {
      const mortal = diesAt(step)
      await sequence(mortal.over(test.db)).catch(error => {
        if (!(error instanceof Killed)) throw error
      })
      expect(await findings()).toEqual([])
    }
    await sequence()
    await isWhole()
  })

  it('write one tree, two at once, one of which is killed each time', async () => {
    clock.set(NEXT_DAY)
    const other = await test.another()
    let killed = 0
    for (let step = 0; step < count({ usual: 20, long: 200 }); step++) {
      await sell()
      clock.advance(DAY_MS)
      const mortal = diesAt(1 + (step % 14))
      const runs = [sequence(mortal.over(test.db)), sequence(other)]
      for (const run of await Promise.allSettled(runs)) {
        if (run.status === 'fulfilled') continue
        expect(run.reason).toBeInstanceOf(Killed)
        killed++
      }
    }
    expect(killed).toBeGreaterThan(5)
    clock.advance(DAY_MS)
    await sequence()
    await isWhole()
  })

  it('are refused by the key of a place, whatever their leases say', async () => {
    await scene()
    await sequence()
    const [row] = await test.db.read(reader => reader.selectFrom('ledger_leaves').selectAll().execute())
    const again = test.db.transaction(trx =>
      trx
        .insertInto('ledger_leaves')
        .values({ ...row!, hash: 'another' })
        .execute(),
    )
    await expect(again).rejects.toThrow(/unique/i)
  })
})

describe('lines that another hand has changed', () => {
  it.each([
    [
      'a changed line',
      `update ledger_leaves set leaf = replace(leaf, '5000', '5001') where seq = 0`,
      'public-leaf-differs',
    ],
    [
      'a changed hash',
      `update ledger_leaves set hash = '${'0'.repeat(64)}' where seq = 0`,
      'public-leaf-differs',
    ],
    ['a lost line', 'delete from ledger_leaves where seq = 1', 'public-head-differs'],
    ['a line that nobody signed', `insert into ledger_leaves values (40, 'x', 'x')`, 'public-head-differs'],
    ['a changed head', `update ledger_heads set root = '${'0'.repeat(64)}'`, 'public-head-differs'],
    ['an entry in no line any more', 'delete from ledger_leaf_entries where seq = 0', 'public-leaf-differs'],
    [
      'an entry that says something else',
      `update public_entries set amounts = replace(amounts, '5000', '5001')`,
      'public-entry-differs',
    ],
    ['an entry of another day', `update public_entries set day = '2026-03-09'`, 'public-entry-differs'],
    ['an entry of another cause', `update public_entries set cause = 'claim'`, 'public-entry-differs'],
    [
      'an entry without a set',
      `insert into public_entries values ('sale:x', '2026-03-10', 'sale', 'EUR', '[]')`,
      'public-entry-differs',
    ],
    ['a set without an entry', 'delete from public_entries', 'public-entry-missing'],
  ])('are found: %s', async (_, statement, rule) => {
    for (let n = 0; n < 5; n++) await sell()
    clock.set(NEXT_DAY)
    await sequence()
    expect(await findings()).toEqual([])
    await test.plant(statement)
    expect((await findings()).map(finding => finding.rule)).toContain(rule)
  })

  it('are built upon by nobody, and no file of them is written', async () => {
    for (let n = 0; n < 5; n++) await sell()
    clock.set(NEXT_DAY)
    await sequence()
    await test.plant(`update ledger_leaves set hash = '${'0'.repeat(64)}' where seq = 0`)
    await expect(sequence()).rejects.toThrow(LedgerAltered)
    await expect(derive()).rejects.toThrow(LedgerAltered)
    expect(readdirSync(folder)).not.toContain('checkpoint')
  })
})

describe('an older backup', () => {
  it('is neither published nor built upon: there would be two logs under one name', async () => {
    for (let n = 0; n < 5; n++) await sell()
    clock.set(NEXT_DAY)
    await sequence()
    const tables = ['ledger_heads', 'ledger_leaf_entries', 'ledger_leaves'] as const
    await derive()
    for (let n = 0; n < 5; n++) await sell()
    clock.advance(DAY_MS)
    await sequence()
    await derive()
    const published = readFileSync(join(folder, 'checkpoint'), 'utf8')
    expect(published.split('\n')[1]).toBe('10')
    // As the night before has it.
    await test.plant(
      ...tables.map(table => `delete from ${table} where ${table === 'ledger_heads' ? 'size' : 'seq'} > 5`),
    )
    await test.plant(
      'delete from ledger_leaf_entries where seq = 5',
      'delete from ledger_leaves where seq = 5',
    )
    clock.advance(DAY_MS)
    await expect(derive()).rejects.toThrow(LedgerAltered)
    await expect(sequenceOnceADay(tools(), goOn)).rejects.toThrow('older backup')
    await test.plant(...tables.map(table => `delete from ${table}`))
    await expect(derive()).rejects.toThrow(LedgerAltered)
    expect(readFileSync(join(folder, 'checkpoint'), 'utf8')).toBe(published)
  })
})

describe('the files', () => {
  const all = (): string[] =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter(each => statSync(join(folder, each)).isFile())
      .sort()

  it('grow with the log, and keep the tiles of earlier heads', async () => {
    await sell()
    clock.set(NEXT_DAY)
    await sequence()
    expect(await derive()).toBe(1)
    expect(all()).toEqual(['checkpoint', 'tile/0/000.p/1', 'tile/entries/000.p/1'])
    const before = readFileSync(join(folder, 'tile/entries/000.p/1'))
    for (let n = 0; n < 5; n++) await sell()
    clock.advance(DAY_MS)
    await sequence()
    await derive()
    expect(all()).toEqual([
      'checkpoint',
      'tile/0/000.p/1',
      'tile/0/000.p/6',
      'tile/entries/000.p/1',
      'tile/entries/000.p/6',
    ])
    expect(readFileSync(join(folder, 'tile/entries/000.p/6')).subarray(0, before.length)).toEqual(before)
    // Lost files come again.
    rmSync(folder, { recursive: true })
    await derive()
    expect(all()).toEqual(['checkpoint', 'tile/0/000.p/6', 'tile/entries/000.p/6'])
    await verifyFolder(folder, signer.verifier)
  })

  it('are whole tiles of 256, whose partial ones are gone', async () => {
    for (let n = 0; n < 250; n++) await sell()
    clock.set(NEXT_DAY)
    await sequence()
    await derive()
    expect(all()).toContain('tile/0/000.p/250')
    for (let n = 0; n < 10; n++) await sell()
    clock.advance(DAY_MS)
    await sequence()
    await derive()
    expect(all()).toEqual([
      'checkpoint',
      'tile/0/000',
      'tile/0/001.p/4',
      'tile/1/000.p/1',
      'tile/entries/000',
      'tile/entries/001.p/4',
    ])
    const { checkpoint } = await verifyFolder(folder, signer.verifier)
    expect(checkpoint.size).toBe(260)
    expect(await python()).toMatchObject({ size: 260, root: Buffer.from(checkpoint.root).toString('hex') })
  })

  const python = async () => {
    const { stdout } = await run('python3', ['tests/support/verify-ledger.py', folder, signer.verifierText])
    return JSON.parse(stdout) as { size: number; root: string; sums: Record<string, Record<string, number>> }
  }

  it('are in order by another program, which knows only the specifications', async () => {
    await sellAndRedeem(20)
    await sell({ currency: 'USD' })
    clock.set(NEXT_DAY)
    await sequence()
    await derive()
    const { size, sums } = await python()
    expect(size).toBe((await leaves()).length)
    const { sums: ours } = await verifyFolder(folder, signer.verifier)
    const asObjects = Object.fromEntries(
      [...ours].map(([currency, each]) => [currency, Object.fromEntries(each)]),
    )
    expect(sums).toEqual(asObjects)
    // It is no program that is content with everything.
    for (const path of all()) {
      const file = join(folder, path)
      const bytes = readFileSync(file)
      writeFileSync(
        file,
        Buffer.concat([bytes.subarray(0, 40), Buffer.of(bytes[40]! ^ 1), bytes.subarray(41)]),
      )
      await expect(python(), path).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringContaining('FAULT'),
      })
      await expect(verifyFolder(folder, signer.verifier), path).rejects.toThrow()
      writeFileSync(file, bytes)
    }
    await python()
  })

  it('hold no key, no address, no name, no id, no theme and no time of day', async () => {
    const buyers = count({ usual: 40, long: 10_000 })
    const secrets = new Set<string>(['zaatari-theme'])
    for (let n = 0; n < buyers; n++) {
      const email = `buyer-${n}@people.example`
      const card = await sell({ sender_name: `Aina-${n}`, theme_id: 'zaatari-theme', email })
      clock.advance(61_000)
      await redeem(card, { [NGOS[n % 3]!]: 50 })
      for (const each of [email, `Aina-${n}`, card.privateKey, card.publicKey, card.cardId, card.orderId])
        secrets.add(each)
      secrets.add(testKeys.digest(card.privateKey)).add(testKeys.digest(card.publicKey))
    }
    clock.set(NEXT_DAY)
    await sequence()
    await derive()
    const rows = await test.db.read(reader => reader.selectFrom('ledger_nonces').select('nonce').execute())
    for (const { nonce } of rows) secrets.add(nonce)
    for (const path of all()) {
      const bytes = readFileSync(join(folder, path))
      const text = bytes.toString('latin1')
      for (const secret of secrets) expect(text.includes(secret), `${secret} in ${path}`).toBe(false)
      // Neither an hour nor a number of milliseconds.
      if (path.includes('entries')) expect(text).not.toMatch(/\d\d:\d\d|\b1[678]\d{11}\b/)
    }
    const given = (await leaves()).filter(({ cause }) => cause === 'given')
    expect(given.length).toBeGreaterThan(0)
    for (const { proof } of given) expect(proof.length).toBeGreaterThanOrEqual(20)
  })
})

it('takes money of one currency alone into an entry', async () => {
  const { post } = await import('#server/modules/ledger/post.ts')
  const entries = [
    ['payments', money(-1, 'EUR')],
    ['cards', money(1, 'EUR')],
    ['support', money(-1, 'USD')],
    ['tax', money(1, 'USD')],
  ] as const
  const set = { id: 'sale:x', cause: 'sale', cardId: null, orderId: null, at: 1, entries }
  await expect(test.db.transaction(trx => post(trx, set))).rejects.toThrow('one currency')
  const unknown = { ...set, cause: 'gift', entries: entries.slice(0, 2) }
  await expect(test.db.transaction(trx => post(trx, unknown))).rejects.toThrow('knows no "gift"')
})
