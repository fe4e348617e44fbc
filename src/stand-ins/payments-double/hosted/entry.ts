import { findTestCard, isCardNumber, withoutSpaces } from '#stand-ins/payments-double/cards.ts'
import type { Session } from '#stand-ins/payments-double/objects.ts'
import type { Entry } from '#stand-ins/payments-double/payments.ts'
import { isEmail } from '#stand-ins/payments-double/session-rules.ts'
import type { FieldName } from './page.ts'
import type { Texts } from './texts.ts'

type Errors = Partial<Record<FieldName, string>>

/** Reads the posted form: the entry when everything is right, else a text for each wrong field, in their order. */
export function readEntry(
  form: URLSearchParams,
  session: Session,
  t: Texts,
  now: number,
): { readonly entry: Entry } | { readonly errors: Errors } {
  const errors: Errors = {}
  const email = session.customer_email ?? (form.get('email') ?? '').trim()
  if (!isEmail(email)) errors.email = t.emailWrong

  const typed = (form.get('card_number') ?? '').trim()
  const card = findTestCard(typed)
  if (typed === '') errors.card_number = t.numberMissing
  else if (card && !session.payment_method_types.includes(card.method))
    errors.card_number = card.method === 'sepa_debit' ? t.ibanNotHere : t.numberNoTest
  else if (!card) errors.card_number = isCardNumber(typed) || isIban(typed) ? t.numberNoTest : t.numberWrong

  let expiry: Entry['expiry'] = null
  if (card?.method !== 'sepa_debit') {
    expiry = readExpiry(form.get('expiry') ?? '')
    if (!expiry) errors.expiry = t.expiryWrong
    else if (hasPassed(expiry, now)) errors.expiry = t.expiryPast
    if (!/^\d{3,4}$/.test((form.get('cvc') ?? '').trim())) errors.cvc = t.cvcWrong
  }
  return card && Object.keys(errors).length === 0 ? { entry: { card, email, expiry } } : { errors }
}

const isIban = (typed: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(withoutSpaces(typed))

function readExpiry(typed: string): Entry['expiry'] {
  const [, month, year] = /^(\d{1,2})\s*(?:[/.-]\s*)?(?:20)?(\d{2})$/.exec(typed.trim()) ?? []
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return null
  return { month: Number(month), year: 2000 + Number(year) }
}

/** A card is good until the end of its month. */
const hasPassed = (expiry: { month: number; year: number }, now: number) =>
  Date.UTC(expiry.year, expiry.month, 1) <= now * 1000
