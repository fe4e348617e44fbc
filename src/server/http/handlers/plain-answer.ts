import { readWords } from '#domain/answer/words.ts'
import { isProblem, PROBLEMS, Problem } from '#domain/problems.ts'
import { cardPath } from '#paths'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import type { CardView, Redeemed } from '#server/modules/gifts/interface.ts'
import type { ReceiverRequest } from '#server/modules/story/receiver-screen.ts'

/** What the thanks screen says after the form by which the recipient has the giver told. */
export type PlainAnswer =
  | { readonly kind: 'redirect'; readonly to: string }
  /** The used card, with the reason why the giver is told nothing. */
  | { readonly kind: 'refused'; readonly view: CardView; readonly refusal: Problem }
  | {
      readonly kind: 'answered'
      readonly view: CardView
      readonly given: Redeemed
      /** undefined: the giver is told. */
      readonly refusal?: 'not-ticked' | 'words' | Problem
      readonly typed: { readonly tell: boolean; readonly where: boolean; readonly words: string }
    }

/**
 * Answers the form of the thanks screen, for visitors without scripts, through the same use case as the call. Only
 * a visitor with the receipt key sees the thanks again; everybody else is led to the used card.
 * @throws Problem method-not-allowed for a form of another screen
 */
export async function answerPlainAnswer(
  app: Pick<App, 'answers' | 'cards' | 'limits'>,
  { giftCardId, clientAddress }: ReceiverRequest,
  form: URLSearchParams,
): Promise<PlainAnswer> {
  const receiptKey = form.get('receipt')
  if (receiptKey === null) throw new Problem('method-not-allowed')
  count(app, 'redeem', clientAddress)
  const typed = { tell: form.has('tell'), where: form.has('where'), words: form.get('words') ?? '' }
  try {
    const view = await app.cards.open(giftCardId, 'full')
    // With the receipt key of another card, the answer would go to that card's giver, while the page names this one's.
    const receipt = await app.cards.receipt(receiptKey, giftCardId).catch((error: unknown) => {
      if (view.consumed && isProblem(error) && error.code === 'receipt-of-another-card') return error
      throw error
    })
    if (isProblem(receipt)) return { kind: 'refused', view, refusal: receipt }
    const shown = {
      kind: 'answered',
      view,
      given: { allocations: receipt.allocations, receiptKey },
      typed,
    } as const
    if (!typed.tell) return { ...shown, refusal: 'not-ticked' }
    const read = readWords(typed.words)
    if ('rule' in read) return { ...shown, refusal: 'words' }
    const refusal = await app.answers.give(receiptKey, { saysWhere: typed.where, words: read.words }).then(
      () => undefined,
      (error: unknown) => {
        if (isProblem(error) && PROBLEMS[error.code] < 500) return error
        throw error
      },
    )
    return refusal ? { ...shown, refusal } : shown
  } catch (error) {
    if (isProblem(error) && (error.code === 'card-not-found' || error.code === 'receipt-of-another-card'))
      return { kind: 'redirect', to: cardPath(giftCardId, 'consumed') }
    throw error
  }
}
