import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GiftAnswer } from '#domain/answer/answer.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { LANGUAGES } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { createAnswers } from '#server/modules/gifts/answers/answers.ts'
import { blockAnswer } from '#server/modules/gifts/answers/block.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { clearPersons, forgetSome } from '#server/modules/gifts/cards/forget.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import { MailFailure } from '#server/modules/letters/failure.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { letterWorker, ngoNameIn } from '#tests/builders/letters.ts'
import {
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  type SoldCard,
  sellCard,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { sharedNow } from '#tests/support/shared-now.ts'

const NGOS = ['ngo-aurora', 'ngo-boreal', 'ngo-cobalt']
const WORDS = 'Que se note que lo has pensado'
const QUIET: GiftAnswer = { saysWhere: false, words: null }
const WHOLE: GiftAnswer = { saysWhere: true, words: WORDS }

const clock = fakeClock()
let test: TestDatabase
let sent: Message[]
let card: SoldCard
beforeEach(async () => {
  test = await openTestDatabase()
  clock.set(CREATED_AT)
  sent = []
  card = await test.db.transaction(trx => sellCard(trx, { language: 'en' }))
})
afterEach(() => test.close())

const tools = () => ({ db: test.db, keys: testKeys, clock })
const answers = () => createAnswers(tools())
const cards = () => createCards({ ...tools(), listedNgoIds: () => NGOS })
const work = () => letterWorker({ db: test.db, clock }, sent).runDue()
const letters = () => sent.map(({ html }) => JSON.parse(html!) as MailData)

async function use(key = card.privateKey, points = 50): Promise<string> {
  const selection = [
    { ngoId: 'ngo-aurora', points: points - 1 },
    { ngoId: 'ngo-cobalt', points: 1 },
  ]
  return (await cards().redeem(key, selection)).receiptKey!
}

const noChoice = () => {
  for (const { html, text, subject } of sent)
    for (const part of [html, text, subject]) expect(part).not.toMatch(/aurora|cobalt/)
}

describe('the letter that a gift has been used', () => {
  it('goes to the giver once, a day after the use, and says neither where nor by whom', async () => {
    const receipt = await use()
    await work()
    clock.advance(DAY_MS - 1)
    await work()
    expect(sent).toEqual([])
    clock.advance(1)
    await work()
    clock.advance(300 * DAY_MS)
    await work()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: 'buyer@example.org', subject: 'Your gift has been used' })
    expect(sent[0]!.text).toContain('€50')
    expect(sent[0]!.text).toContain('March\u00a010, 2026')
    noChoice()
    for (const secret of [receipt, card.privateKey]) expect(JSON.stringify(sent[0])).not.toContain(secret)
    // The public key stands in the one link, to where the money is.
    const trail = letters()[0]!.trail!.url
    expect(trail).toContain(card.publicKey)
    expect(JSON.stringify({ ...letters()[0], trail: {} }) + sent[0]!.text.replace(trail, '')).not.toContain(
      card.publicKey,
    )
    expect(
      letters()[0]!.sections.flatMap(({ buttons = [], copy }) => [...buttons, ...(copy ? [copy] : [])]),
    ).toEqual([])
  })

  it.each(LANGUAGES)('is in the language of the card: %s', async language => {
    card = await test.db.transaction(trx => sellCard(trx, { language }))
    await answers().give(await use(), WHOLE)
    await work()
    expect(letters()[0]).toMatchObject({ language })
    expect(sent[0]!.text).toContain(ngoNameIn('ngo-aurora', language))
    expect(sent[0]!.text).toContain(WORDS)
    expect(sent[0]!.text).toContain(card.cardId)
    expect(sent[0]!.text).not.toMatch(/mail-|\{\{/)
  })

  it('goes for a free card as well, to whoever claimed it', async () => {
    const free = await test.db.transaction(giveFreeCard)
    await use(free.privateKey, 5)
    clock.advance(DAY_MS)
    await work()
    expect(sent).toMatchObject([{ to: 'claimant@example.org' }])
  })

  it('is no mail that waits before its day has come', async () => {
    const waiting = async () => (await test.db.read(db => readSummary(db, clock()))).mails.waiting
    await use()
    expect(await waiting()).toBe(0)
    clock.advance(DAY_MS)
    expect(await waiting()).toBe(1)
  })

  it('does not go for a card that nobody used in its year', async () => {
    await test.db.transaction(trx => sellCard(trx, { language: 'en', created_at: 0, settled_at: 0 }))
    await autoDonateSome({ ...tools(), draw: () => 0, listedNgoIds: () => NGOS })
    clock.advance(2 * DAY_MS)
    await work()
    expect(sent.map(({ subject }) => subject)).toEqual(['Your gift card has been donated'])
  })

  it('does not go to a giver who has switched it off, before the use or after it', async () => {
    const off = (id: string) => answers().setLetter(id, testKeys.lettersKey(id), false)
    await off(card.cardId)
    await use()
    const other = await test.db.transaction(trx => sellCard(trx))
    await use(other.privateKey)
    await off(other.cardId)
    await off(other.cardId)
    clock.advance(DAY_MS)
    await work()
    expect(sent).toEqual([])
  })

  it('goes to a giver who has switched it on again', async () => {
    const key = testKeys.lettersKey(card.cardId)
    expect(await answers().wantsLetter(card.cardId, key)).toBe(true)
    await answers().setLetter(card.cardId, key, false)
    expect(await answers().wantsLetter(card.cardId, key)).toBe(false)
    await answers().setLetter(card.cardId.toUpperCase(), key.toUpperCase(), true)
    expect(await answers().wantsLetter(card.cardId, key)).toBe(true)
    await use()
    clock.advance(DAY_MS)
    await work()
    expect(sent).toHaveLength(1)
  })

  it('is switched off by its own key alone, and every other one is answered alike', async () => {
    const other = await test.db.transaction(trx => sellCard(trx))
    const wrong = [
      [card.cardId, testKeys.lettersKey(other.cardId)],
      [card.cardId, card.privateKey],
      [card.cardId, testKeys.renewalKey(card.cardId, 1)],
      [card.cardId, ''],
      ['nobody', testKeys.lettersKey('nobody')],
      ['', testKeys.lettersKey('')],
    ] as const
    for (const [id, key] of wrong) {
      await expect(answers().setLetter(id, key, false)).rejects.toMatchObject({ code: 'card-not-found' })
      await expect(answers().wantsLetter(id, key)).rejects.toMatchObject({ code: 'card-not-found' })
    }
    expect(await answers().wantsLetter(card.cardId, testKeys.lettersKey(card.cardId))).toBe(true)
    // Nor does it open anything.
    const letters = testKeys.lettersKey(card.cardId)
    for (const open of [() => cards().open(letters, 'full'), () => cards().receipt(letters)])
      await expect(open()).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('does not go to a giver who is forgotten meanwhile', async () => {
    await use()
    await test.db.transaction(trx =>
      clearPersons(trx, 'donation', [{ id: card.cardId, order_id: card.orderId }]),
    )
    clock.advance(DAY_MS)
    await work()
    expect(sent).toEqual([])
    const jobs = await test.db.read(db => db.selectFrom('jobs').select('failed_reason').execute())
    expect(jobs).toEqual([{ failed_reason: null }])
  })
})

describe('an answer', () => {
  it('brings the letter at once, and there is no other one a day later', async () => {
    await answers().give(await use(), WHOLE)
    await work()
    expect(sent).toMatchObject([{ to: 'buyer@example.org', subject: 'Your gift has been used' }])
    expect(sent[0]!.text).toContain('ngo-aurora in en and ngo-cobalt in en')
    expect(sent[0]!.text).toContain(WORDS)
    // Ids and keys are drawn by lot and may hold these figures.
    expect(sent[0]!.text.replace(/\b[0-9a-z]{20,}\b/g, '')).not.toMatch(/49|\b1[.,]00/)
    clock.advance(2 * DAY_MS)
    await work()
    expect(sent).toHaveLength(1)
  })

  it('that comes after the letter is a second one', async () => {
    const receipt = await use()
    clock.advance(DAY_MS)
    await work()
    clock.advance(DAY_MS)
    await answers().give(receipt, WHOLE)
    await work()
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Your gift has been used',
      'A message about your gift',
    ])
    expect(sent[0]!.text).not.toContain(WORDS)
    expect(sent[1]!.text).toContain('ngo-aurora in en')
    expect(sent[1]!.text).toContain(WORDS)
    expect(sent[0]!.messageId).not.toBe(sent[1]!.messageId)
  })

  it('that comes while the letter is being sent is a second one, also where that has to be sent again', async () => {
    const receipt = await use()
    clock.advance(DAY_MS)
    await test.plant(`update jobs set lease_until = ${sharedNow(test, clock) + 50_000}, attempts = 1`)
    await answers().give(receipt, WHOLE)
    // Its server is gone.
    await test.plant('update jobs set lease_until = 1 where lease_until is not null')
    clock.advance(HOUR_MS)
    await work()
    expect(sent.map(({ subject }) => subject).sort()).toEqual([
      'A message about your gift',
      'Your gift has been used',
    ])
    const first = sent.find(({ subject }) => subject === 'Your gift has been used')!
    expect(first.html).not.toContain(WORDS)
    expect(first.html).not.toContain('aurora')
  })

  it('says the organisations only if that is ticked, and the line only if there is one', async () => {
    await answers().give(await use(), { saysWhere: false, words: WORDS })
    await work()
    noChoice()
    expect(sent[0]!.text).toContain(WORDS)

    card = await test.db.transaction(trx => sellCard(trx, { language: 'en' }))
    await answers().give(await use(), { saysWhere: true, words: null })
    await work()
    expect(sent[1]!.text).toContain('ngo-aurora in en')
    expect(letters()[1]!.sections).toHaveLength(1)
  })

  it('is one for each card: the same again is a success, another one is refused and changes nothing', async () => {
    const receipt = await use()
    await answers().give(receipt, WHOLE)
    for (let n = 0; n < 3; n++) await answers().give(receipt.toUpperCase(), { ...WHOLE })
    for (const other of [QUIET, { ...WHOLE, saysWhere: false }, { ...WHOLE, words: null }])
      await expect(answers().give(receipt, other)).rejects.toMatchObject({ code: 'already-answered' })
    await work()
    clock.advance(400 * DAY_MS)
    await answers().give(receipt, WHOLE)
    await work()
    expect(sent).toHaveLength(1)
    expect(sent[0]!.text).toContain(WORDS)
  })

  it('is one also where ten come at once, from two servers', async () => {
    const receipt = await use()
    const other = createAnswers({ ...tools(), db: await test.another() })
    const all = Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? other : answers()).give(receipt, { saysWhere: false, words: `number ${n}` }),
    )
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of outcomes)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'already-answered' })
    await work()
    clock.advance(DAY_MS)
    await work()
    expect(sent).toHaveLength(1)
  })

  it('is given by the receipt key alone', async () => {
    const receipt = await use()
    for (const key of [
      '',
      'a'.repeat(32),
      card.privateKey,
      card.publicKey,
      card.cardId,
      testKeys.digest(receipt),
    ])
      await expect(answers().give(key, WHOLE)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await test.db.read(db => db.selectFrom('gift_answers').selectAll().execute())).toEqual([])
  })

  it('can be given for 30 days', async () => {
    const late = await use()
    const other = await test.db.transaction(trx => sellCard(trx))
    const inTime = await use(other.privateKey)
    clock.advance(30 * DAY_MS - 1)
    await answers().give(inTime, WHOLE)
    expect(await cards().receipt(late)).toMatchObject({ answer: 'open' })
    clock.advance(1)
    expect(await cards().receipt(late)).toMatchObject({ answer: 'closed' })
    expect(await cards().receipt(inTime)).toMatchObject({ answer: 'given' })
    await expect(answers().give(late, WHOLE)).rejects.toMatchObject({ code: 'answer-closed' })
  })

  it('can not be given to a giver who wants no letter, or is forgotten', async () => {
    const receipt = await use()
    const key = testKeys.lettersKey(card.cardId)
    await answers().setLetter(card.cardId, key, false)
    await expect(answers().give(receipt, WHOLE)).rejects.toMatchObject({ code: 'answer-closed' })
    expect(await cards().receipt(receipt)).toMatchObject({ answer: 'closed' })
    await answers().setLetter(card.cardId, key, true)
    await test.plant('update cards set email = null')
    await expect(answers().give(receipt, WHOLE)).rejects.toMatchObject({ code: 'answer-closed' })
  })

  it('does not go out where the giver switches the letters off before it does', async () => {
    await answers().give(await use(), WHOLE)
    await answers().setLetter(card.cardId, testKeys.lettersKey(card.cardId), false)
    await work()
    expect(sent).toEqual([])
  })

  it('of a card that was used before there were letters brings the first one', async () => {
    const receipt = await use()
    await test.plant('delete from jobs')
    await answers().give(receipt, WHOLE)
    await work()
    expect(sent).toMatchObject([{ subject: 'Your gift has been used' }])
    expect(sent[0]!.text).toContain(WORDS)
  })

  it('is told by nothing else: the private key, the outbox and the logs do not have it', async () => {
    const receipt = await use()
    await answers().give(receipt, WHOLE)
    const view = await cards().open(card.privateKey, 'full')
    expect(JSON.stringify([view, await cards().receipt(receipt)])).not.toContain(WORDS)
    expect(view).not.toHaveProperty('answer')
    const jobs = await test.db.read(db => db.selectFrom('jobs').selectAll().execute())
    expect(JSON.stringify(jobs)).not.toMatch(/Que se note|aurora/)
  })
})

