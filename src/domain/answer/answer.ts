import { HOUR_MS } from '../durations.ts'

/** What a recipient has the giver told by mail. One who tells nothing gives no answer: nothing of it is kept. */
export interface GiftAnswer {
  /** The letter names the organisations, and not what each of them got. */
  readonly saysWhere: boolean
  /** A line of the recipient's own (words.ts); null without one. */
  readonly words: string | null
}

/** How long after a card's use its recipient can answer, in ms. */
export const ANSWER_WITHIN_MS = 30 * 24 * HOUR_MS

/** How long the letter about a card's use waits for an answer, in ms. Then the giver is told of the use alone. */
export const LETTER_AFTER_MS = 24 * HOUR_MS

/** When the letter "Your gift has been used" goes out of itself, in epoch ms. */
export function letterDueAt(usedAt: number): number {
  return usedAt + LETTER_AFTER_MS
}

/** Can an answer be given, has one been given, or can none be given any more? */
export const ANSWER_STATES = ['open', 'given', 'closed'] as const

export type AnswerState = (typeof ANSWER_STATES)[number]

/** What decides it. */
export interface AnswerFacts {
  /** Epoch ms. */
  readonly usedAt: number
  readonly isGiven: boolean
  /** The giver's address is known, and the giver wants to be written to. */
  readonly reachesGiver: boolean
  /** The operator has blocked the card's answer. */
  readonly isBlocked: boolean
}

/**
 * May this card's recipient answer? A card has one answer, within 30 days of its use, and its giver must be
 * reachable. @param now epoch ms
 */
export function answerState(
  { usedAt, isGiven, reachesGiver, isBlocked }: AnswerFacts,
  now: number,
): AnswerState {
  if (isGiven) return 'given'
  return reachesGiver && !isBlocked && now < usedAt + ANSWER_WITHIN_MS ? 'open' : 'closed'
}

/**
 * Which letter an answer goes in: the one that says that the card was used, sent at once, or a second one behind it.
 * @param isFirstSent whether the first letter has gone, or is being sent at this moment
 */
export function letterOfAnswer(isFirstSent: boolean): 'first' | 'second' {
  return isFirstSent ? 'second' : 'first'
}

/** What a letter may say, when it goes out. */
export interface LetterFacts {
  readonly letter: 'first' | 'second'
  readonly reachesGiver: boolean
  readonly isBlocked: boolean
  /** The answer of the card, if one was given, and the letter it goes in. */
  readonly answer: (GiftAnswer & { readonly letter: 'first' | 'second' }) | undefined
}

/**
 * The part of an answer that a letter tells. It is undefined where no letter goes out, and null where the letter
 * tells of the use alone. Where the gift went is said only if the recipient ticked it; a blocked answer tells
 * nothing.
 */
export function toldIn({
  letter,
  reachesGiver,
  isBlocked,
  answer,
}: LetterFacts): GiftAnswer | null | undefined {
  if (!reachesGiver) return undefined
  const told = answer?.letter === letter && !isBlocked ? answer : undefined
  if (letter === 'first') return told ? { saysWhere: told.saysWhere, words: told.words } : null
  // A giver who gets a second letter knows from the first one that the card was used.
  const saysMore = told && (told.saysWhere || told.words !== null)
  return saysMore ? { saysWhere: told.saysWhere, words: told.words } : undefined
}
