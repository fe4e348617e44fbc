import { z } from 'zod'
import { readDonor } from '#domain/donor/identity.ts'
import { perLanguage } from '#domain/languages.ts'
import { LEGAL_VERSION } from '#domain/legal/legal-texts.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { readMessage } from '#domain/sender/message.ts'
import { isSenderNameTooLong, readSender, type Sender } from '#domain/sender/sender-name.ts'
import { isThemeId } from '#domain/themes.ts'
import { DONATION_SUCCESS_PATH, SEND_CONFIRMATION_PATH, START_DONATION_PATH } from './api-paths.ts'
import { defineContract } from './contract.ts'
import { ANONYMOUS_MARKER, isMarker } from './markers.ts'
import { THEME_WORDS } from './theme.ts'

/** Minor units; far above any price, so that the price tables and not this bound decide. */
export const minorUnits = z.int().min(0).max(100_000_000)

/**
 * A sender who is nobody's name, or has an own one: it has at least one visible character and at most 80, and, cleaned, is no
 * marker itself.
 */
export function readSenderOf(
  kind: 'anonymous' | 'own',
  text: string | null,
  context: z.core.$RefinementCtx,
): Sender | typeof z.NEVER {
  const read = readSender(kind, text)
  const isTooLong = kind === 'own' && isSenderNameTooLong(text ?? '')
  if (read && !isTooLong && !(read.kind === 'own' && isMarker(read.name))) return read
  context.addIssue({ code: 'custom', params: { rule: isTooLong ? 'too-long' : 'required' } })
  return z.NEVER
}

/** The marker, or an own name. */
export const sender = z
  .string()
  .max(400)
  .transform((text, context) => readSenderOf(text === ANONYMOUS_MARKER ? 'anonymous' : 'own', text, context))

/** Fields that old clients send and nobody needs. They are accepted, and not kept. */
export const dropped = z.unknown().optional()

/** Of ours: who gives, where the market asks for it. */
const donor = z
  .object({ name: z.string().max(400), document: z.string().max(100) })
  .transform(({ name, document }, context) => {
    const read = readDonor(name, document)
    if (read) return read
    context.addIssue({ code: 'custom', params: { rule: 'required' } })
    return z.NEVER
  })

/** Of ours: what the giver writes to whoever gets the gift. */
const message = z
  .string()
  .max(6000)
  .nullish()
  .transform((text, context) => {
    const read = readMessage(text ?? '')
    if ('words' in read) return read.words
    context.addIssue({ code: 'custom', params: { rule: read.rule } })
    return z.NEVER
  })

/** What a buyer of any gift says and accepts with the press: this version of the terms, and that the gift is fulfilled when opened. */
export const acceptedTerms = {
  terms_version: z.string().max(40).regex(LEGAL_VERSION),
  fulfilment_consent: z.boolean(),
  donor: donor.nullish(),
  message,
  // A field of our own: was this buyer given a gift before? Counted, and kept of nobody.
  keeps_chain: z.boolean().nullish(),
}

/** Opens a payment for a donation card. Gives the address of the provider's page. */
export const startDonation = defineContract({
  method: 'POST',
  path: START_DONATION_PATH,
  fieldWords: THEME_WORDS,
  request: z
    .object({
      giftcard_theme: z.string().max(40).refine(isThemeId),
      nom_producte: z.string().min(1).max(60),
      sender_name: sender,
      amount: minorUnits,
      support_amount_cents: minorUnits,
      currency: z.enum(CURRENCIES),
      // A field of our own: the organisation that gets an unused card's credit at the end of its term.
      fallback_ngo: z.string().min(1).max(128).nullish(),
      ...acceptedTerms,
      sessionId: dropped,
      date: dropped,
    })
    .transform(wire => ({
      packageId: wire.nom_producte,
      ngoAmount: wire.amount,
      supportAmount: wire.support_amount_cents,
      currency: wire.currency,
      themeId: wire.giftcard_theme,
      sender: wire.sender_name,
      fallbackNgoId: wire.fallback_ngo ?? null,
      termsVersion: wire.terms_version,
      fulfilmentConsent: wire.fulfilment_consent,
      donor: wire.donor ?? null,
      message: wire.message,
      keepsChain: wire.keeps_chain ?? false,
    })),
  response: z.object({ url: z.string() }),
})

/** What whoever paid for a gift, or claimed it, is told of it, whatever kind of gift it is. */
export const settledGift = z.object({
  cardId: z.string(),
  checkWord: z.string().nullable(),
  sendingKey: z.string().nullable(),
  email: z.string(),
  senderName: z.string().nullable(),
  isConfirmationEmailSent: z.boolean(),
  packageId: z.string().nullable(),
  packageTitle: z.object(perLanguage(() => z.string())).nullable(),
  price: z.object({ amount: z.int(), currency: z.enum(CURRENCIES) }),
})

/** The same in the contract's words; what was bought in those that the gateway takes. */
export const wireGift = (settled: z.output<typeof settledGift>) => ({
  email: settled.email,
  id: settled.cardId,
  check_word: settled.checkWord,
  sending_key: settled.sendingKey,
  sender_name: settled.senderName ?? ANONYMOUS_MARKER,
  isConfirmationEmailSent: settled.isConfirmationEmailSent,
  nom_producte: settled.packageId,
  package_title: settled.packageTitle,
  amount: settled.price.amount,
  currency: settled.price.currency,
})

/** A card as whoever paid for it, or claimed it, sees it. */
export const settledCard = settledGift
  .extend({ privateKey: z.string(), publicKey: z.string(), autoDonateAt: z.int() })
  .transform(settled => ({
    key: settled.privateKey,
    publicKey: settled.publicKey,
    usable_until: settled.autoDonateAt,
    ...wireGift(settled),
  }))

/** Where the buyer of many cards finds them. */
const settledMany = z
  .object({ orderId: z.string(), manyKey: z.string() })
  .transform(({ orderId, manyKey }) => ({ order_id: orderId, many_key: manyKey }))

/** Asks for the card, or the cards, of a paid Checkout session. */
export const settleDonation = defineContract({
  method: 'POST',
  path: DONATION_SUCCESS_PATH,
  request: z
    .object({ stripe_session_id: z.string().min(1).max(400), lang: dropped })
    .transform(wire => ({ checkoutSessionId: wire.stripe_session_id })),
  response: z.union([settledMany, settledCard]),
})

/** What became of asking for a mail. */
export const queuedMail = z.object({ status: z.enum(['sent', 'queued', 'failing']) })

/** Sends the buyer's mail again; where it goes is not for the caller to say. */
export const sendConfirmation = defineContract({
  method: 'POST',
  path: SEND_CONFIRMATION_PATH,
  request: z
    .object({
      giftcard_public_key: z.string().min(1).max(100),
      giftcard_private_key: z.string().min(1).max(100),
      giftcard_id: z.string().min(1).max(100),
      email: z.string().max(320),
      sender_name: dropped,
      lang: dropped,
    })
    .transform(wire => ({
      cardId: wire.giftcard_id,
      privateKey: wire.giftcard_private_key,
      publicKey: wire.giftcard_public_key,
      email: wire.email,
    })),
  response: queuedMail,
})
