import { type AnswerState, answerState, type GiftAnswer, letterOfAnswer } from '#domain/answer/answer.ts'
import { readKey } from '#domain/card/keys.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Answers } from '#server/modules/gifts/interface.ts'
import { isOfMany } from '#server/modules/gifts/of-many.ts'
import { type Card, lockCard, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { GiftAnswersTable } from '#server/platform/db/schema.ts'
import { queueAnswerLetter, sendUsedLetterNow, stopLetters, stopsOf } from './letters.ts'

export interface AnswersTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  /** Called when a mail has been queued. */
  readonly onQueued?: () => void
}

/** Answers of recipients to their givers, and the givers' wish to get none. */
export function createAnswers(tools: AnswersTools): Answers {
  return {
    give: (receiptKey, answer) => give(tools, receiptKey, answer),
    wantsLetter: (cardId, key) => tools.db.read(db => wantsLetter(db, tools.keys, cardId, key)),
    setLetter: (cardId, key, wanted) => setLetter(tools, { cardId, key, wanted }),
  }
}

async function give(
  { db, keys, clock, onQueued }: AnswersTools,
  receiptKey: string,
  answer: GiftAnswer,
): Promise<void> {
  const now = clock()
  const digest = digestOf(keys, answer)
  const isNew = await db.transaction(async trx => {
    const use = await useOf(trx, keys, receiptKey)
    // Two answers at once come one after the other.
    const card = await lockCard(trx, 'donation', use.card_id)
    if (card === undefined) throw new Problem('card-not-found')
    const kept = await trx
      .selectFrom('gift_answers')
      .select('request_digest')
      .where('card_id', '=', card.id)
      .executeTakeFirst()
    if (kept?.request_digest === digest) return false
    if (kept) throw new Problem('already-answered')
    if ((await stateOf(trx, card, use.created_at, now)) !== 'open') throw new Problem('answer-closed')
    await keep(trx, card.id, answer, digest, now)
    return true
  })
  if (isNew) onQueued?.()
}

async function keep(
  trx: Writer,
  cardId: string,
  { saysWhere, words }: GiftAnswer,
  digest: string,
  now: number,
): Promise<void> {
  const letter = letterOfAnswer(!(await sendUsedLetterNow(trx, cardId, now)))
  const row: GiftAnswersTable = {
    card_id: cardId,
    request_digest: digest,
    names: saysWhere ? 'said' : 'kept',
    words,
    letter,
    created_at: now,
  }
  await trx.insertInto('gift_answers').values(row).execute()
  if (letter === 'second') await queueAnswerLetter(trx, cardId, now)
}

/** Keyed, since words can be guessed. */
function digestOf(keys: CardKeys, { saysWhere, words }: GiftAnswer): string {
  return keys.keyedDigest(JSON.stringify([saysWhere, words]))
}

/** The use of a card that a receipt key is of. Problem card-not-found, after the same work for every wrong key. */
async function useOf(db: Reader, keys: CardKeys, written: string) {
  const key = readKey(written)
  const use = await db
    .selectFrom('redemptions')
    .select(['card_id', 'created_at'])
    .where('receipt_digest', '=', keys.digest(key ?? written))
    .executeTakeFirst()
  if (key === undefined || use === undefined) throw new Problem('card-not-found')
  return use
}

/** Can the giver of a used card be told something? @param usedAt epoch ms */
export async function stateOf(
  db: Reader,
  { id, email, order_id }: Pick<Card, 'id' | 'email' | 'order_id'>,
  usedAt: number,
  now: number,
): Promise<AnswerState> {
  const given = await db
    .selectFrom('gift_answers')
    .select('card_id')
    .where('card_id', '=', id)
    .executeTakeFirst()
  const { byGiver, byOperator } = await stopsOf(db, id)
  const facts = {
    usedAt,
    isGiven: given !== undefined,
    // Who bought many knows to whom each card was given, and is told of none.
    reachesGiver: email !== null && !byGiver && !(await isOfMany(db, { order_id })),
    isBlocked: byOperator,
  }
  return answerState(facts, now)
}

async function wantsLetter(db: Reader, keys: CardKeys, cardId: string, key: string): Promise<boolean> {
  const card = await cardOfLetters(db, keys, cardId, key)
  return !(await stopsOf(db, card.id)).byGiver
}

async function setLetter(
  { db, keys, clock }: AnswersTools,
  asked: { readonly cardId: string; readonly key: string; readonly wanted: boolean },
): Promise<void> {
  await db.transaction(async trx => {
    const { id } = await cardOfLetters(trx, keys, asked.cardId, asked.key)
    if (!asked.wanted) return void (await stopLetters(trx, id, 'giver', clock()))
    await trx.deleteFrom('letter_stops').where('card_id', '=', id).where('stopped_by', '=', 'giver').execute()
  })
}

/** Problem card-not-found, after the same work for every wrong key. */
async function cardOfLetters(db: Reader, keys: CardKeys, written: string, key: string): Promise<Card> {
  // Ids are in lower case like keys; a visitor may type either case.
  const asked = written.toLowerCase()
  const id = isIdShaped(asked) ? asked : ''
  const card = await storedCard(db, 'donation', id)
  const isKey = keys.isLettersKey(id, readKey(key) ?? key)
  if (card === undefined || !isKey) throw new Problem('card-not-found')
  return card
}
