import type { Payments } from '#server/modules/payments/interface.ts'
import { requestConfirmation, requestInvitationMail } from './confirmation.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { receiveEvent } from './events.ts'
import { createOncePerSession } from './once-per-session.ts'
import { attemptDigest, orderOfAttempt } from './orders.ts'
import { readPartnerOrder } from './partner-orders.ts'
import { reconcile } from './reconcile.ts'
import { type Reconciled, reconcileRestored } from './reconcile-since.ts'
import { settle, settleOwnMoney, settlePurchase, settleVolunteering } from './settle.ts'
import { startDonation, startInvoice, startOwnMoney, startPartnerOrder, startVolunteering } from './start.ts'

/** The payments as pages, endpoints and the periodic jobs see them. */
export interface PaymentsWithJobs extends Payments {
  /** For a periodic job, every few minutes. @returns how many open orders were looked at */
  reconcile(): Promise<number>
  /** The same for everything that a backup lacks, once after it was brought back. */
  reconcileRestored(): Promise<Reconciled | undefined>
}

/** Makes the payments: what visitors and the provider call, and the jobs that follow open orders. */
export function createPayments(deps: PaymentsDependencies): PaymentsWithJobs {
  const forEvents = { ...deps, stripe: deps.eventStripe ?? deps.stripe }
  const forReturning = {
    ...deps,
    stripe: deps.returningStripe ?? deps.stripe,
    oncePerSession: createOncePerSession(deps.clock),
  }
  const forOpening = { ...deps, stripe: deps.openingStripe ?? deps.stripe }
  return {
    startDonation: input => startDonation(forOpening, input),
    startVolunteering: input => startVolunteering(forOpening, input),
    startOwnMoney: input => startOwnMoney(forOpening, input),
    startInvoice: input => startInvoice(deps, input),
    startPartnerOrder: input => startPartnerOrder(forOpening, input),
    readPartnerOrder: (partnerId, orderId) => readPartnerOrder(deps.db, partnerId, orderId),
    hasBegun: async attemptKey =>
      (await deps.db.read(reader => orderOfAttempt(reader, attemptDigest(attemptKey)))) !== undefined,
    settle: sessionId => settle(forReturning, sessionId),
    settlePurchase: sessionId => settlePurchase(forReturning, sessionId),
    settleVolunteering: sessionId => settleVolunteering(forReturning, sessionId),
    settleOwnMoney: sessionId => settleOwnMoney(forReturning, sessionId),
    receiveEvent: (rawBody, signature) => receiveEvent(forEvents, rawBody, signature),
    requestConfirmation: request => requestConfirmation(deps, request),
    requestInvitationMail: request => requestInvitationMail(deps, request),
    reconcile: () => reconcile(deps),
    reconcileRestored: () => reconcileRestored(deps),
  }
}
