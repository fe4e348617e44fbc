import { createDesk, type Desk } from '#server/modules/desk/desk.ts'
import { followPayment, refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import type { PaymentsFixture } from './payments-fixture.ts'

/** The operator's desk over the payments of a test. It knows no session. @param changes parts of it that are others */
export const deskOf = (
  { test, deps, clock }: PaymentsFixture,
  changes: Partial<Parameters<typeof createDesk>[0]> = {},
): Desk =>
  createDesk({
    db: test.db,
    keys: deps.keys,
    clock,
    follow: orderId => followPayment(deps, orderId),
    refund: (...asked) => refundByOperator(deps, ...asked),
    onQueued() {},
    sessionDigest: undefined,
    recipientDigest: undefined,
    orderOfIntent: undefined,
    organisations: () => [],
    ...changes,
  })
