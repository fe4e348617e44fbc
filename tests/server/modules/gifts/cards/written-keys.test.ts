import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { retrieveFree } from '#server/modules/gifts/cards/retrieve-free.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import { factsOf } from '#server/modules/story/print/prints.ts'
import { giveFreeCard, inviteFor, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let tools: { db: TestDatabase['db']; keys: typeof testKeys; clock: ReturnType<typeof fakeClock> }
beforeAll(async () => {
  test = await openTestDatabase()
  tools = { db: test.db, keys: testKeys, clock: fakeClock() }
})
afterAll(() => test.close())

it.each<readonly [string, (key: string) => string]>([
  ['in upper case', key => key.toUpperCase()],
  ['in groups', key => key.match(/.{4}/g)!.join(' ')],
  ['with a full stop behind it', key => `${key}.`],
])('a key %s opens its card at every door', async (_, write) => {
  const { db } = test
  const sold = await db.transaction(trx => sellCard(trx))
  const free = await db.transaction(giveFreeCard)
  const invitation = await db.transaction(trx => inviteFor(trx))
  const cards = createCards({ ...tools, listedNgoIds: () => ['red'] })
  const volunteering = createVolunteering(tools)
  const links = createLostLinks(tools)
  const renewal = write(testKeys.renewalKey(sold.cardId, 1))

  expect(await cards.open(write(sold.privateKey), 'full')).toMatchObject({ authority: 'full' })
  expect(await cards.open(write(sold.publicKey), 'full')).toMatchObject({ authority: 'preview' })
  expect(await retrieveFree(tools, write(free.privateKey))).toMatchObject({ cardId: free.cardId })
  expect(await volunteering.open(write(invitation.key))).toMatchObject({ senderName: 'Aina' })
  const said = { answer: 'later', tellGiver: false } as const
  expect(await volunteering.answer(write(invitation.key), said)).toMatchObject({ answer: 'later' })
  expect(await links.open(sold.cardId.toUpperCase(), renewal)).toMatchObject({ privateKey: sold.privateKey })
  const house = { siteUrl: 'https://gift.example', siteName: () => 'Site' }
  expect(await factsOf({ ...tools, ...house }, write(sold.privateKey))).toMatchObject({
    link: `https://gift.example/g/palestine/es#${sold.privateKey}`,
  })
  await cards.redeem(write(sold.privateKey), [{ ngoId: 'red', points: 1 }])
  expect(await cards.open(sold.privateKey, 'full')).toMatchObject({ consumed: true })
  const other = await db.transaction(trx => sellCard(trx))
  const otherRenewal = write(testKeys.renewalKey(other.cardId, 1))
  expect(await links.renew(other.cardId, otherRenewal)).toEqual({ key: testKeys.renewalKey(other.cardId, 2) })
})
