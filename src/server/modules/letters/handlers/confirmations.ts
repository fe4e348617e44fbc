import { GIFTS } from '#domain/card/gifts.ts'
import { isVisible } from '#domain/card/states.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { DEFAULT_MARKET } from '#domain/market.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { giftLettersPath } from '#paths'
import { inLanguage, type PerLanguage } from '#server/modules/content/snapshot.ts'
import { namedOrganisations } from '#server/modules/gifts/cards/named-organisations.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { CARD_NOT_SHOWN } from '#server/modules/gifts/confirmation-jobs.ts'
import { messageOf } from '#server/modules/gifts/messages.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { saleNumberOf } from '#server/modules/ledger/receipts.ts'
import { titleOfBought } from '#server/modules/offers/titles.ts'
import { type Order, orderById } from '#server/modules/payments/orders.ts'
import { confirmationMail, freeCardMail } from '../confirmation.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { invitationMail } from '../invitation.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { addresseeOf, giftOf } from '../rows.ts'

/** An order, and what it is of. */
interface Bought extends Order {
  readonly packageTitle: PerLanguage<string>
  readonly receiptNumber: string | undefined
  /** What the giver writes to whoever gets it. */
  readonly message: string | null
}

/** The letter about a new card of each kind; `order` undefined for a free card. */
const LETTERS: {
  readonly [Kind in GiftKind]: (
    card: CardOf[Kind],
    order: Bought | undefined,
    parts: MailParts,
  ) => Promise<MailData>
} = {
  async donation(card, order, parts) {
    const to = await addresseeOf(card, parts)
    const lettersPath = giftLettersPath(card.id, parts.keys.lettersKey(card.id))
    const named = await parts.db.read(reader => namedOrganisations(reader, parts.keys, [card]))
    const gift = { ...giftOf(card, named.get(card.id), parts), lettersPath }
    const site = siteIn(card.language, parts)
    if (!order) return freeCardMail(to, gift, site)
    return confirmationMail(
      to,
      {
        ...gift,
        ...amountsOf(order),
        receiptNumber: order.receiptNumber,
        message: order.message,
        packageTitle: inLanguage(order.packageTitle, card.language),
        termsVersion: order.terms_version,
        receipts: (parts.market?.(card.currency) ?? DEFAULT_MARKET).receipts,
      },
      site,
    )
  },
  async volunteering(card, order, parts) {
    if (!order) throw new MailFailure('card-not-found', true)
    const key = parts.keys.privateKey(card.id, card.key_version)
    const { receiptNumber, message, terms_version: termsVersion } = order
    const checkWord = printedWordOf(card, key)
    const bought = { key, checkWord, ...amountsOf(order), receiptNumber, message, termsVersion }
    return invitationMail(await addresseeOf(card, parts), bought, siteIn(card.language, parts))
  },
}

/** The kind of mail that tells of a new card of each kind. */
type ConfirmationMail<Kind extends GiftKind = GiftKind> = (typeof GIFTS)[Kind]['confirmation']['mail']

/** Send the mail of a new card. @throws MailFailure, for good when the card cannot be told of */
export function confirmationHandlers(parts: MailParts, deliver: Deliver): MailHandlers<ConfirmationMail> {
  const handler =
    <Kind extends GiftKind>(kind: Kind): MailHandlers<ConfirmationMail>[ConfirmationMail] =>
    async job => {
      const { card, order } = await parts.db.read(async db => {
        const card = await storedCard(db, kind, 'id', job.payload.cardId)
        const order = card?.order_id ? await orderById(db, card.order_id) : undefined
        if (!order) return { card, order }
        const receiptNumber = await saleNumberOf(db, order.id)
        const message = await messageOf(db, order.id)
        return {
          card,
          order: { ...order, packageTitle: await titleOfBought(db, order), receiptNumber, message },
        }
      })
      if (card === undefined || !isVisible(card.status)) throw new MailFailure(CARD_NOT_SHOWN, true)
      await deliver(await LETTERS[kind](card, order, parts), { job, to: card.email })
    }
  return {
    [GIFTS.donation.confirmation.mail]: handler('donation'),
    [GIFTS.volunteering.confirmation.mail]: handler('volunteering'),
  }
}
