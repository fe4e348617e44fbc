import { expect, it } from 'vitest'
import { buyCard, GATEWAY, PURCHASE } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'

/** What one visitor may press in ten minutes, and all together: two a second. */
const USES = 40
const TOGETHER = 1_200
const ATTACKERS = 20
const BUYERS = 4

const { product } = await openProduct({
  RATE_LIMITS: 'on',
  LIMITS: `gateway=${USES}/${TOGETHER}`,
  TRUSTED_PROXIES: '127.0.0.1',
})

const press = (address: string, body: object) =>
  call(product.url + GATEWAY, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  })

it('whoever presses at their limit from many addresses keeps no new buyer from paying', async () => {
  const attackers = Array.from({ length: ATTACKERS }, (_, n) => `192.0.2.${n + 1}`)
  // Each has pressed three quarters of what is theirs; what they press makes no payment, and costs them as much.
  for (const address of attackers)
    for (let n = 0; n < (USES * 3) / 4; n++) expect((await press(address, {})).status).toBe(422)
  const attack = Promise.all(
    attackers.map(async address => {
      const answers: number[] = []
      for (let n = 0; n < 3; n++) answers.push((await press(address, PURCHASE)).status)
      return answers
    }),
  )
  for (let n = 0; n < BUYERS; n++) {
    const bought = await press(`198.51.100.${n + 1}`, PURCHASE)
    expect(bought.status, bought.text).toBe(200)
  }
  // They got a place in the line; none was told that they alone had pressed too much.
  const told = new Set((await attack).flat())
  for (const status of told) expect([200, 202]).toContain(status)
  expect(told).toContain(202)
  await expect(buyCard(product)).resolves.toBeDefined()
})