describe('a blocked answer', () => {
  const block = (id = card.cardId) => test.db.transaction(trx => blockAnswer(trx, id, clock()))

  it('is in no letter that waits, and its words are gone', async () => {
    await answers().give(await use(), WHOLE)
    expect(await block()).toEqual({ hadAnswer: true, isNew: true })
    expect(await block()).toEqual({ hadAnswer: true, isNew: false })
    await work()
    expect(sent).toMatchObject([{ subject: 'Your gift has been used' }])
    noChoice()
    expect(JSON.stringify(sent)).not.toContain(WORDS)
    expect(await test.dump()).not.toContain(WORDS)
  })

  it('sends no second letter', async () => {
    const receipt = await use()
    clock.advance(DAY_MS)
    await work()
    await answers().give(receipt, WHOLE)
    await block()
    await work()
    expect(sent).toHaveLength(1)
  })

  it('can not be given any more', async () => {
    const receipt = await use()
    expect(await block()).toEqual({ hadAnswer: false, isNew: true })
    expect(await cards().receipt(receipt)).toMatchObject({ answer: 'closed' })
    await expect(answers().give(receipt, WHOLE)).rejects.toMatchObject({ code: 'answer-closed' })
  })

  it('of an invitation is kept for its recipient, and reaches the giver no more', async () => {
    const { cardId, key } = await test.db.transaction(trx => inviteFor(trx))
    const volunteering = createVolunteering(tools())
    await volunteering.answer(key, { answer: 'accept', tellGiver: true })
    await block(cardId)
    await work()
    expect(await volunteering.answer(key, { answer: 'no', tellGiver: true })).toMatchObject({
      answer: 'no',
      isTold: false,
    })
    await work()
    expect(sent).toEqual([])
  })
})

