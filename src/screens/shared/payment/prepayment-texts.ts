import { PRICE_TEXTS } from './PriceRows.tsx'

/** The texts of the form. In a file that only the page imports, since no browser needs their names. */
export const PAYMENT_FORM_TEXTS = [
  'donation-prepayment-summary',
  'donation-prepayment-support',
  'donation-prepayment-change',
  'donation-prepayment-pay',
  'donation-prepayment-pay-amount',
  'donation-prepayment-wait',
  'payment-spent',
  'prepayment-line',
  'prepayment-line-again',
  'prepayment-line-soon',
  'prepayment-line-minutes',
  'prepayment-line-button',
  'common-loading',
  'common-retry',
  'common-contact',
  'legal-in-force',
  'prepayment-terms',
  'prepayment-terms-link',
  'prepayment-fulfilment-consent',
  'prepayment-fulfilment-missing',
  'donor-title',
  'donor-note',
  'donor-name',
  'donor-document',
  'donor-name-missing',
  'donor-document-missing',
  ...PRICE_TEXTS,
] as const

/** The texts of the whole island. */
export const PREPAYMENT_TEXTS = [
  'donation-prepayment-gift',
  'donation-prepayment-from',
  'donation-prepayment-anonymous',
  'donation-prepayment-message',
  'donation-prepayment-colours',
  'mission-decide-later',
  'volunteering-prepayment-mission',
  'entry-continue',
  'fallback-row',
  'fallback-chance',
  'receipts-none',
  'receipts-own',
  ...PAYMENT_FORM_TEXTS,
] as const
