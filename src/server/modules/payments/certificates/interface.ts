import type { CertificateAnswer, CertificateHolder } from '#domain/donor/certificate.ts'
import type { Money } from '#domain/money/money.ts'
import type { Theme } from '#domain/themes.ts'

/** A certificate that was made. */
export interface Certificate extends CertificateHolder {
  /** As it stands on the paper: `2026-000017-7QK3`. */
  readonly number: string
  /** What it was made out for. */
  readonly amount: Money
  /** Epoch ms UTC. */
  readonly madeAt: number
  /** Money went back since: it holds no longer. */
  readonly isVoid: boolean
}

/** A purchase, as the page for its certificate shows it. Times are epoch ms UTC. */
export interface CertifiablePurchase {
  readonly orderId: string
  readonly theme: Theme
  readonly boughtAt: number
  /** The first instant after the last day of withdrawal. */
  readonly endsAt: number
  /** What a certificate would be made out for now. */
  readonly amount: Money
  /** `off`: the operator makes none in this market. */
  readonly answer: CertificateAnswer | 'off'
  /** Missing until there is one. */
  readonly made?: Certificate
}

/** Certificates for the tax office (product.md#certificates). */
export interface Certificates {
  /** Problem payment-not-found for every wrong key. */
  open(orderId: string, key: string): Promise<CertifiablePurchase>
  /**
   * Makes the one certificate of a purchase, where it can be made; asked again, it changes nothing.
   * Problem payment-not-found.
   */
  make(orderId: string, key: string, holder: CertificateHolder): Promise<CertifiablePurchase>
}
