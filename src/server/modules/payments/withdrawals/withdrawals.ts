import { finishWithdrawals } from './carry-out.ts'
import { confirmWithdrawal, openWithdrawal } from './confirm.ts'
import type { WithdrawalParts } from './dependencies.ts'
import type { Withdrawals } from './interface.ts'
import { keyOfSession, stateWithdrawal } from './state.ts'

/** The withdrawals as pages and the periodic job see them. */
export interface WithdrawalsWithJobs extends Withdrawals {
  /** For a periodic job, every few minutes. @returns how many were looked at */
  finish(): Promise<number>
}

/** Makes the withdrawals: what buyers call, and the job that finishes what has begun. */
export function createWithdrawals(parts: WithdrawalParts): WithdrawalsWithJobs {
  return {
    open: (orderId, key, chosen) => openWithdrawal(parts, { orderId, key }, chosen),
    confirm: (orderId, key, words, chosen) => confirmWithdrawal(parts, { orderId, key }, words, chosen),
    state: statement => stateWithdrawal(parts, statement),
    keyOfSession: sessionId => keyOfSession(parts, sessionId),
    finish: () => finishWithdrawals(parts),
  }
}
