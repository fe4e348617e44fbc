import { placeOfCard, writeNamedCards } from '../card/batch.ts'
import type { GiftKind } from '../sender/gift-kinds.ts'
import { isRefunded, type RefundedShare, type WithdrawalAnswer, type WithdrawalState } from './withdrawal.ts'

type Words =
  | 'withdraw-answer-whole'
  | 'withdraw-answer-whole-waiting'
  | 'withdraw-answer-whole-failed'
  | `withdraw-transfer-${'whole' | 'support'}${'' | '-refunded'}`
  | 'withdraw-transfer-whole-waiting'
  | `withdraw-answer-support-${'' | 'waiting-' | 'failed-'}${GiftKind}`
  | `withdraw-answer-used-${GiftKind}`
  | 'withdraw-answer-too-late'
  | 'withdraw-answer-given-back'
  | 'withdraw-answer-unpaid'

/** What a withdrawal is from. */
export interface WithdrawnFrom {
  readonly kind: GiftKind
  /** Was it to be paid by invoice? A person transfers back what goes back of it. */
  readonly byTransfer: boolean
}

/** The text that says how far a withdrawal is, the same on the screen and in the mail. */
export function answerText(
  answer: WithdrawalAnswer,
  state: WithdrawalState,
  { kind, byTransfer }: WithdrawnFrom,
): Words {
  if (byTransfer && isRefunded(answer)) {
    if (state === 'refunding') return `withdraw-transfer-${answer}`
    if (state === 'refunded') return `withdraw-transfer-${answer}-refunded`
    if (state === 'waiting' && answer === 'whole') return 'withdraw-transfer-whole-waiting'
  }
  switch (answer) {
    case 'whole':
      // The bank has given it back while the withdrawal was waiting.
      if (state === 'closed') return 'withdraw-answer-given-back'
      return state === 'waiting' || state === 'failed'
        ? `withdraw-answer-whole-${state}`
        : 'withdraw-answer-whole'
    case 'support':
      if (state === 'closed') return 'withdraw-answer-given-back'
      return `withdraw-answer-support-${state === 'waiting' || state === 'failed' ? (`${state}-` as const) : ''}${kind}`
    case 'used':
      return `withdraw-answer-used-${kind}`
    default:
      return `withdraw-answer-${answer}`
  }
}

/** A withdrawal that was confirmed, as a sentence about it needs it. */
interface Confirmed {
  readonly answer: WithdrawalAnswer
  readonly state: WithdrawalState
  /** The numbers of its cards, of an order of many; missing where it is from all of an order. */
  readonly cards?: readonly number[] | undefined
  /** Were some of them used? */
  readonly areSomeUsed: boolean
}

type Translate = (key: string, values: Readonly<Record<string, string | number>>) => string

/** Some cards of an order by their numbers, in the words of a sentence. */
export function namedInWords(t: Translate, cards: readonly number[]): string {
  return t(cards.length === 1 ? 'withdraw-cards-one' : 'withdraw-cards-more', {
    numbers: writeNamedCards(cards.map(placeOfCard)),
  })
}

/** What a buyer states who withdraws, of an order of many from some cards. @param cards their numbers */
export function statementSentence(t: Translate, cards: readonly number[] | undefined): string {
  return cards && cards.length > 0
    ? t('withdraw-statement-cards', { cards: namedInWords(t, cards) })
    : t('withdraw-statement', {})
}

/**
 * The sentence that says how far a withdrawal is, the same on the screen and in the mail; of cards of an order of many it
 * names them.
 * @param values what goes back, and the last day, as they are written
 */
export function withdrawalSentence(
  t: Translate,
  { answer, state, cards, areSomeUsed }: Confirmed,
  from: WithdrawnFrom,
  values: { readonly amount: string; readonly date: string },
): string {
  if (!cards || !isRefunded(answer)) return t(answerText(answer, state, from), values)
  const said = t(cardsText(answer, state, from), { ...values, cards: namedInWords(t, cards) })
  return answer === 'whole' && areSomeUsed && state !== 'closed'
    ? `${said} ${t('withdraw-cards-some-used', values)}`
    : said
}

type CardsText =
  | `withdraw-cards-${'whole' | 'support'}${'' | '-waiting' | '-failed'}`
  | `withdraw-cards-transfer-${'whole' | 'support'}${'' | '-refunded'}`
  | 'withdraw-cards-closed'

function cardsText(
  answer: RefundedShare,
  state: WithdrawalState,
  { byTransfer }: Pick<WithdrawnFrom, 'byTransfer'>,
): CardsText {
  if (state === 'closed') return 'withdraw-cards-closed'
  if (byTransfer && state === 'refunding') return `withdraw-cards-transfer-${answer}`
  if (byTransfer && state === 'refunded') return `withdraw-cards-transfer-${answer}-refunded`
  return `withdraw-cards-${answer}${state === 'waiting' || state === 'failed' ? (`-${state}` as const) : ''}`
}
