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

/**
 * How an order goes to its partner: what it costs and how it stands, never a link, a key or a name. What each field means is
 * said in English: programmers alone read it, in the description of the interface.
 */
const shownOrder = {
  id: z.string(),
  state: z
    .enum(PARTNER_ORDER_STATES)
    .describe(
      'open: it can still be paid. expired: nothing came of it. refunded: all of the money went back.',
    ),
  amount: z.int().min(0).describe('What the buyer pays in all, in minor units.'),
  currency: z.enum(CURRENCIES),
  reference: z.string().nullable().describe('As it was sent; null once it is forgotten.'),
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
  // A program that writes `cards: 500` means it: one card would be another order than it asked for.
  request: z
    .strictObject({
      package: z
        .string()
        .min(1)
        .max(60)
        .describe('The id of a package, or own for an amount of the buyer’s own.'),
      amount: minorUnits.describe(
        'What the organizations get: a price of the package, or within own of the market.',
      ),
      support_amount: minorUnits.describe(
        'What the buyer adds for this site: 0, or as the support step would give it.',
      ),
      currency: z.enum(CURRENCIES),
      theme: z.string().max(40).refine(isThemeId).describe('The id of a theme.'),
      language: z.enum(LANGUAGES).describe('Of the payment page, the mails and the card.'),
      sender_name: senderName.describe(
        'Who gives, as the recipient reads it, at most 80 characters; null for nobody’s name.',
      ),
      message: acceptedTerms.message.describe(
        'To the recipient: at most 300 characters, without a link, an address or a telephone number.',
      ),
      fallback_organisation: z
        .string()
        .min(1)
        .max(128)
        .nullish()
        .describe('The id of the organization that gets what nobody used in time; otherwise a draw decides.'),
      terms_version: acceptedTerms.terms_version.describe(
        'The version of the terms that the buyer accepted: terms.version.',
      ),
      fulfilment_consent: acceptedTerms.fulfilment_consent.describe(
        'The buyer agreed that the gift is fulfilled when it is used. Has to be true where the market asks for it.',
      ),
      donor: acceptedTerms.donor.describe('Who gives, for the law: needed from donor_from of the market on.'),
      reference: reference.describe('Your own name for the order, without personal data.'),
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
    .pipe(
      z.object({
        ...shownOrder,
        url: z.url().nullable().describe('Where the buyer pays; null once nothing can be paid there.'),
      }),
    ),
})

/** How an order of this partner stands. It needs a key with `orders:read`. */
export const readPartnerOrder = defineContract({
  method: 'GET',
  path: `${PARTNER_ORDERS_PATH}/{id}`,
  request: z.undefined(),
  response: shown.transform(({ total, ...rest }) => ({ ...rest, ...total })).pipe(z.object(shownOrder)),
})
