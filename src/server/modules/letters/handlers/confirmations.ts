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
import { messageOf, messageOfOrder } from '#server/modules/gifts/messages.ts'
import { type Card, type CardOf, cardsOfOrder, storedCard } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { saleNumberOf } from '#server/modules/ledger/receipts.ts'
import { titleOfBought } from '#server/modules/offers/titles.ts'
import { type Order, orderById } from '#server/modules/payments/orders.ts'
import { givenAtPayment, isOwnMoney } from '#server/modules/payments/own-money.ts'
import { confirmationMail, freeCardMail } from '../confirmation.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { invitationMail } from '../invitation.ts'
import { manyMail } from '../many.ts'
import { ownMoneyMail, ownMoneyToDivideMail } from '../own-money.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { addresseeOf, giftOf, sendableOf, unfoldsAs } from '../rows.ts'
import { buyerOf, manyOf } from './many.ts'

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
    const many = order && (await parts.db.read(reader => manyOf(reader, card, parts)))
    if (order && many) {
      const { to: buyer } = await buyerOf(many, parts)
      return manyMail(buyer, { ...many.told, ...boughtWith(order, card, parts) }, site)
    }
    if (!order) return freeCardMail(to, gift, site)
    const paid = boughtWith(order, card, parts)
    if (isOwnMoney(order)) {
      const given = await parts.db.read(reader => givenAtPayment(reader, card.id))
      const { publicKey: _, ...payer } = to
      if (!given) return ownMoneyToDivideMail(payer, { ...gift, ...paid }, site)
      const rows = given.map(({ ngoId, amount }) => ({ name: parts.ngoName(ngoId, card.language), amount }))
      return ownMoneyMail(payer, { ...paid, given: rows }, site)
    }
    return confirmationMail(to, { ...gift, ...sendableOf(card, parts), ...paid }, site)
  },
  async volunteering(card, order, parts) {
    if (!order) throw new MailFailure('card-not-found', true)
    const key = parts.keys.privateKey(card.id, card.key_version)
    const { receiptNumber, message, terms_version: termsVersion } = order
    const checkWord = printedWordOf(card, key)
    const paid = { ...amountsOf(order), receiptNumber, message, termsVersion }
    const link = { key, unfoldsAs: unfoldsAs(card, 'volunteering') }
    const bought = { ...link, checkWord, ...sendableOf(card, parts), ...paid }
    return invitationMail(await addresseeOf(card, parts), bought, siteIn(card.language, parts))
  },
}

/** What a first mail says of the payment, in the language of the card. */
const boughtWith = (order: Bought, card: Card, { market }: Pick<MailParts, 'market'>) => ({
  ...amountsOf(order),
  receiptNumber: order.receiptNumber,
  message: order.message,
  packageTitle: inLanguage(order.packageTitle, card.language),
  termsVersion: order.terms_version,
  receipts: (market?.(card.currency) ?? DEFAULT_MARKET).receipts,
})

/** The kind of mail that tells of a new card of each kind. */
type ConfirmationMail<Kind extends GiftKind = GiftKind> = (typeof GIFTS)[Kind]['confirmation']['mail']

/** Send the mail of a new card. @throws MailFailure, for good when the card cannot be told of */
export function confirmationHandlers(parts: MailParts, deliver: Deliver): MailHandlers<ConfirmationMail> {
  const handler =
    <Kind extends GiftKind>(kind: Kind): MailHandlers<ConfirmationMail>[ConfirmationMail] =>
    async job => {
      const { card, order, isShown, to } = await parts.db.read(async db => {
        const card = await storedCard(db, kind, job.payload.cardId)
        const order = card?.order_id ? await orderById(db, card.order_id) : undefined
        if (!card || !order)
          return {
            card,
            order: undefined,
            isShown: card !== undefined && isVisible(card.status),
            to: card?.email,
          }
        const receiptNumber = await saleNumberOf(db, order.id)
        const isMany = order.card_count > 1
        const message = isMany ? await messageOfOrder(db, order.id) : await messageOf(db, card)
        // Of many, one that is held does not hide the others.
        const cards = isMany ? await cardsOfOrder(db, kind, order.id) : [card]
        return {
          card,
          // The first card of many may be forgotten before the others.
          to: card.email ?? cards.find(({ email }) => email !== null)?.email,
          isShown: cards.some(({ status }) => isVisible(status)),
          order: { ...order, packageTitle: await titleOfBought(db, order), receiptNumber, message },
        }
      })
      if (card === undefined || !isShown) throw new MailFailure(CARD_NOT_SHOWN, true)
      await deliver(await LETTERS[kind](card, order, parts), { job, to: to ?? null })
    }
  return {
    [GIFTS.donation.confirmation.mail]: handler('donation'),
    [GIFTS.volunteering.confirmation.mail]: handler('volunteering'),
  }
}
