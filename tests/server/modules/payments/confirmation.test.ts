import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import type { SettledDonation } from '#domain/payment/purchase.ts'
import { holdCard } from '#server/modules/gifts/holds.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { createSmtpTransport } from '#server/modules/letters/smtp-transport.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { TEST_TERMS } from '#tests/builders/server.ts'
import { sharedNow } from '#tests/support/shared-now.ts'
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture, SITE } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
let card: SettledDonation
let sessionId: string
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  sessionId = (await fixture.buy()).sessionId
  card = await fixture.payments.settle(sessionId)
})
afterEach(() => fixture.close())

const mails = async () => (await fixture.counts()).mails
/** What the worker does with a mail. */
const sendAll = () =>
  fixture.test.db.transaction(trx =>
    trx
      .updateTable('jobs')
      .set({ done_at: fixture.clock(), attempts: 1 })
      .where('done_at', 'is', null)
      .execute(),
  )
const ask = (changes: Partial<SettledDonation> = {}) =>
  fixture.payments.requestConfirmation({ ...card, ...changes })

describe('asking for the confirmation again', () => {
  it('joins the mail that is still queued, however many ask', async () => {
    await Promise.all([ask(), ask(), ask()])
    expect(await mails()).toBe(1)
  })

  it('queues one more once the last has gone, even in the same moment', async () => {
    await sendAll()
    await Promise.all([ask(), ask(), ask()])
    expect(await mails()).toBe(2)
    await sendAll()
    await ask()
    expect(await mails()).toBe(3)
  })

  it('leaves alone the mail that somebody is sending just now', async () => {
    const lease = {
      run_at: fixture.clock() + 1,
      lease_until: sharedNow(fixture.test, fixture.clock) + 60_000,
    }
    await fixture.test.db.transaction(trx => trx.updateTable('jobs').set(lease).execute())
    expect(await ask()).toEqual({ status: 'queued' })
    expect(await fixture.test.db.read(db => db.selectFrom('jobs').select('run_at').execute())).toEqual([
      { run_at: lease.run_at },
    ])
  })

  it('sends at most five a day, and says when the next may go', async () => {
    for (let n = 1; n < 5; n++) {
      await sendAll()
      fixture.clock.advance(HOUR_MS)
      await ask()
    }
    expect(await mails()).toBe(5)
    await sendAll()
    fixture.clock.advance(HOUR_MS)
    await expect(ask()).rejects.toMatchObject({
      code: 'too-many-requests',
      details: { retryAfterSeconds: 19 * 3_600, fields: [{ path: 'mail', rule: 'delivered' }] },
    })
    fixture.clock.advance(19 * HOUR_MS - 1)
    await expect(ask()).rejects.toMatchObject({ code: 'too-many-requests' })
    fixture.clock.advance(1)
    await ask()
    expect(await mails()).toBe(6)
  })

  it('goes to the address of the payment, whatever the request says', async () => {
    await sendAll()
    fixture.clock.advance(HOUR_MS)
    await ask({ email: 'thief@mail.example' })
    expect(await fixture.test.dump()).not.toContain('thief')
    const emails = await fixture.test.db.read(db => db.selectFrom('cards').select('email').execute())
    expect(emails).toEqual([{ email: 'buyer@mail.example' }])
  })

  it('needs both keys of this very card', async () => {
    const other = await fixture.payments.settle((await fixture.buy()).sessionId)
    await sendAll()
    fixture.clock.advance(HOUR_MS)
    const before = await fixture.test.dump()
    const wrong: Partial<SettledDonation>[] = [
      { cardId: 'unknown' },
      { cardId: other.cardId },
      { privateKey: other.privateKey },
      { publicKey: other.publicKey },
      { privateKey: card.publicKey },
      { publicKey: card.privateKey },
      { privateKey: card.publicKey, publicKey: card.privateKey },
      { privateKey: '' },
      { publicKey: `${card.publicKey}x` },
      { privateKey: `${card.privateKey}a` },
    ]
    for (const changes of wrong) await expect(ask(changes)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await fixture.test.dump()).toBe(before)
  })

  it.each(['frozen', 'revoked'] as const)('finds no %s card', async status => {
    await fixture.test.plant(`update cards set status = '${status}'`)
    await sendAll()
    await expect(ask()).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('says so when the payment gave no address', async () => {
    await fixture.test.plant('update cards set email = null')
    await expect(ask()).rejects.toMatchObject({ code: 'invalid-fields' })
  })
})

/** What the server does whenever something is due. */
async function workWith(sink: SmtpSink): Promise<void> {
  const { db, keys, clock, log } = fixture.deps
  const mail = createMail({
    db,
    keys,
    clock,
    log,
    render: async () => '<p>The letter</p>',
    transport: createSmtpTransport(sink.url),
    siteUrl: SITE,
    mailFrom: 'cards@cards.example',
    siteName: () => 'Cards',
    contact: () => 'hello@cards.example',
    identity: () => undefined,
    newsletterTokens: createTokens('a secret'),
    ngoName: id => id,
  })
  await createWorker({ db, clock, log, handlers: mail.handlers }).runDue()
  mail.close()
}

describe('a mail server that refuses', () => {
  let sink: SmtpSink
  beforeEach(async () => {
    sink = await startSmtpSink()
  })
  afterEach(() => sink.close())

  const work = () => workWith(sink)
  const isSent = async () => (await fixture.payments.settle(sessionId)).isConfirmationEmailSent

  it('for now: the mail is failing, not sent, and asking tries the same one at once', async () => {
    expect(await ask()).toEqual({ status: 'queued' })
    sink.refuseRecipients('450 4.2.1 try again later')
    await work()
    expect(await isSent()).toBe(false)
    expect(await ask()).toEqual({ status: 'failing' })
    await work()
    expect(await ask()).toEqual({ status: 'failing' })
    expect(await isSent()).toBe(false)
    sink.refuseRecipients(undefined)
    await work()
    expect(await isSent()).toBe(true)
    expect([sink.mails.length, await mails()]).toEqual([1, 1])
  })

  it('for good: asking says that it failed, and sends another', async () => {
    sink.refuseRecipients('550 5.1.1 no such mailbox')
    await work()
    expect(await isSent()).toBe(false)
    expect(await ask()).toEqual({ status: 'failing' })
    expect(await mails()).toBe(2)
    sink.refuseRecipients(undefined)
    await work()
    expect(await isSent()).toBe(true)
  })

  it('uses up no mail of the day, until so many were tried that no address is that wrong', async () => {
    await work()
    sink.refuseRecipients('550 5.1.1 no such mailbox')
    for (let n = 1; n < 25; n++) {
      await ask()
      await work()
    }
    const refused = await ask().catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'too-many-requests', details: { fields: [] } })
    expect(sink.mails).toHaveLength(1)
    fixture.clock.advance(24 * HOUR_MS)
    sink.refuseRecipients(undefined)
    for (let n = 0; n < 5; n++) {
      await ask()
      await work()
      fixture.clock.advance(1)
    }
    await expect(ask()).rejects.toMatchObject({
      details: { retryAfterSeconds: 24 * 3_600 - 0.005, fields: [{ path: 'mail', rule: 'delivered' }] },
    })
    expect(sink.mails).toHaveLength(6)
  })

  it('is told of at once where a worker runs, and so is a mail that was taken', async () => {
    const works: Promise<void>[] = []
    const payments = createPayments({
      ...fixture.deps,
      onQueued: () => void works.push(work()),
      outcomeWaitsMs: Array(400).fill(25),
    })
    const askHere = () => payments.requestConfirmation(card)
    sink.refuseRecipients('550 5.1.1 no such mailbox')
    expect(await askHere()).toEqual({ status: 'failing' })
    sink.refuseRecipients('450 4.2.1 try again later')
    expect(await askHere()).toEqual({ status: 'failing' })
    expect(await askHere()).toEqual({ status: 'failing' })
    sink.refuseRecipients(undefined)
    expect(await askHere()).toEqual({ status: 'sent' })
    expect(await askHere()).toEqual({ status: 'sent' })
    // A mail is sent before its job is finished: nothing is left at work when the database closes.
    await Promise.all(works)
    const nobodyWorks = createPayments({ ...fixture.deps, outcomeWaitsMs: [1, 1] })
    expect(await nobodyWorks.requestConfirmation(card)).toEqual({ status: 'queued' })
  })

  it('once the first mail was sent: the further one is not called sent before it is', async () => {
    await work()
    sink.refuseRecipients('450 4.2.1 try again later')
    expect(await ask()).toEqual({ status: 'queued' })
    await work()
    expect(await isSent()).toBe(false)
    sink.refuseRecipients(undefined)
    await ask()
    await work()
    expect(await isSent()).toBe(true)
    expect(sink.mails.length).toBe(2)
  })
})

