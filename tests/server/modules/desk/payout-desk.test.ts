import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PayoutAct, PayoutActRefusal } from '#domain/desk/payout-acts.ts'
import { DAY_MS } from '#domain/durations.ts'
import { createDutyDesk } from '#server/modules/desk/duty-desk.ts'
import { createPayoutDesk, type FilesAsked } from '#server/modules/desk/payout-desk.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { endRestoration, noteRestoration } from '#server/modules/gifts/cards/restored.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { confirmPayee, proposePayee, withdrawPayee } from '#server/modules/payouts/payee-accounts.ts'
import { knownDuties } from '#server/modules/reports/duties.ts'
import type { Database } from '#server/platform/db/database.ts'
import { aPress } from '#tests/builders/press.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { entry, statement } from '#tests/support/bank-statement.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let queued: number
let presses = 0
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  queued = 0
  await give('msf', 'EUR')
  await give('msf', 'USD')
  await give('irc', 'EUR')
  await haveAccount('msf')
})
afterEach(() => test.close())

async function give(ngoId: string, currency: 'EUR' | 'USD'): Promise<void> {
  const card = await test.db.transaction(trx => sellCard(trx, { currency }))
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => [ngoId] })
  await cards.redeem(card.privateKey, [{ ngoId, points: 50 }])
}

const IBAN = 'ES9121000418450200051332'
async function haveAccount(ngoId: string): Promise<void> {
  const contact = `${ngoId}@example.org`
  await proposePayee(
    test.db,
    testKeys,
    { ngoId, legalName: `Fundació ${ngoId}`, contact, language: 'en', iban: IBAN },
    clock(),
  )
  await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, clock())
}

const desk = (db: Database = test.db) =>
  createPayoutDesk({
    db,
    keys: testKeys,
    clock,
    onQueued: () => void queued++,
    nameOf: ngoId => ngoId.toUpperCase(),
  })
const act = (asked: PayoutAct, press = `press ${presses++}`) => desk().act(asked, aPress(press))
const run = (name = '2026-03', press?: string) => {
  clock.advance(1)
  return act({ act: 'run', run: name, before: clock() }, press)
}
const shown = async () =>
  (await desk().look()).payouts
    .map(({ name, amount, currency, status, run: of }) => `${of}: ${name} ${amount} ${currency} ${status}`)
    .sort()
const idOf = async (currency: string) =>
  (await desk().look()).payouts.find(each => each.currency === currency)!.id
const refusal = (rule: PayoutActRefusal) => ({
  code: 'act-refused',
  details: { fields: [{ path: 'act', rule }] },
})
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })
const notes = () =>
  test.db.read(async reader =>
    (
      await reader
        .selectFrom('audit_log')
        .select(['actor', 'action', 'subject'])
        .orderBy('created_at')
        .execute()
    ).map(({ actor, action, subject }) => [actor, action, subject].join(' ')),
  )

