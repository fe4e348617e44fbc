import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { nameOfNgo } from '#server/modules/content/snapshot.ts'
import { createDesk, type Desk } from '#server/modules/desk/desk.ts'
import { orderOfIntent } from '#server/modules/payments/order-of-intent.ts'
import type { ContentParts } from './content.ts'
import type { Foundation } from './foundation.ts'

/** The operator's desk. Only the running site can ask the payment provider. */
export function deskOf(
  { db, keys, log, provider }: Foundation,
  { content: { snapshot } }: Pick<ContentParts, 'content'>,
): Desk {
  return createDesk({
    db,
    sessionDigest: id => keys.keyedDigest(id),
    orderOfIntent: id => orderOfIntent({ ...provider.clients, log }, id),
    organisations: () =>
      snapshot().knownNgos.map(({ id }) => ({ id, name: nameOfNgo(snapshot(), id, DEFAULT_LANGUAGE) })),
  })
}
