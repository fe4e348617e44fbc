import { asksForDonor, type DonorField, donorFaults, readDonor } from '../donor/identity.ts'
import { asksForFulfilmentConsent } from '../legal/fulfilment-consent.ts'
import type { Quote } from '../pricing/quote.ts'

/** What is said at a payment alone; it is kept by no form that is shown before. */
export interface SaidAtPayment {
  readonly donorName: string
  readonly donorDocument: string
  readonly consents: boolean
}

/** What is missing for a payment. */
export type MissingAtPayment = `donor-${DonorField}` | 'consent'

/** What a form asks before the payment of gift cards, or of own money. */
export interface AskedAtPayment {
  readonly price: Quote
  /** Has the payer to say who they are? Whole units from which on. */
  readonly donorFrom: number | null
  readonly asksConsent: boolean
  readonly said: SaidAtPayment
  /** In the order in which it is asked. */
  readonly lacks: readonly MissingAtPayment[]
}

/** The same with the key of the press, which opens one payment however often it comes. */
export interface AtPayment extends AskedAtPayment {
  readonly attempt: string
}

/** What has to be said before this is paid, and what of it is missing. @param identityFrom of the market; null: nobody is asked who they are */
export function askedAtPayment(
  price: Quote,
  identityFrom: number | null,
  said: SaidAtPayment,
): AskedAtPayment {
  const donorFrom = asksForDonor(price, 'donation', identityFrom) ? identityFrom : null
  const asksConsent = asksForFulfilmentConsent(price.total.currency)
  const faults = donorFrom === null ? [] : donorFaults(said.donorName, said.donorDocument)
  const lacks = [
    ...faults.map(field => `donor-${field}` as const),
    ...(asksConsent && !said.consents ? (['consent'] as const) : []),
  ]
  return { price, donorFrom, asksConsent, said, lacks }
}

/** Whoever gives, as they said it, where they have to say it. */
export const donorSaid = ({ donorFrom, said }: Pick<AskedAtPayment, 'donorFrom' | 'said'>) =>
  donorFrom === null ? null : (readDonor(said.donorName, said.donorDocument) ?? null)
