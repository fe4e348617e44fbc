import { GIFTS } from '#domain/card/gifts.ts'
import { isVisible } from '#domain/card/states.ts'
import { isPackageId, type PackageId } from '#domain/pricing/packages.ts'
import type { ConfirmationPayload } from '#server/modules/gifts/confirmation-jobs.ts'
import { storedCard } from '#server/modules/gifts/stored-cards.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { confirmationMail, freeCardMail } from './confirmation.ts'
import type { Deliver } from './deliver.ts'
import { MailFailure } from './failure.ts'
import { type MailHandlers, type MailParts, siteIn } from './parts.ts'
import { addresseeOf, giftOf, paidIn } from './rows.ts'

const CONFIRMATION = GIFTS.donation.confirmation.mail

/** Sends the mail of a new card. @throws MailFailure, for good when the card cannot be told of */
export function confirmationHandlers(parts: MailParts, deliver: Deliver): MailHandlers<typeof CONFIRMATION> {
  return {
    async [CONFIRMATION](job) {
      const { cardId } = job.payload as ConfirmationPayload
      const { card, order } = await parts.db.read(async db => {
        const card = await storedCard(db, 'donation', 'id', cardId)
        return { card, order: card?.order_id ? await orderById(db, card.order_id) : undefined }
      })
      if (card === undefined || !isVisible(card.status)) throw new MailFailure('card-not-found', true)
      const to = addresseeOf(card)
      const gift = giftOf(card, parts.keys)
      const site = siteIn(card.language, parts)
      const mail = order
        ? confirmationMail(to, { ...gift, ...paidIn(order), packageId: packageOf(order.package_id) }, site)
        : freeCardMail(to, gift, site)
      await deliver(mail, { job, to: card.email })
    },
  }
}

/** Cards with a credit come of orders of the five packages only. */
function packageOf(id: string): PackageId {
  if (!isPackageId(id)) throw new MailFailure('card-not-found', true)
  return id
}
