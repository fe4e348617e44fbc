import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { createPayout } from '#server/modules/payouts/payouts.ts'
import type { Tools } from '#server/ops/command.ts'
import { move } from '#server/ops/move.ts'
import { anOrder, giveFreeCard, sellCards, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

/** A move needs both databases: it is tested where PostgreSQL runs. */
const itMoves = it.runIf(process.env.TEST_ENGINE === 'postgres')

let source: TestDatabase
let target: TestDatabase
beforeEach(async () => {
  if (process.env.TEST_ENGINE !== 'postgres') return
  source = await openTestDatabase('sqlite')
  target = await openTestDatabase('postgres', { isEmpty: true })
})
afterEach(async () => {
  await source?.close()
  await target?.close()
})

const toolsOf = async (): Promise<Tools> => {
  const db = await source.another()
  return {
    database: async () => db,
    place: source.location,
    environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock: () => 1,
    progress() {},
  }
}
/** The site's own connections are gone, as after a stop. */
const carryOut = async () => {
  let opened: ReturnType<TestDatabase['another']> | undefined
  const tools: Tools = {
    database: () => (opened ??= source.another()),
    place: source.location,
    environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock: () => 1,
    progress() {},
  }
  return move.run(tools, ['--to', target.location.databaseUrl ?? ''])
}

async function fill(): Promise<void> {
  const sold = await sellCards(source.db, 30)
  await source.db.transaction(giveFreeCard)
  const cards = createCards({ db: source.db, keys: testKeys, clock: () => 5, listedNgoIds: () => ['msf'] })
  for (const card of sold.slice(0, 9)) await cards.redeem(card.privateKey, [{ ngoId: 'msf', points: 50 }])
  await createPayout(source.db, { ngoId: 'msf', currency: 'EUR' }, 9)
}

itMoves('takes every row to the other database, and the books agree', async () => {
  await fill()
  await source.db.close()
  await carryOut()
  // The tests' own PostgreSQL client reads whole numbers as texts.
  const rows = (dump: string) =>
    dump
      .replace(/"(-?\d+)"/g, '$1')
      .split('\n')
      .sort()
  const [moved] = await target.db.read(db => db.selectFrom('audit_log').select(['id', 'action']).execute())
  expect(moved?.action).toBe('move')
  // Written when everything was there: the one row that the source has not.
  const arrived = rows(await target.dump()).filter(row => !row.includes(`"${moved?.id}"`))
  expect(arrived).toEqual(rows(await source.dump()))
  expect(await checkLedger(target.db)).toEqual([])
})

itMoves('is refused where the target holds anything, and changes nothing', async () => {
  await fill()
  await target.db.transaction(trx =>
    trx.insertInto('ended_sessions').values({ id: 'a session', expires_at: 1 }).execute(),
  )
  await source.db.close()
  const before = await target.dump()
  await expect(carryOut()).rejects.toMatchObject({
    name: 'Refusal',
    message: expect.stringContaining('not empty'),
  })
  expect(await target.dump()).toBe(before)
})

itMoves('is refused while a site has the embedded database open', async () => {
  await fill()
  const tools = await toolsOf()
  await expect(move.run(tools, ['--to', target.location.databaseUrl ?? ''])).rejects.toThrow('Stop it first')
  expect(await target.db.read(db => db.selectFrom('cards').select('id').execute())).toEqual([])
})

itMoves('moves nothing that an earlier version kept in clear before it is closed', async () => {
  await fill()
  const order = anOrder()
  await source.db.transaction(trx => trx.insertInto('orders').values(order).execute())
  await source.plant(`update orders set checkout_session_id = 'cs_test_1234567890' where id = '${order.id}'`)
  await source.db.close()
  const tools: Tools = { ...(await toolsOf()), environment: {} }
  const to = ['--to', target.location.databaseUrl ?? '']
  await expect(move.run(tools, to)).rejects.toThrow('CARD_KEY_SECRET is not set here')
  await (await tools.database()).close()
  await carryOut()
  const dump = await target.dump()
  expect(dump).toContain(order.id)
  expect(dump).not.toContain('cs_test_1234567890')
})
