import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { autoDonateAt } from '#domain/card/term.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { manyPageOf, purchaseKeyVersion } from '#server/modules/gifts/many-pages.ts'
import { newCardRow } from '#server/modules/gifts/stored-cards.ts'
import { publicEntriesAmiss, setsNotPublic } from '#server/modules/integrity/check-public-ledger.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { isSealed, withdrawalsOf } from '#server/modules/payments/withdrawals/stored.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { tools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import { enqueue } from '#server/platform/outbox/enqueue.ts'
import { sellMany } from '#tests/builders/many.ts'
import { anOrder, CREATED_AT, keepTestTerms, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { dropTables } from '#tests/support/drop-tables.ts'

let test: TestDatabase
afterEach(() => test.close())

it('changes nothing when the tables are up to date', async () => {
  test = await openTestDatabase()
  const before = await test.dump()
  await (await openDatabase(test.location)).close()
  expect(await test.dump()).toBe(before)
})

it('makes the tables once when eight connections open a new database at once', async () => {
  test = await openTestDatabase()
  await dropTables(test)
  await Promise.all(Array.from({ length: 8 }, () => test.another()))
  const steps = (await test.dump()).split('\n').filter(line => line.startsWith('schema_steps'))
  expect(steps).toHaveLength(MIGRATIONS.length)
})

it('refuses a database that a newer version wrote', async () => {
  test = await openTestDatabase()
  await test.plant(`insert into schema_steps (name) values ('9999-from-the-future')`)
  await expect(openDatabase(test.location)).rejects.toThrow('newer than this program')
})

it('keeps nothing of a migration that fails', async () => {
  test = await openTestDatabase()
  // All tables but the last are missing: the step stops when it wants to make the one that is still there.
  await dropTables(test, table => table !== 'jobs')
  const before = await test.dump()
  await expect(openDatabase(test.location)).rejects.toThrow('already exists')
  expect(await test.dump()).toBe(before)
  await expect(test.db.read(db => db.selectFrom('orders').selectAll().execute())).rejects.toThrow()
})

it('says of orders from before the terms had versions that they are from before', async () => {
  test = await openTestDatabase()
  await dropTables(test)
  const { terms_version: _, offer_version: __, ...earlier } = anOrder()
  await test.db.transaction(async trx => {
    await sql`create table schema_steps (name text not null primary key)`.execute(trx)
    for (const step of MIGRATIONS) {
      if (step.name >= '0016') break
      await step.up(tools(test.engine, trx))
      await sql`insert into schema_steps (name) values (${step.name})`.execute(trx)
    }
    await trx
      .insertInto('orders')
      .values(earlier as typeof earlier & { terms_version: string; offer_version: string })
      .execute()
  })
  const db = await test.another()
  const order = await db.read(reader => reader.selectFrom('orders').selectAll().executeTakeFirstOrThrow())
  expect(order).toMatchObject({ id: earlier.id, terms_version: 'before-versions', fulfilment_consent: null })
  expect(order).toMatchObject({ offer_version: 'before-offers' })
  const withoutTerms = db.transaction(trx =>
    trx
      .insertInto('orders')
      .values(anOrder({ terms_version: null as unknown as string }))
      .execute(),
  )
  await expect(withoutTerms).rejects.toThrow(/check/i)
  for (const offer_version of [null as unknown as string, 'an offer that never was'])
    await expect(
      db.transaction(trx => trx.insertInto('orders').values(anOrder({ offer_version })).execute()),
    ).rejects.toThrow(/check|foreign/i)
})

it('keeps every card that was sold before withdrawals, and says why the frozen ones are held', async () => {
  test = await openTestDatabase()
  await dropTables(test)
  const ids: string[] = []
  await test.db.transaction(async trx => {
    await sql`create table schema_steps (name text not null primary key)`.execute(trx)
    for (const step of MIGRATIONS) {
      if (step.name >= '0016') break
      await step.up(tools(test.engine, trx))
      await sql`insert into schema_steps (name) values (${step.name})`.execute(trx)
    }
    const order = async (kind: 'donation' | 'volunteering') => {
      const {
        terms_version: _,
        offer_version: __,
        ...row
      } = anOrder({ kind, status: 'paid', settled_at: CREATED_AT })
      await trx
        .insertInto('orders')
        .values(row as typeof row & { terms_version: string; offer_version: string })
        .execute()
      return (await orderById(trx, row.id))!
    }
    /** As versions without check words made a card. */
    const withoutWord = <Kind extends GiftKind>(kind: Kind) => {
      const { check_digest: _, ...row } = newCardRow(testKeys, kind, {
        themeId: 'palestine',
        senderName: null,
        language: 'en',
        email: 'buyer@example.org',
        createdAt: CREATED_AT,
      })
      return row
    }
    for (const status of ['active', 'consumed', 'frozen', 'revoked']) {
      const bought = await order('donation')
      const { id: orderId } = bought
      const amounts = amountsOf(bought)
      const row = {
        ...withoutWord('donation'),
        order_id: orderId,
        kind: 'donation' as const,
        credit: amounts.price.amount,
        currency: amounts.price.currency,
        auto_donate_at: autoDonateAt(CREATED_AT),
        remind_at: null,
      }
      await trx.insertInto('cards').values(row).execute()
      const cardId = row.id
      await enqueue(trx, {
        kind: 'reminder',
        dedupeKey: `reminder:30:${cardId}`,
        payload: { cardId },
        runAt: CREATED_AT,
        subject: cardId,
      })
      // As versions without a public ledger booked it.
      const { price, net, tax, total } = amounts
      const booked = { payments: -total.amount, cards: price.amount, support: net.amount, tax: tax.amount }
      for (const [account, amount] of Object.entries(booked))
        await sql`insert into ledger_entries (id, set_id, account, currency, amount, card_id, order_id, cause, created_at)
          values (${`sale:${orderId}/${account}`}, ${`sale:${orderId}`}, ${account}, ${total.currency}, ${amount}, ${cardId},
            ${orderId}, 'sale', ${CREATED_AT})`.execute(trx)
      await sql`update cards set status = ${status} where id = ${cardId}`.execute(trx)
      if (status === 'consumed') {
        await sql`insert into redemptions (card_id, cause, request_digest, created_at)
          values (${cardId}, 'recipient', 'x', ${CREATED_AT})`.execute(trx)
        await sql`insert into allocations (card_id, ngo_id, position, points, amount, currency)
          values (${cardId}, 'msf', 0, 50, 5000, 'EUR')`.execute(trx)
      }
      if (status === 'frozen') ids.push(cardId)
    }
    for (const status of ['active', 'frozen', 'revoked']) {
      const row = {
        ...withoutWord('volunteering'),
        order_id: (await order('volunteering')).id,
        mission: '{"kind":"decide-later"}',
        answers: 0,
      }
      await trx.insertInto('volunteering_cards').values(row).execute()
      const cardId = row.id
      await sql`update volunteering_cards set status = ${status} where id = ${cardId}`.execute(trx)
      if (status === 'frozen') ids.push(cardId)
    }
  })
  const kept = (dump: string) =>
    dump
      .split('\n')
      .filter(line => /^(cards|volunteering_cards|redemptions|allocations|ledger_entries)\b/.test(line))
  const before = kept(await test.dump())
  expect(before.length).toBeGreaterThan(20)
  const db = await test.another()
  // What came to cards later stands behind the rest.
  const now = kept(
    (await test.dump())
      .replace(/,"(?:term_months|reminder_days|reminders_sent|check_digest)":[^,}]+/g, '')
      .replace(/,"position":"?0"?\}/g, '}'),
  )
  expect(now).toEqual(before)
  // What was booked before there was a public ledger stands in it.
  const rules = [setsNotPublic, publicEntriesAmiss]
  expect((await Promise.all(rules.map(rule => db.read(rule)))).flat()).toEqual([])
  const entries = await db.read(reader =>
    reader.selectFrom('public_entries').select(['day', 'cause']).execute(),
  )
  expect(entries.length).toBeGreaterThan(3)
  expect(new Set(entries.map(({ day, cause }) => `${day} ${cause}`))).toEqual(new Set(['2026-03-10 sale']))
  // Their papers have no word, and nobody who types one is told that it is theirs.
  for (const table of ['cards', 'volunteering_cards'] as const)
    expect(
      await db.read(reader => reader.selectFrom(table).select('check_digest').distinct().execute()),
    ).toEqual([{ check_digest: null }])
  const terms = await db.read(reader =>
    reader.selectFrom('cards').select(['term_months', 'reminder_days', 'reminders_sent']).execute(),
  )
  expect(new Set(terms.map(each => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ term_months: null, reminder_days: null, reminders_sent: 1 })]),
  )
  const holds = await db.read(reader =>
    reader.selectFrom('card_holds').selectAll().orderBy('card_id').execute(),
  )
  expect(holds).toEqual(ids.sort().map(card_id => ({ card_id, reason: 'dispute', created_at: CREATED_AT })))
  await db.transaction(async trx => {
    for (const table of ['cards', 'volunteering_cards'])
      await trx
        .updateTable(table as 'cards')
        .set({ status: 'cancelling' })
        .where('id', 'in', ids)
        .execute()
  })
})

