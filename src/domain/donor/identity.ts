import type { Quote } from '../pricing/quote.ts'
import { cleanLine } from '../text/clean-line.ts'

/** Who gives, as the law of a market asks for it from an amount on (product.md#markets). */
export interface DonorIdentity {
  readonly name: string
  /** The number of an identity document: capital letters and digits. */
  readonly document: string
}

/** How long what a donor says is kept after the payment. */
export const DONORS_KEPT_YEARS = 10

export const DONOR_NAME_LENGTH = 120
/** Of what is typed: dots, dashes and spaces in a number are taken away. */
export const DOCUMENT_LENGTH = 40
const DOCUMENT = /^[\p{Lu}\d]{4,20}$/u

/** What is asked of whoever gives, in the order in which it is asked. */
export type DonorField = keyof DonorIdentity

const cleaned = (name: string, document: string): DonorIdentity => ({
  name: cleanLine(name, DONOR_NAME_LENGTH),
  document: cleanLine(document, DOCUMENT_LENGTH)
    .replace(/[\s./\-–]/g, '')
    .toUpperCase(),
})

const faultsOf = ({ name, document }: DonorIdentity): readonly DonorField[] => [
  ...(name === '' ? (['name'] as const) : []),
  ...(DOCUMENT.test(document) && /\d/.test(document) ? [] : (['document'] as const)),
]

/** What of the identity that was typed has to be typed otherwise: an empty name, a number that cannot be one. */
export const donorFaults = (name: string, document: string): readonly DonorField[] =>
  faultsOf(cleaned(name, document))

/** The identity that was typed; undefined where something of it is missing. */
export function readDonor(name: string, document: string): DonorIdentity | undefined {
  const donor = cleaned(name, document)
  return faultsOf(donor).length === 0 ? donor : undefined
}

/** What of a purchase is given for nothing: all of a gift card, and of an invitation, which has a price, the support. */
export const givenFreely = ({ total, support }: Pick<Quote, 'total' | 'support'>, kind: Kind): number =>
  kind === 'donation' ? total.amount : support.amount

type Kind = 'donation' | 'volunteering'

/**
 * Has whoever pays this to say who they are?
 * @param from of the market, in whole units; null: never
 */
export const asksForDonor = (
  price: Pick<Quote, 'total' | 'support'>,
  kind: Kind,
  from: number | null,
): boolean => from !== null && givenFreely(price, kind) >= from * 100
