import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { endRestoration, noteRestoration } from '#server/modules/gifts/cards/restored.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import {
  confirmPayee,
  type NewPayee,
  proposePayee,
  withdrawPayee,
} from '#server/modules/payouts/payee-accounts.ts'
import { cancelPayout, createPayout, markPaid, payouts } from '#server/modules/payouts/payouts.ts'
import { makeRun, transfersOf } from '#server/modules/payouts/runs.ts'
import type { Tools } from '#server/ops/command.ts'
import { payout as payoutCommand } from '#server/ops/payout.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { entry, statement } from '#tests/support/bank-statement.ts'
import { count } from '#tests/support/counts.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  await give({ msf: 30, cerf: 20 })
  await give({ msf: 50 })
  await give({ msf: 50 }, 'USD')
  await give({ irc: 50 })
})
afterEach(() => test.close())

/** A card of 50 given whole, `points` to each organisation. */
async function give(
  points: Readonly<Record<string, number>>,
  currency: 'EUR' | 'USD' = 'EUR',
): Promise<void> {
  const card = await test.db.transaction(trx => sellCard(trx, { currency }))
  const ngoIds = Object.keys(points)
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ngoIds })
  await cards.redeem(
    card.privateKey,
    ngoIds.map(ngoId => ({ ngoId, points: points[ngoId]! })),
  )
}

async function haveAccount(ngoId: string, changes: Partial<NewPayee> = {}): Promise<void> {
  const typed = {
    ngoId,
    legalName: `Fundació ${ngoId}`,
    contact: `${ngoId}@example.org`,
    language: 'en',
    iban: 'ES9121000418450200051332',
  } as const
  await proposePayee(test.db, testKeys, { ...typed, ...changes }, clock())
  await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, clock())
}
const run = (runKey = '2026-03', db: Database = test.db) => makeRun(db, testKeys, { runKey }, clock())
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })
const owedNow = async () =>
  (await test.db.read(owed)).map(({ ngoId, currency, amount }) => `${ngoId} ${amount} ${currency}`)
const made = async () =>
  (await test.db.read(reader => payouts(reader)))
    .map(({ ngo_id, amount, currency, status }) => `${ngo_id} ${amount} ${currency} ${status}`)
    .sort()

describe('a run of payouts', () => {
  it('pays each organisation in each currency once, and names those without an account', async () => {
    await haveAccount('msf')
    await haveAccount('cerf')
    const { payouts: some, withoutAccount } = await run()
    expect(some.map(({ ngo_id, amount, currency }) => [ngo_id, amount, currency])).toEqual([
      ['cerf', 2000, 'EUR'],
      ['msf', 8000, 'EUR'],
      ['msf', 5000, 'USD'],
    ])
    expect(withoutAccount).toEqual(['irc'])
    expect(await owedNow()).toEqual(['irc 5000 EUR'])
    expect(await findings()).toEqual([])
  })

  it('is the same run when it is asked for again, and when two ask at once', async () => {
    await haveAccount('msf')
    const [one, other] = await Promise.all([
      run(),
      makeRun(await test.another(), testKeys, { runKey: '2026-03' }, clock()),
    ])
    expect(one.run.id).toBe(other.run.id)
    await give({ msf: 50 })
    const again = await run()
    expect(again.isNew).toBe(false)
    expect(again.payouts.map(({ id }) => id).sort()).toEqual(one.payouts.map(({ id }) => id).sort())
    expect(await made()).toEqual(['msf 5000 USD open', 'msf 8000 EUR open'])
    expect(await findings()).toEqual([])
  })

  it('has a name of its own, also for the database', async () => {
    const add = (id: string) =>
      test.db.transaction(trx =>
        trx.insertInto('payout_runs').values({ id, run_key: '2026-03', created_at: 1 }).execute(),
      )
    await add('one')
    await expect(add('other')).rejects.toThrow(/unique/i)
  })

  it('is refused, and nothing is written, where nobody has a confirmed account', async () => {
    const before = await test.dump()
    await expect(run()).rejects.toThrow('No confirmed account: cerf, irc, msf.')
    expect(await test.dump()).toBe(before)
  })

  it('pays nobody where one account was written by another hand', async () => {
    await haveAccount('msf')
    await haveAccount('cerf')
    await test.plant(`update payee_accounts set iban = 'DE89370400440532013000' where ngo_id = 'msf'`)
    const before = await test.dump()
    await expect(run()).rejects.toThrow('has not the seal')
    expect(await test.dump()).toBe(before)
  })

  it('killed between any two statements is whole or nothing, and ends right when it is asked for again', async () => {
    await haveAccount('msf')
    await haveAccount('cerf')
    for (let step = 1; ; step += count({ usual: 5, long: 1 })) {
      const runKey = `run-${step}`
      const mortal = diesAt(step)
      const outcome = await run(runKey, mortal.over(test.db)).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Killed)
      expect(await findings()).toEqual([])
      const { payouts: some } = await run(runKey)
      expect(some).toHaveLength(3)
      expect(await findings()).toEqual([])
      if (mortal.survived()) break
      for (const { id } of some) await cancelPayout(test.db, id, clock())
    }
    expect((await made()).filter(each => each.endsWith('open'))).toHaveLength(3)
  })

  it('is transferred to the account that was confirmed when it was made, or not at all', async () => {
    await haveAccount('msf')
    await run()
    const transfers = () => test.db.read(reader => transfersOf(reader, testKeys, '2026-03'))
    expect((await transfers()).transfers).toHaveLength(2)
    await haveAccount('irc')
    await test.plant(`update payouts set account_id = (select id from payee_accounts where ngo_id = 'irc')
      where currency = 'EUR'`)
    await expect(transfers()).rejects.toThrow('account of msf has changed')
    await test.plant(`update payouts set account_id = (select id from payee_accounts where ngo_id = 'msf')`)
    expect((await transfers()).transfers).toHaveLength(2)
    await withdrawPayee(test.db, testKeys, { ngoId: 'msf', state: 'current' }, clock())
    await expect(transfers()).rejects.toThrow('account of msf has changed')
  })
})

