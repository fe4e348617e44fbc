import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { cardFile } from '#server/modules/desk/card-file.ts'
import { createAnswers } from '#server/modules/gifts/answers/answers.ts'
import { blockAnswer } from '#server/modules/gifts/answers/block.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createLog } from '#server/platform/log.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { answerGift, readCard, redeemCard } from '#wire/gift-card.ts'

const CARDS = count({ usual: 100, long: 10_000 })
/** So many cards have their letters sent together. */
const BATCH = 50

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const letters = (bytes: number): string =>
  [...randomBytes(bytes)].map(byte => String.fromCharCode(97 + (byte % 26))).join('')
const oneOf = <T>(...all: readonly T[]): T => all[randomBytes(1)[0]! % all.length]!
const perhaps = (): boolean => oneOf(true, false)

/** What happened with one card, and what may be found of it where. */
interface Told {
  readonly cardId: string
  readonly ngo: string
  readonly words: string
  readonly receipt: string
  /** May the giver's letters name the organisation, and hold the line? */
  readonly saysNgo: boolean
  readonly saysWords: boolean
}

it('no organisation and no word leaves in a mail, a log or an answer untold or unticked', async () => {
  const clock = fakeClock(CREATED_AT)
  const logged: string[] = []
  const log = createLog(line => void logged.push(line), clock)
  const tools = { db: test.db, keys: testKeys, clock }
  const answers = createAnswers(tools)
  let listed: readonly string[] = []
  const cards = createCards({ ...tools, listedNgoIds: () => listed })
  let told = 0

  for (let done = 0; done < CARDS; done += BATCH) {
    const sent: Message[] = []
    const worker = letterWorker({ db: test.db, clock, log }, sent)
    const batch: Told[] = []
    /** Everything that any caller was answered, but who holds the receipt key. */
    const answered: string[] = []
    for (let n = 0; n < Math.min(BATCH, CARDS - done); n++) {
      const card = await test.db.transaction(trx => sellCard(trx, { language: oneOf('es', 'en', 'fr') }))
      const { cardId } = card
      const ngo = `ngo-${letters(16)}`
      listed = [ngo]
      const selection = redeemCard.request.parse({
        selected_ngos: [{ ngoSelected: ngo, creditSelected: 50 }],
      })
      const receipt = (await cards.redeem(card.privateKey, selection)).receiptKey!
      if (perhaps()) {
        clock.advance(oneOf(1, 30) * HOUR_MS)
        await worker.runDue()
      }
      // What a form or a program may send, ticked or not.
      const words = letters(24)
      const body = { receiptKey: receipt, tell: perhaps(), where: perhaps(), words: oneOf(words, undefined) }
      const request = answerGift.request.safeParse(body)
      expect(request.success).toBe(body.tell)
      const stop = oneOf('giver', 'operator', undefined, undefined, undefined)
      const stopFirst = perhaps()
      const stops = async () => {
        if (stop === 'giver') await answers.setLetter(cardId, testKeys.lettersKey(cardId), false)
        if (stop === 'operator') await test.db.transaction(trx => blockAnswer(trx, cardId, clock()))
      }
      if (stopFirst) await stops()
      if (request.success) {
        const give = answers.give(request.data.receiptKey, request.data.answer)
        answered.push(
          await give.then(
            () => 'told',
            error => JSON.stringify(error),
          ),
        )
        // Another answer changes nothing of it.
        const other = answers.give(receipt, { saysWhere: true, words: `another ${words}` })
        answered.push(
          await other.then(
            () => 'told',
            error => JSON.stringify(error),
          ),
        )
      }
      if (!stopFirst) await stops()
      const isOut = body.tell && stop === undefined
      batch.push({
        cardId,
        ngo,
        words,
        receipt,
        saysNgo: isOut && body.where,
        saysWords: isOut && body.words !== undefined,
      })
      for (const key of [card.privateKey, card.publicKey])
        answered.push(JSON.stringify(readCard.response.parse(await cards.open(key, 'full'))))
      answered.push(await cards.receipt(card.privateKey).then(JSON.stringify, error => JSON.stringify(error)))
      answered.push(
        await answers
          .give(card.privateKey, { saysWhere: true, words: null })
          .then(JSON.stringify, error => JSON.stringify(error)),
      )
      const file = await test.db.read(reader => cardFile(reader, cardId))
      // To whom a card went, the operator reads in the books, and so in what says its use and its payouts.
      answered.push(JSON.stringify(file?.history.filter(({ what }) => !/^(?:booked|used|payout)/.test(what))))
    }
    await worker.runDue()
    clock.advance(31 * 24 * HOUR_MS)
    await worker.runDue()

    const ids = batch.map(({ cardId }) => cardId)
    const jobs = await test.db.read(db =>
      db.selectFrom('jobs').select(['payload', 'failed_reason']).where('subject', 'in', ids).execute(),
    )
    const elsewhere = [...answered, ...logged, JSON.stringify(jobs)].join('\n')
    for (const each of batch) {
      const about = sent.filter(
        ({ html, text }) => `${html}${text}`.includes(each.ngo) || text.includes(each.words),
      )
      const all = JSON.stringify(sent)
      expect(all.includes(each.ngo), `${each.cardId} names its organisation`).toBe(each.saysNgo)
      expect(all.includes(each.words), `${each.cardId} has its line`).toBe(each.saysWords)
      expect(about.length).toBeLessThanOrEqual(1)
      for (const secret of [each.ngo, each.words]) expect(elsewhere).not.toContain(secret)
      expect(all + elsewhere).not.toContain(each.receipt)
      if (each.saysNgo || each.saysWords) told++
    }
    expect(all(sent).filter(text => text.includes('another '))).toEqual([])
    logged.length = 0
  }
  // The canaries that were meant to be heard were.
  expect(told).toBeGreaterThan(CARDS / 20)
})

const all = (sent: readonly Message[]): string[] => sent.map(message => JSON.stringify(message))
