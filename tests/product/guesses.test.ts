import { expect, it } from 'vitest'
import { LIMITS } from '#domain/limits/limits.ts'
import { buyCard, cardApi } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { OWN_ROUTES } from '#tests/support/product/every-route.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { openSocket, TOKEN } from '#tests/support/product/operator.ts'
import { SECRET_DOORS, type SecretDoor, WRONG_KEY } from '#tests/support/product/secret-doors.ts'

const { product } = await openProduct({
  RATE_LIMITS: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
  OPERATOR_TOKEN: TOKEN,
})
const card = await buyCard(product)

it('the table of doors says of every route whether it takes a secret', () => {
  const named = new Set(SECRET_DOORS.map(({ from }) => from).filter(from => !from.startsWith('local: ')))
  expect([...named].sort()).toEqual([...new Set(OWN_ROUTES.map(({ from }) => from))].sort())
})

type Asked = ReturnType<Extract<SecretDoor, { takes: 'token' }>['guess']>

/** Asks a door from an address of its own. @returns the status */
async function from(address: string, { path, isSocket, headers, ...asked }: Asked): Promise<number> {
  const sent = { ...(headers as Record<string, string>), 'X-Forwarded-For': address }
  if (!isSocket) return (await call(product.url + path, { ...asked, headers: sent })).status
  const { status, socket } = await openSocket(product, path, sent)
  socket.terminate()
  return status
}

const named = <Takes extends SecretDoor['takes']>(takes: Takes) =>
  SECRET_DOORS.flatMap((door, index) =>
    door.takes === takes
      ? [[door.from, `192.0.2.${index + 1}`, door as Extract<SecretDoor, { takes: Takes }>] as const]
      : [],
  )

/** Below every other limit that a door has. */
const GUESSES = 15

it.each(named('key'))('%s counts wrong keys as every other door does', async (_, address, { guess }) => {
  const read = { path: `/api/ajuda/giftcard/${WRONG_KEY}/full` }
  const startedAt = performance.now()
  for (let n = 0; n < GUESSES; n++) expect([404, 401, 302, 303]).toContain(await from(address, guess(card)))
  let left = 0
  while ((await from(address, read)) === 404 && left <= LIMITS['card-miss'].uses) left++
  const { uses, perMs } = LIMITS['card-miss']
  const refilled = Math.ceil(((performance.now() - startedAt) / perMs) * uses)
  expect(left).toBeLessThanOrEqual(uses - GUESSES + refilled)
  // At the door itself too; a browser that prints is led to a screen that says so.
  expect([429, 303]).toContain(await from(address, guess(card)))
  // One address may be a school’s: who has a right key is not kept out.
  expect(await from(address, { path: `/api/ajuda/giftcard/${card.privateKey}/full` })).toBe(200)
})

it('no handle of a browser that holds no key by it counts as a guess: no key has its shape', async () => {
  const address = '192.0.2.251'
  const opened = (key: string) => from(address, { path: `${cardApi(key)}/full` })
  for (let n = 0; n < LIMITS['card-miss'].uses; n++) expect(await opened(`0${WRONG_KEY.slice(1)}`)).toBe(404)
  expect(await opened(WRONG_KEY)).toBe(404)
})

it.each(named('token'))(
  '%s takes ten wrong tokens, and then not even the right one',
  async (_, address, { guess }) => {
    for (let n = 0; n < LIMITS['operator-login'].uses; n++)
      expect([401, 403]).toContain(await from(address, guess(`${TOKEN}${n}`)))
    expect(await from(address, guess(TOKEN))).toBe(429)
    // Neither at another door.
    for (const [, , other] of named('token')) expect(await from(address, other.guess(TOKEN))).toBe(429)
    // Let in, though a door may find nothing by what is asked for.
    expect([101, 200, 303, 404, 422]).toContain(await from('192.0.2.250', guess(TOKEN)))
  },
)
