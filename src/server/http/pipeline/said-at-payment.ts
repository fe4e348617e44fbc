import { LEGAL_VERSION } from '#domain/legal/legal-texts.ts'
import { type AskedAtPayment, askedAtPayment } from '#domain/payment/at-payment.ts'
import { isKeyUsedUp, isSpent } from '#domain/payment/spent.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import { Problem, type ProblemCode } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { isAttemptKey } from './guards.ts'

/** The value of `step` that pays; every other one looks at what was written. */
export const PAY = 'pay'
/** The value of `step` that pays by invoice. */
export const INVOICE = 'invoice'
/** The value of `step` that goes back to the form, with all that was written. */
export const CHANGE = 'change'

/**
 * What a form without scripts says before a payment. Nothing is missing yet where the payment is not pressed for.
 * @param field reads a field of the form; '' for a missing one
 * @param identityFrom of the market, whole units; null where nobody has to say who they are
 */
export function atPayment(
  price: Quote,
  identityFrom: number | null,
  field: (name: string) => string,
): AskedAtPayment {
  const isPay = [PAY, INVOICE].includes(field('step'))
  const asked = askedAtPayment(price, identityFrom, {
    donorName: field('donor-name'),
    donorDocument: field('donor-document'),
    consents: field('consent') !== '',
  })
  return isPay ? asked : { ...asked, lacks: [] }
}

/**
 * The attempt that such a form carries from its first page to the payment, so that whoever goes back and comes again is
 * recognised; a new one where it has none.
 * @param field reads a field of the form; '' for a missing one
 */
export function attemptIn(field: (name: string) => string): string {
  const kept = field('attempt')
  return isAttemptKey(kept) ? kept : crypto.randomUUID()
}

/**
 * The key of a press by such a form. The form keeps its attempt, and may be sent again with something else, or another way
 * to pay: that is another purchase, and the same one again is not.
 * @param purchase all that is bought, without the attempt
 */
export const pressOf = (attempt: string, purchase: object): string => `${attempt}:${JSON.stringify(purchase)}`

/**
 * What is shown again after a refusal. A press that was paid before, or whose payment nobody knows, is used up: the next one
 * is a purchase of its own.
 */
export const afterRefusal = <Review extends { readonly attempt: string }>(
  review: Review,
  refused: Problem,
): Review =>
  isKeyUsedUp({ code: refused.code, fields: refused.details.fields })
    ? { ...review, attempt: crypto.randomUUID() }
    : review

/**
 * The locale key of the sentence that says why a payment was refused. What was chosen was typed on other screens, so where
 * it is refused before the payment nothing is marked that a buyer could be sent to.
 */
export function wordsAtPayment(
  problem: Problem,
): 'payment-spent' | 'payment-not-understood' | `problem-${Exclude<ProblemCode, 'invalid-fields'>}` {
  const { code } = problem
  if (code !== 'invalid-fields') return `problem-${code}`
  return isSpent(problem.details) ? 'payment-spent' : 'payment-not-understood'
}

interface Payer {
  readonly headers: Pick<Headers, 'get'>
  /** The address behind trusted proxies. */
  readonly address: string
  /** Of the form: whoever waits keeps the place, whatever they change meanwhile. */
  readonly attempt: string
  /** The key of the press that would open the payment. */
  readonly attemptKey: string
  /** The version of the terms that the payer has agreed to, and the one that the page links to. */
  readonly terms: string
  readonly termsVersion: string
}

/** Lets whoever pays by such a form in, or into the line. @throws Problem terms-changed; terms-missing while there are none; also line-full */
export async function turnAtPayment(
  app: Pick<App, 'waitingRoom' | 'limits'>,
  { headers, address, attempt, attemptKey, terms, termsVersion }: Payer,
) {
  if (termsVersion === '') throw new Problem('terms-missing')
  if (terms !== termsVersion || !LEGAL_VERSION.test(terms)) throw new Problem('terms-changed')
  return app.waitingRoom.enter({
    headers,
    attemptKey: attempt,
    begunBy: attemptKey,
    left: app.limits.left('gateway', address),
  })
}
