import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import { money } from '#domain/money/money.ts'
import { isStillListed } from '#domain/own-money/own-money.ts'
import { type Allocation, type Selection, splitInProportion } from '#domain/redemption/split.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import { consume } from '#server/modules/gifts/cards/consume.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { requestDigestOf } from '#server/modules/gifts/cards/request-digest.ts'
import { cardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { OrdersTable } from '#server/platform/db/schema.ts'
import type { PaymentsDependencies } from './dependencies.ts'

type Order = Pick<Selectable<OrdersTable>, 'id' | 'ngo_amount' | 'currency' | 'split_sealed'>

type Charge = Pick<Stripe.Charge, 'amount_refunded' | 'disputed'>

/** Has money of this payment gone back, or does its bank look into it? */
export const isDoubtful = ({ amount_refunded: refunded, disputed }: Charge): boolean =>
  refunded > 0 || disputed

/** Is this an order of own money, and not of a gift to somebody? */
export const isOwnMoney = ({ split_sealed: split }: Pick<Order, 'split_sealed'>): boolean => split !== null

/** How an order keeps to whom its money goes. */
export const sealParts = (keys: CardKeys, orderId: string, parts: readonly Selection[]): string =>
  keys.seal(JSON.stringify(parts.map(({ ngoId, points }) => [ngoId, points])), orderId)

/**
 * What the payer of own money saw that each organisation gets. Undefined where another hand has changed it, or the secret
 * that it was written under is gone, and for an order of anything else.
 */
export function allocationsSeen(
  keys: Pick<CardKeys, 'unseal'>,
  order: Order,
): readonly Allocation[] | undefined {
  const text = order.split_sealed === null ? undefined : keys.unseal(order.split_sealed, order.id)
  const parts = text === undefined ? undefined : readParts(text)
  return parts && splitInProportion(money(order.ngo_amount, order.currency), parts)
}

/** Undefined where it is something else that was closed for this order: its session, put there by another hand. */
function readParts(text: string): readonly Selection[] | undefined {
  if (!text.startsWith('[')) return undefined
  const kept = JSON.parse(text) as readonly (readonly [string, number])[]
  return kept.map(([ngoId, points]) => ({ ngoId, points }))
}

/**
 * Gives own money to whom its payer said, in the transaction that makes its card. The card stays one to be divided, whose
 * links its payer gets by mail, where money has gone back already or is disputed, since what was given cannot be taken
 * back; where nobody can tell any more what they said; or where the list has lost one of the organisations meanwhile:
 * nothing is booked that the payer did not see.
 * @param paid the payment as the provider has it, and when it is settled, epoch ms UTC
 * @returns what became of it; undefined for an order of anything else
 */
export async function giveOwnMoney(
  trx: Writer,
  { keys, listedNgoIds }: Pick<PaymentsDependencies, 'keys' | 'listedNgoIds'>,
  order: Order,
  { charge, at }: { readonly charge: Charge | undefined; readonly at: number },
): Promise<'given' | 'doubtful' | 'unreadable' | 'unlisted' | undefined> {
  if (!isOwnMoney(order)) return undefined
  if (charge && isDoubtful(charge)) return 'doubtful'
  const allocations = allocationsSeen(keys, order)
  if (allocations === undefined) return 'unreadable'
  if (!isStillListed(allocations, listedNgoIds?.() ?? [])) return 'unlisted'
  const [card] = await cardsOfOrder(trx, 'donation', order.id)
  const isGiven =
    card !== undefined &&
    (await consume(trx, keys, {
      card,
      allocations,
      cause: 'recipient',
      requestDigest: requestDigestOf(allocations),
      at,
    }))
  // With the transaction goes the settlement, which comes again.
  if (!isGiven) throw new Error('The card of own money is not as it was made')
  return 'given'
}

/**
 * What the organisations got of own money at its payment; undefined where its card was left to be divided, whatever its
 * holder did with it since: a use of theirs has a receipt.
 */
export async function givenAtPayment(db: Reader, cardId: string): Promise<readonly Allocation[] | undefined> {
  const use = await db
    .selectFrom('redemptions')
    .select('card_id')
    .where('card_id', '=', cardId)
    .where('cause', '=', 'recipient')
    .where('receipt_digest', 'is', null)
    .executeTakeFirst()
  return use && allocationsOf(db, cardId)
}
