import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { clearPersons, forgetMessagesOfNobody, forgetUnpaid } from '#server/modules/gifts/cards/forget.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import { forgetMessages, keepMessage } from '#server/modules/gifts/messages.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { factsOf } from '#server/modules/story/print/prints.ts'
import { createLog } from '#server/platform/log.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, inviteFor, testKeys } from '#tests/builders/server.ts'
import { openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

const WORDS = 'Para ti, con todo el cariño'
const KEY = 'k'.repeat(32)

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const kept = () => fixture.test.db.read(db => db.selectFrom('gift_messages').selectAll().execute())

async function bought() {
  const { sessionId } = await fixture.buy({ message: WORDS })
  return fixture.payments.settle(sessionId)
}

describe('what a giver writes', () => {
  it('is kept once with the order, and makes another purchase of other words', async () => {
    await fixture.start({ message: WORDS, attemptKey: KEY })
    await fixture.start({ message: WORDS, attemptKey: KEY })
    expect(await kept()).toMatchObject([{ words: WORDS }])
    await expect(fixture.start({ message: 'others', attemptKey: KEY })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
    await fixture.start({ message: null })
    expect(await kept()).toHaveLength(1)
  })

  it('is told the provider in no request', async () => {
    const sent: string[] = []
    fixture.between(async (request, next) => {
      sent.push(`${request.url} ${await request.clone().text()}`)
      return next(request)
    })
    await bought()
    expect(sent.join('\n')).toContain('checkout/sessions')
    expect(decodeURIComponent(sent.join('\n').replaceAll('+', ' '))).not.toContain(WORDS)
  })

  it('is shown to the private key while the gift is unused, and to nobody else', async () => {
    const { privateKey, publicKey, cardId } = await bought()
    const { cards } = fixture
    const { test, deps } = fixture
    expect((await cards.open(privateKey, 'full')).message).toEqual({ words: WORDS, cardId })
    expect((await cards.open(privateKey, 'preview')).message).toBeNull()
    expect((await cards.open(publicKey, 'full')).message).toBeNull()
    const print = { db: test.db, keys: deps.keys, siteUrl: 'https://x.example', siteName: () => '' }
    expect((await factsOf(print, privateKey)).message).toBe(WORDS)
    await cards.redeem(privateKey, [{ ngoId: 'cerf', points: 10 }])
    expect((await cards.open(privateKey, 'full')).message).toBeNull()
  })

  it('of an invitation is shown to its key', async () => {
    const { db } = fixture.test
    const { cardId, orderId, key } = await db.transaction(trx => inviteFor(trx))
    const invitations = createVolunteering({ db, keys: testKeys, clock: fixture.clock })
    expect((await invitations.open(key)).message).toBeNull()
    await db.transaction(trx => keepMessage(trx, orderId, WORDS, CREATED_AT))
    expect((await invitations.open(key)).message).toEqual({ words: WORDS, cardId })
  })

  it('stands in the giver’s letter, and in none that goes once it is blanked', async () => {
    const logged: string[] = []
    const { db } = fixture.test
    const sent: Message[] = []
    const log = createLog(line => void logged.push(line), fixture.clock)
    const worker = letterWorker({ db, clock: fixture.clock, log, keys: fixture.deps.keys }, sent)
    await bought()
    await worker.runDue()
    expect(sent.map(({ text }) => text.includes(WORDS))).toEqual([true])
    await bought()
    await db.transaction(async trx => {
      const orders = await trx.selectFrom('gift_messages').select('order_id').execute()
      await forgetMessages(
        trx,
        orders.map(({ order_id }) => order_id),
      )
    })
    await worker.runDue()
    expect(sent.map(({ text }) => text.includes(WORDS))).toEqual([true, false])
    expect([...logged, ...fixture.logged].join('\n')).not.toContain(WORDS)
  })

  it('goes in its time from a gift that names nobody, and from none that can still be opened', async () => {
    const used = await bought()
    await bought()
    const { db } = fixture.test
    const invited = await db.transaction(trx => inviteFor(trx))
    await db.transaction(trx => keepMessage(trx, invited.orderId, WORDS, CREATED_AT))
    await fixture.test.plant(
      'update cards set email = null, sender_name = null',
      'update volunteering_cards set email = null, sender_name = null',
    )
    await fixture.cards.redeem(used.privateKey, [{ ngoId: 'cerf', points: 10 }])
    const now = fixture.clock()
    const forget = (before: number, invitedBefore: number) =>
      forgetMessagesOfNobody(db, before, invitedBefore)
    expect(await forget(now, CREATED_AT)).toBe(0)
    expect(await forget(now + 1, CREATED_AT)).toBe(1)
    expect(await forget(now + 1, CREATED_AT + DAY_MS)).toBe(1)
    expect(await forget(now + 1000 * DAY_MS, now + 1000 * DAY_MS)).toBe(0)
    expect(await kept()).toHaveLength(1)
  })

  it('goes with the buyer’s name and address, and of an order that came to nothing with its name', async () => {
    const { cardId } = await bought()
    const { db } = fixture.test
    await fixture.start({ message: 'never paid' })
    await fixture.test.plant(
      `update orders set status = 'expired', checkout_session_sealed = null where status = 'open'`,
    )
    const now = fixture.clock()
    await forgetUnpaid(db, now)
    expect(await kept()).toHaveLength(2)
    await forgetUnpaid(db, now + DAY_MS)
    expect(await kept()).toMatchObject([{ words: WORDS }])
    const card = await db.read(reader =>
      reader
        .selectFrom('cards')
        .select(['id', 'order_id'])
        .where('id', '=', cardId)
        .executeTakeFirstOrThrow(),
    )
    await db.transaction(trx => clearPersons(trx, 'donation', [card]))
    expect(await kept()).toEqual([])
  })
})
