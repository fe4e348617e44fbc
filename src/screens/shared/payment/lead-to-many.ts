import type { Language } from '#domain/languages.ts'
import type { SettledMany } from '#domain/payment/purchase.ts'
import { manyPath } from '#paths'
import { endOrder } from '#screens/shared/choices/fallback.store.ts'
import { paidGifts } from '#screens/shared/payment/paid-gifts.store.ts'

/**
 * Leads the buyer of many cards to their page, which takes the place of this one: Back leads to before the payment.
 * @returns nothing: this page waits as it is until the other one is there
 */
export function leadToMany({ orderId, manyKey }: SettledMany, language: Language): Promise<never> {
  paidGifts.donation.pending.set(undefined)
  endOrder()
  location.replace(`${manyPath(orderId, manyKey)}?lang=${language}`)
  return new Promise(() => {})
}