it.each(['amount = amount + 1', `currency = 'USD'`])(
  'of which another hand has set %s is not transferred',
  async change => {
    await haveAccount('irc')
    await run()
    await test.plant(`update payouts set ${change}`)
    const transfers = test.db.read(reader => transfersOf(reader, testKeys, '2026-03'))
    await expect(transfers).rejects.toThrow('is not the sum of its gifts')
  },
)

describe('a cancelled payout', () => {
  const pay = () => createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())

  it('turns the books round, and its gifts are owed again and paid out once', async () => {
    const { id } = await pay()
    await cancelPayout(test.db, id, clock())
    await cancelPayout(test.db, id, clock())
    expect(await findings()).toEqual([])
    expect(await owedNow()).toContain('msf 8000 EUR')
    await pay()
    expect(await made()).toEqual(['msf 8000 EUR cancelled', 'msf 8000 EUR open'])
    expect(await findings()).toEqual([])
  })

  it('is not one that the bank has paid, and is not paid afterwards', async () => {
    const { id } = await pay()
    await markPaid(test.db, { id, reference: 'SEPA 1' }, clock())
    await expect(cancelPayout(test.db, id, clock())).rejects.toThrow('The bank has paid it')
    const other = await createPayout(test.db, { ngoId: 'irc', currency: 'EUR' }, clock())
    await cancelPayout(test.db, other.id, clock())
    await expect(markPaid(test.db, { id: other.id, reference: 'SEPA 2' }, clock())).rejects.toThrow(
      'was cancelled',
    )
    await expect(cancelPayout(test.db, 'nothing', clock())).rejects.toThrow('no such payout')
    expect(await findings()).toEqual([])
  })

  it('killed between any two statements is whole or nothing', async () => {
    const { id } = await pay()
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      await cancelPayout(mortal.over(test.db), id, clock()).catch(() => undefined)
      expect(await findings()).toEqual([])
      if (mortal.survived()) break
    }
    await cancelPayout(test.db, id, clock())
    expect(await owedNow()).toContain('msf 8000 EUR')
    expect(await findings()).toEqual([])
  })

  it('that another hand made of an open one is found', async () => {
    await pay()
    await test.plant(`update payouts set status = 'cancelled', cancelled_at = 1`)
    expect(new Set((await findings()).map(({ rule }) => rule))).toEqual(
      new Set(['payout-differs', 'payout-books-differ']),
    )
  })
})

