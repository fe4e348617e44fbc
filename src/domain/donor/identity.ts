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

/** The identity that was typed; undefined where the name is empty or the number cannot be one. */
export function readDonor(name: string, document: string): DonorIdentity | undefined {
  const cleanedName = cleanLine(name, DONOR_NAME_LENGTH)
  const cleanedDocument = cleanLine(document, DOCUMENT_LENGTH)
    .replace(/[\s./\-–]/g, '')
    .toUpperCase()
  return cleanedName !== '' && DOCUMENT.test(cleanedDocument) && /\d/.test(cleanedDocument)
    ? { name: cleanedName, document: cleanedDocument }
    : undefined
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
