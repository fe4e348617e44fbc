import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import type { MailKind } from '#domain/mail/mail-jobs.ts'
import { giftLinkPath } from '#paths'
import { createAnswers } from '#server/modules/gifts/answers/answers.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { enqueue } from '#server/platform/outbox/enqueue.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, giveFreeCard, inviteFor, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const SITE = 'https://cards.example'
const NGOS = ['msf', 'cerf']
const DAY_MS = 24 * 3_600_000

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('every letter to a giver leads to where the money is: of a card to its own', async () => {
  const clock = fakeClock(CREATED_AT)
  const tools = { db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS }
  const sell = () => test.db.transaction(trx => sellCard(trx))
  const [bought, reminded, used, told, unused] = [
    await sell(),
    await sell(),
    await sell(),
    await sell(),
    await sell(),
  ]
  const free = await test.db.transaction(giveFreeCard)
  const invited = await test.db.transaction(trx => inviteFor(trx))
  const freePublic = testKeys.publicKey(free.cardId, 1)

  const points = [{ ngoId: 'msf', points: 50 }]
  const cards = createCards(tools)
  await cards.redeem(used.privateKey, points)
  const { receiptKey } = await cards.redeem(told.privateKey, points)

  const mails = async (kind: MailKind, payload: object): Promise<readonly Message[]> => {
    const sent: Message[] = []
    await test.db.transaction(trx => trx.deleteFrom('jobs').execute())
    await test.db.transaction(trx =>
      enqueue(trx, { kind, dedupeKey: `${kind} ${JSON.stringify(payload)}`, payload, runAt: clock() }),
    )
    await letterWorker({ db: test.db, clock }, sent).runDue()
    return sent
  }
  const own = (publicKey: string, language: Language = 'es') =>
    SITE + giftLinkPath({ themeId: 'palestine', language }, publicKey, 'passport')
  const everybodys = `${SITE}/es/transparency`
  const expectTrail = async (
    kind: MailKind,
    payload: { readonly cardId: string | null; readonly [name: string]: unknown },
    url: string,
  ): Promise<void> => {
    const [sent] = await mails(kind, payload)
    expect(sent, kind).toBeDefined()
    const { trail } = JSON.parse(sent!.html ?? '') as MailData
    expect(trail?.url, kind).toBe(url)
    expect(sent!.text, kind).toContain(`\n${url}`)
  }

  await expectTrail('confirmation', { cardId: bought.cardId }, own(bought.publicKey))
  await expectTrail('confirmation', { cardId: free.cardId }, own(freePublic, 'en'))
  await expectTrail('reminder', { cardId: reminded.cardId }, own(reminded.publicKey))
  await expectTrail('gift-used', { cardId: used.cardId }, own(used.publicKey))
  await expectTrail('volunteering-confirmation', { cardId: invited.cardId }, everybodys)
  await expectTrail('volunteering-answer', { cardId: invited.cardId, answer: 'accept' }, everybodys)

  // The first letter has gone before the recipient answers.
  await test.db.transaction(trx => trx.deleteFrom('jobs').execute())
  await expectTrail('gift-used', { cardId: told.cardId }, own(told.publicKey))
  await createAnswers(tools).give(receiptKey!, { saysWhere: true, words: null })
  await test.db.transaction(trx =>
    trx.updateTable('gift_answers').set({ letter: 'second' }).where('card_id', '=', told.cardId).execute(),
  )
  await expectTrail('gift-answer', { cardId: told.cardId }, own(told.publicKey))

  // Several cards: each has its own beside it.
  const [links] = await mails('lost-links', { cardId: bought.cardId, invitationId: null })
  for (const { publicKey } of [bought, reminded, unused]) expect(links!.text).toContain(`\n${own(publicKey)}`)
  expect((JSON.parse(links!.html ?? '') as MailData).trail?.url).toBe(everybodys)

  clock.set(CREATED_AT + 400 * DAY_MS)
  await autoDonateSome({ ...tools, draw: () => 0 })
  await expectTrail('auto-donated', { cardId: unused.cardId }, own(unused.publicKey))
})
