import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { nameOfNgo } from '#server/modules/content/snapshot.ts'
import { createDesk, type Desk } from '#server/modules/desk/desk.ts'
import { orderOfIntent } from '#server/modules/payments/order-of-intent.ts'
import { refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import type { ContentParts } from './content.ts'
import type { Foundation } from './foundation.ts'
import type { GiftParts } from './gifts.ts'

/** The operator's desk. Only the running site can ask the payment provider. */
export function deskOf(
  { db, keys, clock, log, provider }: Foundation,
  { content: { snapshot } }: Pick<ContentParts, 'content'>,
  { worker }: Pick<GiftParts, 'worker'>,
): Desk {
  return createDesk({
    db,
    keys,
    clock,
    onQueued: () => worker.nudge(),
    refund: (orderId, asked) =>
      refundByOperator({ db, keys, clock, log, ...provider.clients }, orderId, asked),
    sessionDigest: id => keys.keyedDigest(id),
    orderOfIntent: id => orderOfIntent({ ...provider.clients, log }, id),
    organisations: () =>
      snapshot().knownNgos.map(({ id }) => ({ id, name: nameOfNgo(snapshot(), id, DEFAULT_LANGUAGE) })),
  })
}
