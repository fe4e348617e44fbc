import { z } from 'zod'
import { LANGUAGES } from '#domain/languages.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { LONGEST_REFERENCE, PARTNER_ORDER_STATES, readReference } from '#domain/partner/partner.ts'
import { isThemeId } from '#domain/themes.ts'
import { defineContract } from './contract.ts'
import { acceptedTerms, minorUnits, readSenderOf } from './donation-payment.ts'

export const PARTNER_ORDERS_PATH = '/api/partner/orders'

/** An own name; null for a gift of nobody's. */
const senderName = z
  .string()
  .max(400)
  .nullable()
  .transform((text, context) => readSenderOf(text === null ? 'anonymous' : 'own', text, context))

const reference = z
  .string()
  .min(1)
  .max(LONGEST_REFERENCE)
  .nullish()
  .transform((text, context) => {
    const read = text == null ? null : readReference(text)
    if (read !== undefined) return read
    context.addIssue({ code: 'custom', params: { rule: 'line' } })
    return z.NEVER
  })

/** How an order goes to its partner: what it costs and how it stands, never a link, a key or a name. */
const shownOrder = {
  id: z.string(),
  state: z.enum(PARTNER_ORDER_STATES),
  amount: z.int().min(0),
  currency: z.enum(CURRENCIES),
  reference: z.string().nullable(),
}

const shown = z.object({
  id: shownOrder.id,
  state: shownOrder.state,
  total: z.object({ amount: shownOrder.amount, currency: shownOrder.currency }),
  reference: shownOrder.reference,
})

/** Opens the payment of a gift card for a partner's program. It needs a key with `orders:create`, and an `Idempotency-Key`. */
export const createPartnerOrder = defineContract({
  method: 'POST',
  path: PARTNER_ORDERS_PATH,
  fieldWords: { themeId: 'theme', fallback_ngo: 'fallback_organisation' },
  request: z
    .object({
      package: z.string().min(1).max(60),
      amount: minorUnits,
      support_amount: minorUnits,
      currency: z.enum(CURRENCIES),
      theme: z.string().max(40).refine(isThemeId),
      language: z.enum(LANGUAGES),
      sender_name: senderName,
      message: acceptedTerms.message,
      fallback_organisation: z.string().min(1).max(128).nullish(),
      terms_version: acceptedTerms.terms_version,
      fulfilment_consent: acceptedTerms.fulfilment_consent,
      donor: acceptedTerms.donor,
      reference,
    })
    .transform(wire => ({
      packageId: wire.package,
      ngoAmount: wire.amount,
      supportAmount: wire.support_amount,
      currency: wire.currency,
      themeId: wire.theme,
      language: wire.language,
      sender: wire.sender_name,
      message: wire.message,
      fallbackNgoId: wire.fallback_organisation ?? null,
      termsVersion: wire.terms_version,
      fulfilmentConsent: wire.fulfilment_consent,
      donor: wire.donor ?? null,
      reference: wire.reference,
    })),
  response: shown
    .extend({ url: z.string().nullable() })
    .transform(({ total, ...rest }) => ({ ...rest, ...total }))
    .pipe(z.object({ ...shownOrder, url: z.url().nullable() })),
})

/** How an order of this partner stands. It needs a key with `orders:read`. */
export const readPartnerOrder = defineContract({
  method: 'GET',
  path: `${PARTNER_ORDERS_PATH}/{id}`,
  request: z.undefined(),
  response: shown.transform(({ total, ...rest }) => ({ ...rest, ...total })).pipe(z.object(shownOrder)),
})