describe('the Studio’s payouts', () => {
  it('are made in one run for whoever has an account, once for each press', async () => {
    expect((await desk().look()).withAccount).toEqual(['msf'])
    expect(await run('2026-03', 'one press')).toEqual({ isRepeated: false })
    expect(await run('2026-03', 'one press')).toEqual({ isRepeated: true })
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR open', '2026-03: MSF 5000 USD open'])
    expect(await notes()).toEqual(['interface payout run 2026-03'])
    expect(await findings()).toEqual([])
  })

  it('leave for the next run what was given after the operator had looked', async () => {
    const before = clock() + 1
    clock.advance(10)
    await give('msf', 'EUR')
    await act({ act: 'run', run: '2026-03', before })
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR open', '2026-03: MSF 5000 USD open'])
    expect((await desk().look()).nextRun).toBe('2026-03.2')
  })

  it('are noted as paid, with the mail to the organisation, and cancelled, with the money owed again', async () => {
    await run()
    const [euros, dollars] = [await idOf('EUR'), await idOf('USD')]
    await act({ act: 'paid', payout: euros, reference: ' SEPA 1 ' })
    await act({ act: 'cancel', payout: dollars })
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR paid', '2026-03: MSF 5000 USD cancelled'])
    const { payouts } = await desk().look()
    expect(payouts.find(({ id }) => id === euros)).toMatchObject({ reference: 'SEPA 1', said: 'mail waits' })
    expect(await notes()).toContain(`interface payout paid ${euros}`)
    expect(queued).toBe(3)
    expect(await findings()).toEqual([])
  })

  it('are taken back where they were noted as paid by mistake: they wait again, and the mail is dead', async () => {
    await run()
    const euros = await idOf('EUR')
    await act({ act: 'paid', payout: euros, reference: 'SEPA 1' })
    const byHand = async () =>
      (await desk().look()).payouts.filter(({ isByHand }) => isByHand).map(({ id }) => id)
    expect(await byHand()).toEqual([euros])
    await act({ act: 'unpaid', payout: euros })
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR open', '2026-03: MSF 5000 USD open'])
    expect([await byHand(), await notes()]).toEqual([
      [],
      expect.arrayContaining([`interface payout unpaid ${euros}`]),
    ])
    const advices = () =>
      test.db.read(reader => reader.selectFrom('payout_advices').selectAll().orderBy('id').execute())
    expect(await advices()).toMatchObject([{ withdrawn_at: clock() }])
    clock.advance(1)
    await act({ act: 'paid', payout: euros, reference: 'SEPA 2' })
    expect(await advices()).toMatchObject([{ withdrawn_at: clock() - 1 }, { withdrawn_at: null }])
    expect(await findings()).toEqual([])
  })

  it('are not taken back where the organisation says that the money has arrived', async () => {
    await run()
    const euros = await idOf('EUR')
    await act({ act: 'paid', payout: euros, reference: 'SEPA 1' })
    await test.db.transaction(trx =>
      trx.updateTable('payout_advices').set({ received_at: clock() }).execute(),
    )
    await expect(act({ act: 'unpaid', payout: euros })).rejects.toMatchObject(refusal('received'))
    expect((await desk().look()).payouts.map(({ status, isByHand }) => [status, isByHand])).toContainEqual([
      'paid',
      false,
    ])
    expect(await findings()).toEqual([])
  })

  it.each<[PayoutActRefusal, () => Promise<PayoutAct>]>([
    ['not-paid', async () => ({ act: 'unpaid', payout: await idOf('EUR') })],
    ['run-name', async () => ({ act: 'run', run: 'two words', before: 1 })],
    ['nothing-owed', async () => ({ act: 'run', run: 'x', before: 0 })],
    ['no-such-payout', async () => ({ act: 'cancel', payout: '0'.repeat(26) })],
    ['no-such-payout', async () => ({ act: 'paid', payout: 'a\0b', reference: 'R' })],
    ['reference', async () => ({ act: 'paid', payout: await idOf('EUR'), reference: ' ' })],
  ])('are refused for “%s”, and nothing is noted', async (rule, asked) => {
    await run()
    const before = await notes()
    await expect(act(await asked())).rejects.toMatchObject(refusal(rule))
    expect(await notes()).toEqual(before)
  })

  it('are refused where the bank has paid, where one was cancelled, and where a seal is broken', async () => {
    await run()
    const [euros, dollars] = [await idOf('EUR'), await idOf('USD')]
    await act({ act: 'paid', payout: euros, reference: 'SEPA 1' })
    await act({ act: 'cancel', payout: dollars })
    await expect(act({ act: 'cancel', payout: euros })).rejects.toMatchObject(refusal('paid-already'))
    await expect(act({ act: 'paid', payout: dollars, reference: 'R' })).rejects.toMatchObject(
      refusal('cancelled-already'),
    )
    await test.plant(`update payee_accounts set iban = 'DE89370400440532013000' where ngo_id = 'msf'`)
    await expect(run('2026-04')).rejects.toMatchObject(refusal('seal'))
    expect(await findings()).not.toEqual([])
  })

  it('are neither cancelled nor given to the bank while a restored backup is not reconciled, and are noted as paid', async () => {
    await run()
    await test.db.transaction(trx => noteRestoration(trx, clock()))
    const [euros, dollars] = [await idOf('EUR'), await idOf('USD')]
    await expect(act({ act: 'cancel', payout: euros })).rejects.toMatchObject(refusal('restored'))
    const asked = { run: '2026-03', iban: IBAN, payer: 'Keep the Chain' }
    await expect(desk().files(asked, aPress())).rejects.toMatchObject(refusal('restored'))
    await act({ act: 'paid', payout: euros, reference: 'SEPA 1' })
    await test.db.transaction(endRestoration)
    await act({ act: 'cancel', payout: dollars })
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR paid', '2026-03: MSF 5000 USD cancelled'])
  })

  it('keep one press for one act', async () => {
    await run('2026-03', 'one press')
    const other = act({ act: 'cancel', payout: await idOf('EUR') }, 'one press')
    await expect(other).rejects.toMatchObject(refusal('other-press'))
  })

  it('killed between any two statements are done and noted, or neither, and the same press ends right', async () => {
    clock.advance(1)
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      const press = `deadly press ${step}`
      const asked = { act: 'run', run: `run-${step}`, before: clock() } as const
      const outcome = await desk(mortal.over(test.db))
        .act(asked, aPress(press))
        .catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Killed)
      const isMade = (await shown()).some(each => each.startsWith(`run-${step}:`) && each.endsWith('open'))
      expect((await notes()).includes(`interface payout run run-${step}`)).toBe(isMade)
      await desk().act(asked, aPress(press))
      expect((await shown()).filter(each => each.endsWith('open'))).toHaveLength(2)
      expect(await findings()).toEqual([])
      if (mortal.survived()) break
      for (const { id, status } of (await desk().look()).payouts)
        if (status === 'open') await act({ act: 'cancel', payout: id })
    }
  })
})

