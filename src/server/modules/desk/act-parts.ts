import type { ActRefusal, RefundAsked } from '#domain/desk/acts.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Database } from '#server/platform/db/database.ts'

/** What the acts work with, at both doors. */
export interface ActParts {
  readonly keys: CardKeys
  readonly clock: () => number
}

/** One of the calls that a press makes for a refund. */
export interface RefundCall {
  /** Which of many cards it is for; undefined where the order has one. */
  readonly number: number | undefined
  /** When the provider last refused the same, epoch ms UTC. */
  readonly refusedAt: number | undefined
  readonly press: string
  /** Is it still to be asked for? */
  readonly stands: () => Promise<boolean>
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
