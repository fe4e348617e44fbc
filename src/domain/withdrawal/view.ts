import type { GiftKind } from '../sender/gift-kinds.ts'
import { isRefunded, type WithdrawalAnswer, type WithdrawalState } from './withdrawal.ts'
import { answerText, type WithdrawnFrom } from './words.ts'

/** What is known of a purchase whose withdrawal page is opened. */
export interface ViewedPurchase extends WithdrawnFrom {
  /** Has no payment arrived yet? */
  readonly isAwaited: boolean
  /** The answer that a withdrawal would get now. */
  readonly answer: WithdrawalAnswer
  /** Missing until its buyer has withdrawn. */
  readonly confirmed?: { readonly answer: WithdrawalAnswer; readonly state: WithdrawalState } | undefined
}

/** What the page of a withdrawal says, as keys of the texts, and whether it can be confirmed there. */
export interface WithdrawalView {
  readonly title:
    | 'withdraw-offer-title'
    | 'withdraw-done-title'
    | 'withdraw-closed-title'
    | 'withdraw-failed-title'
  readonly text:
    | ReturnType<typeof answerText>
    | 'withdraw-offer-whole'
    | 'withdraw-offer-invoice'
    | `withdraw-offer-support-${GiftKind}`
  /** Something would go back, and no refund of it is on its way. */
  readonly canConfirm: boolean
}

/** What a buyer is shown behind the link of a mail, before and after pressing (product.md#withdrawal). */
export function withdrawalView({ answer, confirmed, isAwaited, ...from }: ViewedPurchase): WithdrawalView {
  if (confirmed) {
    const { state } = confirmed
    const text = answerText(confirmed.answer, state, from)
    if (state === 'failed') return { title: 'withdraw-failed-title', text, canConfirm: true }
    const title = state === 'closed' ? 'withdraw-closed-title' : 'withdraw-done-title'
    return { title, text, canConfirm: false }
  }
  const title = 'withdraw-offer-title'
  if (!isRefunded(answer)) return { title, text: answerText(answer, 'closed', from), canConfirm: false }
  if (from.byTransfer && isAwaited) return { title, text: 'withdraw-offer-invoice', canConfirm: true }
  const text = answer === 'whole' ? 'withdraw-offer-whole' : (`withdraw-offer-support-${from.kind}` as const)
  return { title, text, canConfirm: true }
}