it('keeps the withdrawals from before an order could have several, and their seals fit', async () => {
  test = await openTestDatabase()
  await dropTables(test)
  const order = anOrder({ status: 'paid', settled_at: CREATED_AT })
  const row = {
    ...{ order_id: order.id, state: 'refunded', answer: 'whole', amount: 6_500, attempt: 2 },
    ...{ stated_at: CREATED_AT, confirmed_at: CREATED_AT + 1 },
  } as const
  const covered = [row.state, row.answer, row.amount, row.attempt, row.stated_at, row.confirmed_at]
  // As it was made then.
  const seal = testKeys.mac(JSON.stringify(['withdrawal', order.id, ...covered]))
  await test.db.transaction(async trx => {
    await sql`create table schema_steps (name text not null primary key)`.execute(trx)
    for (const step of MIGRATIONS) {
      if (step.name >= '0084') break
      await step.up(tools(test.engine, trx))
      await sql`insert into schema_steps (name) values (${step.name})`.execute(trx)
    }
    await keepTestTerms(trx)
    await trx.insertInto('orders').values(order).execute()
    await sql`insert into withdrawals
      (order_id, state, answer, amount, attempt, stated_at, confirmed_at, changed_at, name, email, seal)
      values (${order.id}, 'refunded', 'whole', 6500, 2, ${CREATED_AT}, ${CREATED_AT + 1}, ${CREATED_AT + 2}, 'Aina', null, ${seal})`.execute(
      trx,
    )
  })
  const db = await test.another()
  const [kept] = await db.read(reader => withdrawalsOf(reader, order.id))
  expect(kept).toEqual({
    ...{ ...row, id: order.id, number: 1, cards: null, changed_at: CREATED_AT + 2 },
    ...{ name: 'Aina', email: null, seal },
  })
  expect(isSealed(testKeys, kept!)).toBe(true)
  expect(isSealed(testKeys, { ...kept!, cards: '1' })).toBe(false)
  expect(isSealed(testKeys, { ...kept!, number: 2 })).toBe(false)
})

it('gives an order of many from before the keys that stand in its buyer’s mails', async () => {
  test = await openTestDatabase()
  const ids = await test.db.transaction(async trx => {
    const { orderId, cardIds } = await sellMany(trx, 3)
    await trx.updateTable('cards').set({ key_version: 4 }).where('id', '=', cardIds[0]!).execute()
    return { orderId, cardIds }
  })
  const { db } = test
  const step = MIGRATIONS.find(({ name }) => name === '0090-purchase-keys')!
  await db.transaction(async trx => {
    await sql`alter table many_pages drop column purchase_key_version`.execute(trx)
    await step.up(tools(test.engine, trx))
  })
  const page = await db.read(reader => manyPageOf(reader, ids.orderId))
  expect(page).toMatchObject({ key_version: 1, purchase_key_version: 4 })
  const version = await db.read(reader => purchaseKeyVersion(reader, ids.orderId, { key_version: 1 }))
  expect(version).toBe(4)
})
