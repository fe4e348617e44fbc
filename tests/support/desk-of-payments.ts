import { createDesk } from '#server/modules/desk/desk.ts'
import type { PaymentsFixture } from './payments-fixture.ts'

/** The operator's desk over the database of a test of payments. It gives no money back, and knows no session. */
export const deskOf = ({ test, deps, clock }: PaymentsFixture) =>
  createDesk({
    db: test.db,
    keys: deps.keys,
    clock,
    follow: async () => {},
    refund: async () => undefined,
    onQueued() {},
    sessionDigest: undefined,
    recipientDigest: undefined,
    orderOfIntent: undefined,
    organisations: () => [],
  })