it('an invitation’s answer reaches the giver with a way to report it', async () => {
  const { cardId, key } = await test.db.transaction(trx => inviteFor(trx))
  await createVolunteering(tools()).answer(key, { answer: 'accept', tellGiver: true })
  await work()
  expect(sent).toHaveLength(1)
  expect(sent[0]!.text).toContain(cardId)
  expect(sent[0]!.text).not.toContain(key)
})

describe('the words of an answer', () => {
  const isKept = async () => (await test.dump()).includes(WORDS)

  it('are forgotten when their letter was handed over, and stay answered', async () => {
    const receipt = await use()
    await answers().give(receipt, WHOLE)
    expect(await isKept()).toBe(true)
    await work()
    expect(sent[0]!.text).toContain(WORDS)
    expect(await isKept()).toBe(false)
    await answers().give(receipt, WHOLE)
    await expect(answers().give(receipt, QUIET)).rejects.toMatchObject({ code: 'already-answered' })
    await work()
    expect(sent).toHaveLength(1)
  })

  it('wait for the second letter while the first one ends', async () => {
    const receipt = await use()
    clock.advance(DAY_MS)
    await test.plant(`update jobs set attempts = 1, run_at = ${clock() + 30_000}`)
    await answers().give(receipt, WHOLE)
    await test.plant(
      `update jobs set run_at = ${clock() + HOUR_MS}, created_at = ${clock()} where kind = 'gift-answer'`,
    )
    clock.advance(30_000)
    await work()
    expect(sent.map(({ subject }) => subject)).toEqual(['Your gift has been used'])
    expect(await isKept()).toBe(true)
    clock.advance(HOUR_MS)
    await work()
    expect(sent[1]!.text).toContain(WORDS)
    expect(await isKept()).toBe(false)
  })

  it('are said in full by a letter that has to be sent again, and forgotten after that', async () => {
    await answers().give(await use(), WHOLE)
    const failing = (message: Message) => {
      if (sent.push(message) === 1) throw new Error('no answer')
    }
    const unlucky = letterWorker({ db: test.db, clock }, { push: failing })
    await unlucky.runDue()
    expect(await isKept()).toBe(true)
    clock.advance(HOUR_MS)
    await unlucky.runDue()
    expect(sent[1]!.text).toBe(sent[0]!.text)
    expect(sent[1]!.text).toContain(WORDS)
    expect(await isKept()).toBe(false)
  })

  it.each([
    ['was given up', new MailFailure('smtp-550', true)],
    ['is not wanted any more', undefined],
  ])('are forgotten when their letter %s', async (_, failure) => {
    await answers().give(await use(), WHOLE)
    if (!failure) await answers().setLetter(card.cardId, testKeys.lettersKey(card.cardId), false)
    const refusing = () => {
      throw failure ?? new Error('nothing was to be sent')
    }
    await letterWorker({ db: test.db, clock }, { push: refusing }).runDue()
    expect(await isKept()).toBe(false)
  })
})

it('words are forgotten with the giver’s address, and stay answered', async () => {
  const receipt = await use()
  await answers().give(receipt, WHOLE)
  expect(await test.dump()).toContain(WORDS)
  await forgetSome(test.db, clock(), '')
  expect(await test.dump()).toContain(WORDS)
  clock.advance(1)
  await forgetSome(test.db, clock(), '')
  expect(await test.dump()).not.toContain(WORDS)
  await answers().give(receipt, WHOLE)
  await expect(answers().give(receipt, QUIET)).rejects.toMatchObject({ code: 'already-answered' })
})

it('of what was said only a keyed digest is kept, which nobody can guess at', async () => {
  await answers().give(await use(), { saysWhere: false, words: null })
  const [row] = await test.db.read(db => db.selectFrom('gift_answers').select('request_digest').execute())
  expect(row!.request_digest).toMatch(/^hmac:/)
})
