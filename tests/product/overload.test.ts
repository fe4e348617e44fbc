import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOST_WAITING } from '#domain/limits/waiting-work.ts'
import { cardPath } from '#paths'
import { cardApi, selectionOf } from '#tests/support/product/buy.ts'
import { type Answer, call, outcomeOf, post } from '#tests/support/product/call.ts'
import { type HangingProduct, openHangingProduct } from '#tests/support/product/hanging-product.ts'

/** More than may wait; what the server does for itself may take a few places too. */
const VISITORS = MOST_WAITING + 60

describe('a database that is slow', () => {
  let hanging: HangingProduct
  beforeAll(async () => {
    hanging = await openHangingProduct()
  })
  afterAll(() => hanging?.close())

  it('keeps so many visitors waiting and no more: the others are asked at once to come again', async () => {
    const { environment, proxy, product, card } = hanging
    const gift = selectionOf({ 'ngo-msf': 50 })
    const press = () => post(product.url + cardApi(card.privateKey), gift)
    proxy.hang()
    const answers: Answer[] = []
    const pressing = Array.from({ length: VISITORS }, () =>
      press().then(answer => {
        answers.push(answer)
      }),
    )
    // Whoever waits is answered later than these: by then nobody else would have been.
    await expect.poll(() => answers.length, { timeout: 4_000, interval: 20 }).toBeGreaterThanOrEqual(50)
    for (const answer of answers) {
      expect(outcomeOf(answer)).toBe('503 temporarily-unavailable')
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(5)
    }
    expect(answers.length).toBeLessThan(VISITORS - MOST_WAITING / 2)
    // A page says it in the visitor's language, and pages that need no database are there.
    const page = await call(product.url + cardPath(card.privateKey, 'select-ngo', 'final'), {
      headers: { 'Accept-Language': 'fr' },
    })
    expect([page.status, page.text.includes('lang="fr"')]).toEqual([503, true])
    expect(page.text).toContain('data-action="retry"')
    expect(await call(`${product.url}/es`)).toMatchObject({ status: 200 })

    proxy.goOn()
    await Promise.all(pressing)
    expect((await press()).status).toBe(200)
    const redemptions = await environment.database.db.read(reader =>
      reader.selectFrom('redemptions').select('card_id').execute(),
    )
    expect(redemptions).toEqual([{ card_id: card.cardId }])
  })
})
