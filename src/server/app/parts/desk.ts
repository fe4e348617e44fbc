import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { nameOfNgo } from '#server/modules/content/snapshot.ts'
import { createDesk, type Desk } from '#server/modules/desk/desk.ts'
import { createDutyDesk, type DutyDesk } from '#server/modules/desk/duty-desk.ts'
import { createPartnerDesk, type PartnerDesk } from '#server/modules/desk/partner-desk.ts'
import { createPayoutDesk, type PayoutDesk } from '#server/modules/desk/payout-desk.ts'
import { createPeopleDesk, type PeopleDesk } from '#server/modules/desk/people-desk.ts'
import { besideBackups, listRevocations } from '#server/modules/desk/revocations.ts'
import { createWishDesk, type WishDesk } from '#server/modules/desk/wish-desk.ts'
import { digestOfAddress } from '#server/modules/gifts/sendings/stored.ts'
import { orderOfIntent } from '#server/modules/payments/order-of-intent.ts'
import { followPayment, refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import type { Figures } from '#server/modules/reports/figures.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { ContentParts } from './content.ts'
import type { Foundation } from './foundation.ts'
import type { GiftParts } from './gifts.ts'

/** What the Studio shows and does besides the content. */
interface Desks {
  readonly desk: Desk
  readonly payoutDesk: PayoutDesk
  readonly duties: DutyDesk
  readonly peopleDesk: PeopleDesk
  readonly partnerDesk: PartnerDesk
  readonly wishDesk: WishDesk
}

/** Lists beside the backups what was revoked: a restore would bring it back. */
export function revocationsOf(
  { dataDir, walArchive }: Settings,
  { db, clock }: Pick<Foundation, 'db' | 'clock'>,
): () => Promise<void> {
  const folders = besideBackups({ dataDir, archive: walArchive })
  return () => listRevocations(db, folders, clock())
}

/** The operator's desks. Only the running site can ask the payment provider. */
export function desksOf(
  settings: Settings,
  { db, keys, clock, log, provider }: Foundation,
  { content: { snapshot } }: Pick<ContentParts, 'content'>,
  { worker }: Pick<GiftParts, 'worker'>,
  figures: Figures,
): Desks {
  const nameOf = (ngoId: string) => nameOfNgo(snapshot(), ngoId, DEFAULT_LANGUAGE)
  const onQueued = () => worker.nudge()
  const list = revocationsOf(settings, { db, clock })
  // Nobody waits for it: what fails here is listed within a minute.
  const onRevoked = () =>
    void list().catch((error: unknown) =>
      log.error('periodic-work-failed', error, { work: 'list-revocations' }),
    )
  return {
    desk: createDesk({
      db,
      keys,
      clock,
      onQueued,
      refund: (...asked) => refundByOperator({ db, keys, clock, log, ...provider.clients }, ...asked),
      follow: orderId => followPayment({ db, keys, clock, log, ...provider.clients }, orderId),
      sessionDigest: id => keys.keyedDigest(id),
      recipientDigest: address => digestOfAddress(keys, address),
      orderOfIntent: id => orderOfIntent({ ...provider.clients, log }, id),
      organisations: () => snapshot().knownNgos.map(({ id }) => ({ id, name: nameOf(id) })),
    }),
    payoutDesk: createPayoutDesk({ db, keys, clock, onQueued, nameOf }),
    duties: createDutyDesk({ db, clock, known: figures.duties }),
    peopleDesk: createPeopleDesk({ db, clock, mac: keys.mac }, onRevoked),
    partnerDesk: createPartnerDesk({ db, clock, mac: keys.mac }, onRevoked),
    wishDesk: createWishDesk({ db, clock }),
  }
}