describe('the files for the bank', () => {
  const asked: FilesAsked = { run: '2026-03', iban: 'DE89 3704 0044 0532 0130 00', payer: 'Regala' }

  it('hold euros for the bank and the others to type, and are written down', async () => {
    await run()
    const { file, others } = await desk().files(asked, aPress())
    expect(file).toMatchObject({ name: 'payouts-2026-03.xml', transfers: 1, sum: 5000 })
    expect(file!.text).toContain(`<IBAN>${IBAN}</IBAN>`)
    expect(others).toMatchObject({ name: 'payouts-2026-03-others.csv', transfers: 1 })
    expect(others!.text).toContain('USD,50.00')
    expect(await notes()).toContain('interface payout file 2026-03')
  })

  it.each<[PayoutActRefusal, Partial<FilesAsked>]>([
    ['payer-account', { iban: 'DE00 3704 0044 0532 0130 00' }],
    ['payer-account', { bic: 'nonsense' }],
    ['payer-name', { payer: ' ' }],
    ['day', { on: '2020-01-01' }],
    ['day', { on: 'soon' }],
    ['no-such-run', { run: 'none' }],
  ])('are refused for “%s”', async (rule, change) => {
    await run()
    await expect(desk().files({ ...asked, ...change }, aPress())).rejects.toMatchObject(refusal(rule))
    expect(await notes()).toEqual(['interface payout run 2026-03'])
  })

  it('are refused where everything is paid, and where the account is another one', async () => {
    await run()
    await withdrawPayee(test.db, testKeys, { ngoId: 'msf', state: 'current' }, clock())
    await expect(desk().files(asked, aPress())).rejects.toMatchObject(refusal('account-changed'))
    for (const currency of ['EUR', 'USD'])
      await act({ act: 'paid', payout: await idOf(currency), reference: currency })
    await expect(desk().files(asked, aPress())).rejects.toMatchObject(refusal('nothing-to-transfer'))
  })
})

describe('a bank’s statement in the Studio', () => {
  it('is read first and noted after, the same statement once', async () => {
    await run()
    const [euros, dollars] = [await idOf('EUR'), await idOf('USD')]
    const text = statement([
      entry({ id: euros, amount: '50.00' }),
      entry({ id: dollars, amount: '49.00', currency: 'USD' }),
    ])
    const read = await desk().statement({ text, isApplied: false }, aPress('a look'))
    expect([read.paid.length, read.amiss.length, read.isApplied]).toEqual([1, 1, false])
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR open', '2026-03: MSF 5000 USD open'])
    const noted = await desk().statement({ text, isApplied: true }, aPress())
    expect(noted.paid.map(({ payout }) => payout.id)).toEqual([euros])
    expect(await shown()).toEqual(['2026-03: MSF 5000 EUR paid', '2026-03: MSF 5000 USD open'])
    expect(await desk().statement({ text, isApplied: true }, aPress())).toMatchObject({
      paid: [],
      noted: [euros],
    })
    expect((await notes()).filter(each => each.includes('payout import'))).toHaveLength(1)
    expect(await findings()).toEqual([])
  })

  it('may be a table, with a mark of byte order', async () => {
    await run()
    const text = `\uFEFFReference;End to end id;Amount;Currency\nR 1;${await idOf('EUR')};-50,00;EUR`
    expect((await desk().statement({ text, isApplied: true }, aPress())).paid).toHaveLength(1)
  })

  it.each(['<html/>', 'no table at all', '<?xml version="1.0"?><!DOCTYPE a><a/>', ''])(
    'that is none is said to be unreadable: %s',
    async text => {
      const read = await desk().statement({ text, isApplied: true }, aPress())
      expect(read).toMatchObject({ isApplied: false, paid: [] })
      expect(read.unreadable).toMatch(/\.$/)
      expect(await notes()).toEqual([])
    },
  )
})

describe('the Studio’s duties', () => {
  const duties = () =>
    createDutyDesk({
      db: test.db,
      clock,
      known: now => test.db.snapshot(reader => knownDuties(reader, now)),
    })

  it('are those of the terminal, and go when they are noted, once for each press', async () => {
    clock.advance(400 * DAY_MS)
    const names = async () => (await duties().due()).map(({ name }) => name)
    expect(await names()).toContain('vat')
    expect(await names()).toContain('payouts')
    expect(await duties().note('vat', aPress('one press'))).toEqual({ isRepeated: false })
    expect(await duties().note('vat', aPress('one press'))).toEqual({ isRepeated: true })
    expect(await names()).not.toContain('vat')
    expect(await notes()).toEqual(['interface did vat'])
  })

  it('are not noted where the data say whether they are done', async () => {
    await expect(duties().note('payouts', aPress())).rejects.toMatchObject({ code: 'act-refused' })
    expect(await notes()).toEqual([])
  })
})
