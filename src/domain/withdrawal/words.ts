import type { GiftKind } from '../sender/gift-kinds.ts'
import type { WithdrawalAnswer, WithdrawalState } from './withdrawal.ts'

type Words =
  | 'withdraw-answer-whole'
  | 'withdraw-answer-whole-waiting'
  | 'withdraw-answer-whole-failed'
  | `withdraw-answer-support-${'' | 'waiting-' | 'failed-'}${GiftKind}`
  | `withdraw-answer-used-${GiftKind}`
  | 'withdraw-answer-too-late'
  | 'withdraw-answer-given-back'
  | 'withdraw-answer-unpaid'

/** The text that says how far a withdrawal is, the same on the screen and in the mail. */
export function answerText(answer: WithdrawalAnswer, state: WithdrawalState, kind: GiftKind): Words {
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
