import { expect, it } from 'vitest'
import { buyCard, GATEWAY, PURCHASE } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'

/** What one visitor may press in ten minutes, and all together: two a second. */
const USES = 40
const TOGETHER = 1_200
const ATTACKERS = 20
const BUYERS = 4

const { product, environment } = await openProduct({
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
  await spendAll()
  const attack = Promise.all(
    attackers.map(async address => {
      const answers: number[] = []
      for (let n = 0; n < 3; n++) answers.push((await press(address, {})).status)
      return answers
    }),
  )
  for (let n = 0; n < BUYERS; n++) {
    const bought = await press(`198.51.100.${n + 1}`, PURCHASE)
    expect(bought.status, bought.text).toBe(200)
  }
  // They waited; none was told that they alone had pressed too much.
  const told = new Set((await attack).flat())
  for (const status of told) expect([422, 503]).toContain(status)
  expect(told).toContain(503)
  await expect(buyCard(product)).resolves.toBeDefined()
})

/** As if all had pressed so much just now: from here on there is one turn every half second. */
async function spendAll(): Promise<void> {
  await environment.database.plant(
    `update paces set next_at = next_at + 3600000000 where name = 'limit gateway'`,
  )
}
