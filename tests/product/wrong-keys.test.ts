import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CardStatus } from '#domain/card/states.ts'
import { count } from '#tests/support/counts.ts'
import { type BoughtCard, buyCard, cardApi, selectionOf } from '#tests/support/product/buy.ts'
import { type Answer, call, post } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { expectRefusal } from '#tests/support/product/refusal.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const TIMES = count({ usual: 150, long: 2_000 })

describe.each(['sqlite', 'postgres'] as const)('wrong keys of every kind (%s)', engine => {
  let environment: TestEnvironment
  let product: Product
  let card: BoughtCard
  const wrong: Record<string, string> = {}
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    product = await startProduct({ env: environment.env })
    card = await buyCard(product)
    const lastLetter = card.privateKey.endsWith('a') ? 'b' : 'a'
    Object.assign(wrong, {
      unknown: 'abcdefghijklmnopqrstuvwxyz234567',
      'one letter off': card.privateKey.slice(0, -1) + lastLetter,
      'one letter short': card.privateKey.slice(0, -1),
      'one letter long': `${card.privateKey}a`,
      'the card id': card.cardId,
      'a session id': card.sessionId,
      short: 'x',
      long: 'a'.repeat(3_000),
      'of other letters': '-_~.!*()',
      'a word of ours': '__proto__',
      'of a frozen card': await keyOfACardThatIs('frozen'),
      'of a revoked card': await keyOfACardThatIs('revoked'),
    })
  })
  afterAll(async () => {
    await product?.kill()
    await environment?.close()
  })

  async function keyOfACardThatIs(status: CardStatus): Promise<string> {
    const { cardId, privateKey } = await buyCard(product)
    await environment.database.db.transaction(trx =>
      trx.updateTable('cards').set({ status }).where('id', '=', cardId).execute(),
    )
    return privateKey
  }

  const redeem = (key: string) => post(product.url + cardApi(key), selectionOf({ 'ngo-msf': 50 }))
  const read = (key: string) => call(`${product.url}${cardApi(key)}/full`)
  const page = (key: string) => call(`${product.url}/gift-card/${key}/doesnt-exist/final`)

  it('are answered alike when a card is read', async () => {
    const first = await read(wrong.unknown!)
    expectRefusal(first, [404, 'card-not-found'], 'unknown')
    for (const [kind, key] of Object.entries(wrong)) expectAlike(await read(key), first, kind)
  })

  it('are answered alike when a card is split, the public key like all others', async () => {
    const first = await redeem(wrong.unknown!)
    expectRefusal(first, [404, 'card-not-found'], 'unknown')
    for (const [kind, key] of Object.entries({ ...wrong, 'the public key': card.publicKey })) {
      expectAlike(await redeem(key), first, kind)
    }
  })

  it('show the same page', async () => {
    const first = await page(wrong.unknown!)
    expect(first.status).toBe(404)
    for (const [kind, key] of Object.entries(wrong)) expectAlike(await page(key), first, kind)
  })

  it('are not those that are only written otherwise', async () => {
    const written = [
      card.privateKey.toUpperCase(),
      card.privateKey.match(/.{8}/g)!.join('%20'),
      `${card.privateKey}.`,
    ]
    for (const key of written) {
      expect((await read(key)).json().giftcard, key).toMatchObject({ credit: '5000' })
      expect((await page(key)).headers.location, key).toBe(
        `/gift-card/${card.privateKey}/introduction-1/final`,
      )
    }
  })

  it('take the same time', async () => {
    // What no card's path could hold goes another way, which tells whoever wrote it nothing.
    const kinds = Object.entries(wrong).filter(([kind]) => kind !== 'long' && kind !== 'of other letters')
    const taken = new Map(kinds.map(([kind]) => [kind, [] as number[]]))
    // By turns, so that whatever else the machine does befalls all kinds alike.
    for (let n = 0; n < TIMES; n++) {
      for (const [kind, key] of kinds) {
        const begunAt = performance.now()
        await read(key)
        taken.get(kind)!.push(performance.now() - begunAt)
      }
    }
    const all = [...taken.values()].flat().sort((a, b) => a - b)
    const noise = quantile(all, 0.75) - quantile(all, 0.25)
    const medians = [...taken.values()].map(times =>
      quantile(
        times.sort((a, b) => a - b),
        0.5,
      ),
    )
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(noise + 0.2)
  })

  it('while the public key shows the preview, whatever the path says', async () => {
    await redeem(card.privateKey)
    for (const flag of ['full', 'preview', 'final', 'private']) {
      const shown = (await call(`${product.url}${cardApi(card.publicKey)}/${flag}`)).json()
      expect(shown.giftcard).toMatchObject({ credit: '5000', consumed: false, isUsed: false, sessionId: '' })
    }
    expect((await read(card.privateKey)).json().giftcard).toMatchObject({ consumed: true })
  })
})

function expectAlike(answer: Answer, first: Answer, kind: string): void {
  const { date: _, ...headers } = answer.headers
  const { date: __, ...firstHeaders } = first.headers
  expect([answer.status, answer.text, headers], kind).toEqual([first.status, first.text, firstHeaders])
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? 0
