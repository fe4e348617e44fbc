import type { ActRefusal, RefundAsked, RefundCall } from '#domain/desk/acts.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Database } from '#server/platform/db/database.ts'

/** What the acts work with, at both doors. */
export interface ActParts {
  readonly keys: CardKeys
  readonly clock: () => number
}

export interface DeskActParts extends ActParts {
  readonly db: Database
  /** Gives back money of an order (payments/refund-by-operator.ts). @returns why not */
  readonly refund: (orderId: string, asked: RefundAsked, call: RefundCall) => Promise<ActRefusal | undefined>
  /** Makes cards and books follow what the payment provider says of an order. Problem provider-unavailable. */
  readonly follow: (orderId: string) => Promise<void>
  /** A mail was queued. */
  readonly onQueued: () => void
}

/** @throws Problem act-refused */
export const refuse = (rule: ActRefusal): never => {
  throw new Problem('act-refused', { fields: [{ path: 'act', rule }] })
}