describe('a card that was held before its first mail was sent', () => {
  const KINDS = ['a gift', 'an invitation'] as const

  async function buy(kind: (typeof KINDS)[number], number: string): Promise<void> {
    if (kind === 'a gift')
      return void (await fixture.payments.settle((await fixture.buy({}, number)).sessionId))
    const payments = createPayments({ ...fixture.deps, missions: () => [] })
    const { url } = await payments.startVolunteering({
      packageId: 'inauguration package',
      price: 10_000,
      supportAmount: 0,
      currency: 'EUR',
      themeId: 'lebanon',
      sender: { kind: 'anonymous' },
      mission: { kind: 'decide-later' },
      language: 'fr',
      termsVersion: TEST_TERMS,
      fulfilmentConsent: true,
    })
    const id = url.slice(url.lastIndexOf('/') + 1)
    await fixture.pay(id, number)
    await payments.settleVolunteering(id)
  }

  const later = async (ms: number) => {
    fixture.clock.advance(ms)
    await fixture.deliver()
  }
  const releases = {
    'a dispute that is won': [CARD.notReceived, DELAYS.disputeMs, () => fixture.decideDispute('won')],
    'a refund that fails': [CARD.failingRefund, 0, () => later(DELAYS.refundResultMs)],
  } as const

  it.each(
    KINDS.flatMap(kind => Object.keys(releases).map(why => [kind, why as keyof typeof releases] as const)),
  )('%s: %s has the mail sent after all, once', async (kind, why) => {
    const [number, held, release] = releases[why]
    const sink = await startSmtpSink()
    try {
      await sendAll()
      await buy(kind, number)
      if (why === 'a refund that fails') await fixture.refund()
      await later(held)
      await workWith(sink)
      expect(sink.mails).toEqual([])
      fixture.clock.advance(40 * 24 * HOUR_MS)
      await release()
      await fixture.deliver()
      await workWith(sink)
      await workWith(sink)
      expect(sink.mails.map(({ to }) => to)).toEqual([['buyer@mail.example']])
      expect(await fixture.findings()).toEqual([])
    } finally {
      await sink.close()
    }
  })

  it('has no further mail where one was sent before, one waits, or nobody is left to be told', async () => {
    const heldAndFree = async () => {
      const row = await fixture.test.db.read(db =>
        db.selectFrom('cards').selectAll().where('id', '=', card.cardId).executeTakeFirstOrThrow(),
      )
      const hold = { reason: 'operator', at: fixture.clock() } as const
      await fixture.test.db.transaction(async trx => {
        await holdCard(trx, fixture.deps.keys, 'donation', row, { ...hold, stands: true })
        const held = await lockCard(trx, 'donation', card.cardId)
        await holdCard(trx, fixture.deps.keys, 'donation', held!, { ...hold, stands: false })
      })
    }
    await heldAndFree()
    expect(await mails()).toBe(1)
    await sendAll()
    await heldAndFree()
    expect(await mails()).toBe(1)
    const dropped = (email: string) =>
      fixture.test.plant(
        `update jobs set done_at = 1, attempts = 1, failed_reason = 'card-not-found'`,
        `update cards set email = ${email}`,
      )
    await dropped('null')
    await heldAndFree()
    expect(await mails()).toBe(1)
    await dropped(`'buyer@mail.example'`)
    await heldAndFree()
    expect(await mails()).toBe(2)
  })
})
