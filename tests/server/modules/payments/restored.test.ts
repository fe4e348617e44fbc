import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS } from '#domain/durations.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { endRestoration } from '#server/modules/gifts/cards/restored.ts'
import { createSendings } from '#server/modules/gifts/sendings/sendings.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { numberRefund } from '#server/modules/ledger/receipts.ts'
import { createCertificates } from '#server/modules/payments/certificates/certificates.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { startDonation } from '#server/modules/payments/start.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import { makeRun } from '#server/modules/payouts/runs.ts'
import { listReceipts } from '#server/modules/reports/receipts.ts'
import { backup } from '#server/ops/backup.ts'
import type { Tools } from '#server/ops/command.ts'
import { erase } from '#server/ops/erase.ts'
import { reconcile } from '#server/ops/reconcile.ts'
import { restore } from '#server/ops/restore.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { aStart, NGOS, openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

let fixture: PaymentsFixture
let folder: string
let tools: Tools
let db: Database | undefined
beforeEach(async () => {
  process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
  fixture = await openPaymentsFixture()
  folder = mkdtempSync(join(tmpdir(), 'gc-restored-'))
  const { dataDir, databaseUrl } = fixture.test.location
  tools = {
    database: async () => db ?? fixture.test.db,
    place: { dataDir, databaseUrl },
    environment: { CARD_KEY_SECRET: 'a secret of forty characters, or nearly so' },
    clock: fixture.clock,
    progress() {},
  }
})
afterEach(async () => {
  await db?.close()
  db = undefined
  // Nobody whom one test forgets is forgotten in the next one.
  rmSync(join(tools.place.dataDir, 'backups/erasures'), { force: true })
  await fixture.close()
  rmSync(folder, { recursive: true, force: true })
})

const selection = [{ ngoId: NGOS[0], points: 50 }]

/** The machine is lost, and what was backed up is brought back. @returns the site as it starts again */
async function lostAndRestored(file: string, by = tools) {
  await fixture.test.db.close()
  await restore.run(by, [file])
  return startedAgain()
}

async function startedAgain() {
  db = await openDatabase(fixture.test.location)
  const deps = { ...fixture.deps, db }
  return {
    db,
    payments: createPayments(deps),
    cards: createCards({ db, keys: deps.keys, clock: fixture.clock, listedNgoIds: () => NGOS }),
  }
}

const reconcileDone = (of: Database) => of.transaction(endRestoration)

async function bought(): Promise<{ sessionId: string; privateKey: string }> {
  const { sessionId } = await fixture.buy()
  const { privateKey } = await fixture.payments.settle(sessionId)
  return { sessionId, privateKey }
}

async function backedUp(): Promise<string> {
  const file = join(folder, 'copy')
  await backup.run(tools, [file])
  fixture.clock.advance(3_600_000)
  return file
}

