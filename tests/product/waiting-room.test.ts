import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { buyCard, GATEWAY, PURCHASE } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'

/** One a second, and five at once. */
const { product } = await openProduct({
  RATE_LIMITS: 'on',
  LIMITS: 'gateway=20/600',
  TRUSTED_PROXIES: '127.0.0.1',
})
const CROWD = 20

const press = (n: number, { key = `a-press-of-visitor-${n}`, cookie = '', body = PURCHASE as object } = {}) =>
  call(product.url + GATEWAY, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `198.51.100.${n}`,
      'Idempotency-Key': key,
      ...(cookie && { cookie }),
    },
    body: JSON.stringify(body),
  })

type Told = Awaited<ReturnType<typeof press>>
const placeIn = ({ headers }: Told): string => String(headers['set-cookie']).split(';')[0]!

it('a crowd waits with 202 and a place, comes in by it in its order, and asking again is no press', async () => {
  const told = await Promise.all(Array.from({ length: CROWD }, (_, n) => press(n)))
  const waiting = told.flatMap((answer, n) => (answer.status === 202 ? [{ n, answer }] : []))
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200, 202]))
  expect(waiting.length).toBeGreaterThanOrEqual(4)

  for (const { answer } of waiting) {
    const { waiting: place } = answer.json() as { waiting: Record<string, unknown> }
    expect(place).toEqual({
      ahead: expect.any(Number),
      wait_ms: expect.any(Number),
      ask_again_ms: expect.any(Number),
      place_was_over: false,
    })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^place-[\w-]{8}=[\w.-]+; Max-Age=7200; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  }

  const order: number[] = []
  await Promise.all(
    waiting.map(async ({ n, answer }) => {
      const cookie = placeIn(answer)
      let isIn = false
      // Oftener than anybody may press, and then as often as a page may ask.
      for (let asked = 0; asked < 25 || !isIn; asked++) {
        if (asked >= 25) await pause(100)
        const again = await press(n, { cookie })
        expect([200, 202], again.text).toContain(again.status)
        if (again.status === 200 && !isIn) {
          isIn = true
          order.push((answer.json() as { waiting: { ahead: number } }).waiting.ahead)
        }
      }
    }),
  )
  expect(order).toEqual(order.toSorted((one, other) => one - other))
})

it('what is refused anyway takes no turn, and the shop is open again once the crowd is gone', async () => {
  for (let n = 0; n < 15; n++)
    expect((await press(200, { key: `no-purchase-at-all-${n}`, body: {} })).status).toBe(422)
  await expect(buyCard(product)).resolves.toBeDefined()
})
