import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SettledDonation } from '#server/app.ts'
import { openShop, type Shop } from './shop.ts'

const HOUR_MS = 3_600_000

let shop: Shop
let card: SettledDonation
beforeEach(async () => {
  shop = await openShop()
  card = await shop.payments.settle((await shop.buy()).sessionId)
})
afterEach(() => shop.close())

const mails = async () => (await shop.counts()).mails
/** What the worker does with a mail. */
const sendAll = () =>
  shop.test.db.transaction(trx => trx.updateTable('jobs').set({ done_at: shop.clock() }).execute())
const ask = (changes: Partial<SettledDonation> = {}) =>
  shop.payments.requestConfirmation({ ...card, ...changes })

describe('asking for the confirmation again', () => {
  it('joins the mail that is still queued, however many ask', async () => {
    await Promise.all([ask(), ask(), ask()])
    expect(await mails()).toBe(1)
  })

  it('joins the mail that went while the page was asking', async () => {
    await sendAll()
    shop.clock.advance(29_999)
    await ask()
    expect(await mails()).toBe(1)
  })

  it('queues one more once the last has gone', async () => {
    await sendAll()
    shop.clock.advance(30_000)
    await Promise.all([ask(), ask(), ask()])
    expect(await mails()).toBe(2)
    await sendAll()
    shop.clock.advance(30_000)
    await ask()
    expect(await mails()).toBe(3)
  })

  it('sends at most five a day, and says when the next may go', async () => {
    for (let n = 1; n < 5; n++) {
      await sendAll()
      shop.clock.advance(HOUR_MS)
      await ask()
    }
    expect(await mails()).toBe(5)
    await sendAll()
    shop.clock.advance(HOUR_MS)
    await expect(ask()).rejects.toMatchObject({
      code: 'too-many-requests',
      details: { retryAfterSeconds: 19 * 3_600 },
    })
    shop.clock.advance(19 * HOUR_MS - 1)
    await expect(ask()).rejects.toMatchObject({ code: 'too-many-requests' })
    shop.clock.advance(1)
    await ask()
    expect(await mails()).toBe(6)
  })

  it('goes to the address of the payment, whatever the request says', async () => {
    await sendAll()
    shop.clock.advance(HOUR_MS)
    await ask({ email: 'thief@mail.example' })
    expect(await shop.test.dump()).not.toContain('thief')
    const emails = await shop.test.db.read(db => db.selectFrom('cards').select('email').execute())
    expect(emails).toEqual([{ email: 'buyer@mail.example' }])
  })

  it('needs both keys of this very card', async () => {
    const other = await shop.payments.settle((await shop.buy()).sessionId)
    await sendAll()
    shop.clock.advance(HOUR_MS)
    const before = await shop.test.dump()
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
      { privateKey: card.privateKey.toUpperCase() },
    ]
    for (const changes of wrong) await expect(ask(changes)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await shop.test.dump()).toBe(before)
  })

  it.each(['frozen', 'revoked'] as const)('finds no %s card', async status => {
    await shop.test.plant(`update cards set status = '${status}'`)
    await sendAll()
    await expect(ask()).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('says so when the payment gave no address', async () => {
    await shop.test.plant('update cards set email = null')
    await expect(ask()).rejects.toMatchObject({ code: 'invalid-fields' })
  })
})