describe('after a machine was lost between a backup and what came next', () => {
  it('gives no card twice, makes paid cards anew, follows refunds, and names what is lost', async () => {
    const used = await bought()
    const refunded = await bought()
    const opened = await fixture.start()
    const file = await backedUp()
    await fixture.cards.redeem(used.privateKey, selection)
    await fixture.pay(opened.sessionId)
    const before = await fixture.payments.settle(opened.sessionId)
    const [newest, of] = (await fixture.stripe.charges.list({ limit: 2 })).data
    expect(newest?.id).not.toBe(of?.id)
    await fixture.stripe.refunds.create({ charge: of!.id })
    await bought()
    expect(await erase.run(tools, ['buyer@mail.example', '--yes'])).toMatchObject({ ok: true })

    const site = await lostAndRestored(file)
    await expect(site.cards.redeem(used.privateKey, selection)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
    await expect(reconcile.run(tools, ['--done'])).rejects.toThrow('was not asked yet')
    expect(await site.payments.reconcileRestored()).toEqual({ paid: 4, cards: 1, reversed: 1, lost: 1 })
    expect(await site.payments.reconcileRestored()).toBeUndefined()
    expect(fixture.alarms).toContain('payment-without-order')

    const anew = await site.payments.settle(opened.sessionId)
    expect(anew.privateKey).not.toBe(before.privateKey)
    await expect(site.cards.redeem(refunded.privateKey, selection)).rejects.toMatchObject({
      code: 'card-not-found',
    })
    // What was made since the restore is nobody's of before.
    expect(await site.cards.redeem(anew.privateKey, selection)).toMatchObject({ allocations: [{}] })
    await expect(site.cards.redeem(used.privateKey, selection)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })

    const said = await reconcile.run(tools, [])
    expect(said).toMatchObject({ ok: false, data: { anew: [{ currency: 'EUR' }], reversed: 1, open: 1 } })
    expect(said.lines.join(' ')).toContain('Forgotten again: 1 person')
    const known = await site.db.read(reader => reader.selectFrom('cards').select('email').execute())
    expect(known.every(({ email }) => email === null)).toBe(true)
    expect(readFileSync(join(fixture.test.location.dataDir, 'backups/erasures'), 'utf8')).not.toContain(
      'buyer',
    )
    fixture.clock.advance(800 * DAY_MS)
    const due = () =>
      autoDonateSome({ ...fixture.deps, db: site.db, draw: () => 0, listedNgoIds: () => NGOS })
    expect(await due()).toMatchObject({ looked: 0, given: 0 })
    fixture.clock.advance(-800 * DAY_MS)
    expect(await reconcile.run(tools, ['--done'])).toMatchObject({ ok: true })
    expect(await reconcile.run(tools, [])).toMatchObject({ ok: true, data: null })
    expect(await site.cards.redeem(used.privateKey, selection)).toMatchObject({ allocations: [{}] })
    expect(await checkLedger(site.db)).toEqual([])
  })

  it('gives back the gift whose mail may have gone since the backup, and its link of before opens nothing', async () => {
    const { privateKey } = await bought()
    const { id } = await fixture.test.db.read(reader =>
      reader.selectFrom('cards').select('id').executeTakeFirstOrThrow(),
    )
    const sendings = createSendings(fixture.deps)
    const planned = { address: 'nora@nora.example', day: dayInMadrid(fixture.clock()), zone: 'Europe/Madrid' }
    await sendings.plan(id, fixture.deps.keys.sendingKey(id, 1), planned)
    const file = await backedUp()
    fixture.clock.advance(DAY_MS)
    const site = await lostAndRestored(file)
    await site.payments.reconcileRestored()
    expect(await reconcile.run(tools, ['--done'])).toMatchObject({ ok: true, data: { returned: 1 } })
    await expect(site.cards.redeem(privateKey, selection)).rejects.toMatchObject({ code: 'card-not-found' })
    const renewed = fixture.deps.keys.privateKey(id, 2)
    expect(await site.cards.redeem(renewed, selection)).toMatchObject({ allocations: [{}] })
    expect(await checkLedger(site.db)).toEqual([])
  })

  it('gives no number of a receipt or a certificate to a second order', async () => {
    const opened = [await fixture.start(), await fixture.start()]
    const file = await backedUp()
    /** Sells, certifies and refunds one order. @returns its three numbers, as they stand on paper */
    const numbersOf = async (
      by: Pick<Awaited<ReturnType<typeof startedAgain>>, 'db' | 'payments' | 'cards'>,
    ) => {
      const { sessionId } = opened.shift()!
      await fixture.pay(sessionId)
      const { privateKey } = await by.payments.settle(sessionId)
      await by.cards.redeem(privateKey, selection)
      const drawn = () => by.db.read(db => listReceipts(db, { from: 0, to: Number.MAX_SAFE_INTEGER }))
      const { orderId } = (await drawn())[0]!
      const certificates = createCertificates({
        ...fixture.deps,
        db: by.db,
        withdrawalDays: 14,
        market: () => ({ receipts: 'own' }),
      })
      const holder = { name: 'Aina Ferrer', document: '12345678Z', address: 'Carrer Major 1' }
      const { made } = await certificates.make(orderId, fixture.deps.keys.withdrawalKey(orderId, 1), holder)
      await by.db.transaction(trx => numberRefund(trx, { orderId, back: 100, at: fixture.clock() }))
      return [...(await drawn()).map(({ number }) => number), made?.number ?? '']
    }
    const before = await numbersOf({ ...fixture, db: fixture.test.db })
    const after = await numbersOf(await lostAndRestored(file))
    const withoutLetters = (numbers: readonly string[]) => numbers.map(number => number.slice(0, -5))
    expect(withoutLetters(after)).toEqual(withoutLetters(before))
    expect(new Set([...before, ...after]).size).toBe(6)
  })

  it('gives back other cards of an order of many, of which the backup knows no withdrawal', async () => {
    const { sessionId } = await fixture.buy({ cards: 3 })
    await fixture.payments.settlePurchase(sessionId)
    const { id } = await fixture.test.db.read(reader =>
      reader.selectFrom('orders').select('id').executeTakeFirstOrThrow(),
    )
    const withdraw = (by: Database, place: number) =>
      createWithdrawals({ ...fixture.deps, db: by, withdrawalDays: 14 }).confirm(
        id,
        fixture.deps.keys.withdrawalKey(id, 1),
        { name: 'Aina Puig', email: 'buyer@mail.example' },
        [place],
      )
    const file = await backedUp()
    await withdraw(fixture.test.db, 0)
    const site = await lostAndRestored(file)
    expect(await site.payments.reconcileRestored()).toMatchObject({ reversed: 1, lost: 0 })
    await withdraw(site.db, 2)
    const refunds = (await fixture.stripe.refunds.list({ limit: 10 })).data
    expect(refunds.map(({ metadata }) => metadata?.cards)).toEqual(['3', '1'])
    const after = await site.db.read(async reader => ({
      cards: await reader.selectFrom('cards').select('status').orderBy('position').execute(),
      withdrawals: await reader.selectFrom('withdrawals').select('state').execute(),
    }))
    expect(after.cards.map(({ status }) => status)).toEqual(['revoked', 'active', 'revoked'])
    expect(after.withdrawals).toEqual([{ state: 'refunded' }])
    expect(await checkLedger(site.db)).toEqual([])
  })

  it.each(['success page', 'event'] as const)(
    'makes the card of an order whose session the backup does not know, through the %s',
    async door => {
      const opened = await fixture.start()
      await fixture.test.db.transaction(trx =>
        trx
          .updateTable('orders')
          .set({ checkout_session_digest: null, checkout_session_sealed: null })
          .execute(),
      )
      const site = await lostAndRestored(await backedUp())
      await fixture.pay(opened.sessionId)
      if (door === 'event')
        for (const { body, signature } of await fixture.collectEvents())
          await site.payments.receiveEvent(body, signature)
      if (door === 'event') await reconcileDone(site.db)
      expect(await site.payments.settle(opened.sessionId)).toHaveProperty('privateKey')
    },
  )

  it.each(['before it is reconciled', 'after it', 'never'])(
    'names the payment of an earlier session of an order, whose later one is paid %s',
    async paid => {
      const attemptKey = 'one press'
      const used = await bought()
      const earlier = await fixture.start({ attemptKey })
      await fixture.test.db.transaction(trx =>
        trx
          .updateTable('orders')
          .set({ checkout_session_digest: null, checkout_session_sealed: null })
          .where('status', '=', 'open')
          .execute(),
      )
      const site = await lostAndRestored(await backedUp())
      await fixture.pay(earlier.sessionId)
      // Later than the provider keeps the key of the first one.
      const { url } = await startDonation({ ...fixture.deps, db: site.db }, { ...aStart, attemptKey })
      expect(url).not.toContain(earlier.sessionId)
      const later = new URL(url).pathname.split('/').at(-1)!
      const [ofEarlier] = (await fixture.stripe.charges.list({ limit: 1 })).data
      const settled = async () => {
        await fixture.pay(later)
        return site.payments.settle(later)
      }
      let card = paid === 'before it is reconciled' ? await settled() : undefined
      const found = await site.payments.reconcileRestored()
      expect(found).toEqual({ paid: card ? 3 : 2, cards: 0, reversed: 0, lost: 1 })
      expect(fixture.alarms).toContain('payment-without-order')
      if (paid === 'after it') card = await settled()
      // As the mail asks for.
      await fixture.stripe.refunds.create({ charge: ofEarlier!.id })
      for (const { body, signature } of await fixture.collectEvents())
        await site.payments.receiveEvent(body, signature)
      expect(await reconcile.run(tools, ['--done'])).toMatchObject({ ok: true })
      for (const each of card ? [used, card] : [used])
        expect(await site.cards.redeem(each.privateKey, selection)).toMatchObject({ allocations: [{}] })
      expect(await site.db.read(reader => reader.selectFrom('reversals').selectAll().execute())).toEqual([])
      expect(await checkLedger(site.db)).toEqual([])
    },
  )

  it('gives no card of before where the restore was cut off once the backup was in its place', async () => {
    const used = await bought()
    const file = await backedUp()
    await fixture.cards.redeem(used.privateKey, selection)
    const cutOff: Tools = {
      ...tools,
      progress(step) {
        if (step === 'checking what was restored') throw new Error('killed')
      },
    }
    await expect(lostAndRestored(file, cutOff)).rejects.toThrow('killed')
    const site = await startedAgain()
    await expect(site.cards.redeem(used.privateKey, selection)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
    expect(await site.payments.reconcileRestored()).toMatchObject({ paid: 1, lost: 0 })
  })

  it('asks the provider again where it did not answer, and pays no organisation meanwhile', async () => {
    const used = await bought()
    await fixture.cards.redeem(used.privateKey, selection)
    const site = await lostAndRestored(await backedUp())
    fixture.between(async () =>
      Response.json({ error: { type: 'api_error', message: 'down' } }, { status: 500 }),
    )
    await expect(site.payments.reconcileRestored()).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.between((request, next) => next(request))
    await expect(makeRun(site.db, fixture.deps.keys, { runKey: 'one' }, fixture.clock())).rejects.toThrow(
      'is owed again here',
    )
    expect(await site.payments.reconcileRestored()).toMatchObject({ paid: 1, cards: 0, lost: 0 })
    await reconcile.run(tools, ['--done'])
    await expect(makeRun(site.db, fixture.deps.keys, { runKey: 'one' }, fixture.clock())).rejects.not.toThrow(
      'is owed again here',
    )
  })

  it('does the same where the database was put back by other means, and is told so, as often as that is said', async () => {
    const used = await bought()
    fixture.clock.advance(3_600_000)
    const first = await reconcile.run(tools, ['--restored'])
    const since = (first.data as { since: number }).since
    await expect(fixture.cards.redeem(used.privateKey, selection)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
    const meanwhile = await bought()
    fixture.clock.advance(3_600_000)
    const again = await reconcile.run(tools, ['--restored'])
    expect(again).toMatchObject({ ok: true, data: { at: fixture.clock(), since, askedAt: undefined } })
    await expect(fixture.cards.redeem(meanwhile.privateKey, selection)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
    await expect(reconcile.run(tools, ['--restored', '--done'])).rejects.toThrow('before the site starts')
    await expect(reconcile.run(tools, ['--done'])).rejects.toThrow('was not asked yet')
    expect(await fixture.payments.reconcileRestored()).toEqual({ paid: 2, cards: 0, reversed: 0, lost: 0 })
    await reconcile.run(tools, ['--done'])
    expect(await fixture.cards.redeem(used.privateKey, selection)).toMatchObject({ allocations: [{}] })
  })
})