describe('an operator', () => {
  let folder: string
  let tools: Tools
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gc-runs-'))
    tools = {
      database: async () => test.db,
      place: { dataDir: folder },
      environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
      clock,
      progress() {},
    }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const tell = async (...args: string[]) => (await payoutCommand.run(tools, args)).lines.join('\n')
  const FILE = ['file', '2026-03', '--iban', 'DE89370400440532013000', '--payer', 'Keep the Chain']

  describe('with a restored backup that is not reconciled', () => {
    let id: string
    beforeEach(async () => {
      for (const ngoId of ['msf', 'cerf', 'irc']) await haveAccount(ngoId)
      const { payouts: some } = await run()
      id = some.find(({ ngo_id }) => ngo_id === 'irc')!.id
      await give({ msf: 50 })
      await test.db.transaction(trx => noteRestoration(trx, clock()))
    })

    it.each<[string, () => string[]]>([
      ['a run anew', () => ['run', '2026-04']],
      ['a run of before', () => ['run', '2026-03']],
      ['the bank’s file', () => [...FILE, '--to', join(folder, 'bank.xml')]],
      ['the other transfers', () => ['others', '2026-03']],
      ['the table of what is to be paid', () => ['csv']],
      ['a cancellation', () => ['cancel', id]],
    ])('is refused %s, since the bank may have paid it', async (_, words) => {
      const before = await made()
      await expect(tell(...words())).rejects.toThrow('is owed again here')
      expect(existsSync(join(folder, 'bank.xml'))).toBe(false)
      expect(await made()).toEqual(before)
      await test.db.transaction(endRestoration)
      await expect(tell(...words())).resolves.toBeDefined()
    })

    it('notes what the bank has paid, and looks', async () => {
      expect(await tell('paid', id, '--reference', 'SEPA 1')).toContain('is paid')
      await give({ irc: 50 })
      expect(await tell('create', 'irc', 'EUR')).toContain('50.00 EUR')
      for (const words of [['owed'], ['list'], ['csv', '--all'], ['receipts']])
        await expect(tell(...words)).resolves.toBeDefined()
      const other = (await test.db.read(payouts)).find(({ ngo_id }) => ngo_id === 'cerf')!
      const file = join(folder, 'statement.xml')
      writeFileSync(file, statement([entry({ id: other.id, amount: '20.00' })]))
      await tell('import', file, '--apply')
      expect(await made()).toContain('cerf 2000 EUR paid')
    })
  })

  it('makes a run, its file for the bank once, and the table of the other transfers', async () => {
    await haveAccount('msf')
    await haveAccount('cerf', { iban: undefined, country: 'US', number: '123456', routing: '021000021' })
    expect(await tell('run', '2026-03')).toMatch(/3 payouts[\s\S]*Left out. No confirmed account: irc\./)
    expect(await tell('run', '2026-03')).toContain('was made before')
    const to = join(folder, 'bank.xml')
    expect(await tell(...FILE, '--to', to)).toContain('1 transfer, 80.00 EUR')
    const xml = readFileSync(to, 'utf8')
    expect(xml).toContain('<ReqdExctnDt><Dt>2026-03-10</Dt></ReqdExctnDt>')
    expect(xml).toContain('<Nm>Fundacio msf</Nm>')
    await expect(tell(...FILE, '--to', to)).rejects.toThrow('is there already')
    const again = join(folder, 'again.xml')
    // Half past eleven in the evening in UTC: past midnight for the bank.
    clock.advance(Date.parse('2026-03-10T23:30:00Z') - clock())
    await tell(...FILE, '--to', join(folder, 'night.xml'))
    expect(readFileSync(join(folder, 'night.xml'), 'utf8')).toContain('<Dt>2026-03-11</Dt>')
    await tell(...FILE, '--to', again, '--on', '2026-03-10')
    expect(readFileSync(again, 'utf8')).toBe(xml)
    const others = (await tell('others', '2026-03')).split('\r\n')
    expect(others).toHaveLength(3)
    expect(others.join()).toMatch(/Fundació cerf,,US,,123456,021000021,,EUR,20\.00/)
    expect(others.join()).toMatch(/Fundació msf,,ES,ES9121000418450200051332,,,,USD,50\.00/)
  })

  it('is told why not', async () => {
    await expect(tell('run', '2026-03')).rejects.toThrow('No confirmed account')
    await expect(tell('run', 'a b')).rejects.toThrow('The name of a run')
    await expect(tell('run', '2026-03', '--before', '2026-02-30')).rejects.toThrow(
      '"2026-02-30" is not a day',
    )
    await expect(tell(...FILE, '--to', join(folder, 'x'))).rejects.toThrow('no run "2026-03"')
    await expect(
      tell('file', '2026-03', '--iban', 'DE00', '--payer', 'x', '--to', join(folder, 'x')),
    ).rejects.toThrow('not an IBAN')
  })
})
