import type { CardStatus } from '../card/states.ts'
import { yearInMadrid } from '../days.ts'
import { type DocumentNumber, writeNumber } from '../payment/document-number.ts'
import { cleanLine } from '../text/clean-line.ts'
import { isPrintable } from '../text/printable.ts'
import { DOCUMENT_LENGTH, DONOR_NAME_LENGTH, type DonorIdentity, readDonor } from './identity.ts'

/**
 * The certificate that an operator who is an eligible donee gives a buyer for the tax office
 * (product.md#certificates).
 */

/** Whom a certificate names. */
export interface CertificateHolder extends DonorIdentity {
  readonly address: string
}

/** The fields of the form by which a buyer asks for a certificate, as the form calls them. */
export const CERTIFICATE_FIELDS = ['name', 'document', 'address'] as const

export type CertificateField = (typeof CERTIFICATE_FIELDS)[number]

/** The longest text of each that is taken, in characters (code points). */
export const CERTIFICATE_LENGTHS = {
  name: DONOR_NAME_LENGTH,
  document: DOCUMENT_LENGTH,
  address: 200,
} as const satisfies Record<CertificateField, number>

/** The fields of the form, each as one clean line; '' for a field that is missing. */
export type WrittenHolder = Readonly<Record<CertificateField, string>>

/** Reads a form. @param field what was sent under a name */
export function readWritten(field: (name: CertificateField) => string | null | undefined): WrittenHolder {
  const read = (name: CertificateField) => cleanLine(field(name) ?? '', CERTIFICATE_LENGTHS[name])
  return { name: read('name'), document: read('document'), address: read('address') }
}

/** The fields that have to be written otherwise before a certificate is made. */
export function holderFaults({ name, document, address }: WrittenHolder): readonly CertificateField[] {
  const wrong = {
    name: name === '' || !isPrintable(name),
    document: readDonor('somebody', document) === undefined,
    address: address === '' || !isPrintable(address),
  }
  return CERTIFICATE_FIELDS.filter(field => wrong[field])
}

/** Whom a form names; undefined where something of it is wrong. */
export function readHolder(written: WrittenHolder): CertificateHolder | undefined {
  if (holderFaults(written).length > 0) return undefined
  const donor = readDonor(written.name, written.document)
  return donor && { ...donor, address: written.address }
}

/**
 * Whether a certificate can be made:
 * - `ready`: now.
 * - `early`: not yet. A certificate says that the gift is for ever, and this one can still go back.
 * - `held`: not while its payment is disputed, or its card is held for another reason. A used card has no such state.
 * - `nothing`: nothing was given, or nothing of it is left.
 */
export type CertificateAnswer = 'ready' | 'early' | 'held' | 'nothing'

/** What is known of a purchase when its buyer asks for a certificate. */
export interface CertifiedPurchase {
  /** Missing before the payment has arrived. */
  readonly card: CardStatus | undefined
  /** A reason to hold the card stands, whether it is used or not. */
  readonly isHeld: boolean
  /** What a certificate would be about now, minor units. */
  readonly amount: number
  readonly now: number
  /** The first instant after the last day of withdrawal, epoch ms UTC. */
  readonly endsAt: number
}

/** May a certificate be made now? */
export function certificateAnswer(purchase: CertifiedPurchase): CertificateAnswer {
  const { card, isHeld, amount, now, endsAt } = purchase
  if (amount === 0 || card === 'revoked') return 'nothing'
  if (isHeld || card === 'frozen' || card === 'cancelling') return 'held'
  // What was left to the draw is given, but to nobody yet.
  if (card === 'consumed' || ((card === 'active' || card === 'left') && now >= endsAt)) return 'ready'
  return 'early'
}

/**
 * What has become of a certificate that was made: `void` once money went back, `forgotten` once its ten years are over and
 * whom it named was deleted. Only one that is `made` can be downloaded.
 */
export function certificateState({
  isVoid,
  name,
}: {
  readonly isVoid: boolean
  readonly name: string
}): 'made' | 'void' | 'forgotten' {
  if (isVoid) return 'void'
  return name === '' ? 'forgotten' : 'made'
}

/**
 * What a certificate is about: the gift, minor units. The support is none of it, since it pays for a service with its tax;
 * what went back counts against the support first.
 */
export const certifiedAmount = (sale: {
  readonly kind: 'donation' | 'volunteering'
  readonly ngo: number
  readonly total: number
  readonly givenBack: number
}): number => (sale.kind === 'donation' ? Math.max(0, Math.min(sale.ngo, sale.total - sale.givenBack)) : 0)

/** The year in Madrid whose numbers a certificate that is made then counts. @param instant epoch ms UTC */
export const yearOfCertificate = yearInMadrid

/** The number that stands on a certificate: `2026-000017-7QK3`. */
export const certificateNumber = (drawn: Omit<DocumentNumber, 'mark'>): string =>
  writeNumber({ ...drawn, mark: '' })
