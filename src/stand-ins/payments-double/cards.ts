/** A card or account number that has a fate here; the numbers are the ones the provider documents for tests. */
export interface TestCard {
  /** As it is written on the page, in groups. */
  readonly number: string
  readonly method: 'card' | 'sepa_debit'
  readonly brand: 'visa' | 'mastercard' | null
  /** Where it was issued: the fee depends on it (`fees.ts`). */
  readonly country: 'AT' | 'ES' | 'GB' | 'US'
  /** The line of the test-card table that says what happens. */
  readonly note: Note
  /** The bank asks the buyer first (3-D Secure). */
  readonly challenge?: true
  readonly decline?: { readonly code: DeclineCode; readonly declineCode?: string }
  /** The buyer's bank disputes the charge some time after it succeeded. */
  readonly dispute?: 'fraudulent' | 'product_not_received'
  /** How a refund of this charge goes, when not at once. */
  readonly refund?: 'pending' | 'fails'
  /** The result is not known at once. */
  readonly delayed?: 'succeeds' | 'fails'
}

export type DeclineCode =
  | 'card_declined'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'payment_intent_authentication_failure'

export type Note =
  | 'succeeds'
  | 'declined'
  | 'insufficient-funds'
  | 'lost-card'
  | 'expired-card'
  | 'wrong-cvc'
  | 'processing-error'
  | 'asks'
  | 'asks-then-declined'
  | 'disputed-fraud'
  | 'disputed-not-received'
  | 'refund-slow'
  | 'refund-fails'
  | 'debit-succeeds'
  | 'debit-fails'

const visa = (digits: string, note: Note, fate: Partial<TestCard> = {}): TestCard => ({
  number: digits,
  method: 'card',
  brand: 'visa',
  country: 'US',
  note,
  ...fate,
})

const declined = (code: DeclineCode, declineCode?: string): Partial<TestCard> => ({
  decline: declineCode === undefined ? { code } : { code, declineCode },
})

const debit = (number: string, note: Note, delayed: 'succeeds' | 'fails'): TestCard => ({
  number,
  method: 'sepa_debit',
  brand: null,
  country: 'AT',
  note,
  delayed,
  refund: 'pending',
})

export const TEST_CARDS: readonly TestCard[] = [
  visa('4242 4242 4242 4242', 'succeeds'),
  visa('5555 5555 5555 4444', 'succeeds', { brand: 'mastercard' }),
  visa('4000 0072 4000 0007', 'succeeds', { country: 'ES' }),
  visa('4000 0082 6000 0000', 'succeeds', { country: 'GB' }),
  visa('4000 0000 0000 0002', 'declined', declined('card_declined', 'generic_decline')),
  visa('4000 0000 0000 9995', 'insufficient-funds', declined('card_declined', 'insufficient_funds')),
  visa('4000 0000 0000 9987', 'lost-card', declined('card_declined', 'lost_card')),
  visa('4000 0000 0000 0069', 'expired-card', declined('expired_card')),
  visa('4000 0000 0000 0127', 'wrong-cvc', declined('incorrect_cvc')),
  visa('4000 0000 0000 0119', 'processing-error', declined('processing_error')),
  visa('4000 0025 0000 3155', 'asks', { challenge: true }),
  visa('4000 0027 6000 3184', 'asks', { challenge: true }),
  visa('4000 0000 0000 3220', 'asks', { challenge: true }),
  visa('4000 0084 0000 1629', 'asks-then-declined', {
    challenge: true,
    ...declined('card_declined', 'generic_decline'),
  }),
  visa('4000 0000 0000 0259', 'disputed-fraud', { dispute: 'fraudulent' }),
  visa('4000 0000 0000 2685', 'disputed-not-received', { dispute: 'product_not_received' }),
  visa('4000 0000 0000 7726', 'refund-slow', { refund: 'pending' }),
  visa('4000 0000 0000 5126', 'refund-fails', { refund: 'fails' }),
  debit('AT61 1904 3002 3457 3201', 'debit-succeeds', 'succeeds'),
  debit('AT86 1904 3002 3547 3202', 'debit-fails', 'fails'),
]

export const withoutSpaces = (text: string) => text.replace(/[\s-]/g, '').toUpperCase()

export const findTestCard = (typed: string) =>
  TEST_CARDS.find(card => withoutSpaces(card.number) === withoutSpaces(typed))

/** Whether the digits carry a card number's check digit. */
export function isCardNumber(typed: string): boolean {
  const digits = withoutSpaces(typed)
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
