import type { z } from 'zod'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import type {
  AcceptedTerms,
  DonationChoice,
  SettledDonation,
  SettledGift,
  SettledMany,
} from '#domain/payment/purchase.ts'
import type { FieldProblem, ProblemCode } from '#domain/problems.ts'
import type { Allocation, Selection } from '#domain/redemption/split.ts'
import type { Sender } from '#domain/sender/sender-name.ts'
import type { ThemeId } from '#domain/themes.ts'
import {
  CLAIM_FREE_CARD_PATH,
  DONATION_SUCCESS_PATH,
  RETRIEVE_FREE_CARD_PATH,
  redeemCardPath,
  SEND_CONFIRMATION_PATH,
  SEND_FREE_CONFIRMATION_PATH,
  START_DONATION_PATH,
} from './api-paths.ts'
import { REQUEST_FAILED } from './browser-names.ts'
import type {
  sendConfirmation as sendConfirmationCall,
  settleDonation,
  startDonation,
  wireGift,
} from './donation-payment.ts'
import type { claimFreeCard, retrieveFreeCard } from './free-gift-card.ts'
import type { redeemCard } from './gift-card.ts'
import { ANONYMOUS_MARKER } from './markers.ts'
import type { waitingAnswer } from './waiting.ts'

/**
 * The browser's side of the contract: the product's words in, the product's words out. The schemas stay on the
 * server (types only here), so that no validation library is downloaded.
 */

/** How long the browser waits for an answer before it offers a retry, ms. */
export const REQUEST_TIMEOUT_MS = 20_000

export interface Refusal {
  readonly ok: false
  /** `network` when no answer came (offline, cut off, too slow); else what the server said. */
  readonly code: ProblemCode | 'network'
  readonly fields: readonly FieldProblem[]
  /** How long to wait before another try, where the server said so. */
  readonly retryAfterSeconds: number | undefined
  /** Where the links were mailed, masked (`links-by-mail`). */
  readonly maskedAddress?: string
}

/** The outcome of a call. A refusal is a value, never an exception. */
export type Result<Value> = { readonly ok: true; readonly value: Value } | Refusal

/** As the gateway takes it. */
export const wireTerms = ({
  termsVersion,
  fulfilmentConsent,
  donor,
  message,
  keepsChain,
}: AcceptedTerms & Pick<DonationChoice, 'message'>) => ({
  terms_version: termsVersion,
  fulfilment_consent: fulfilmentConsent,
  ...(donor && { donor }),
  ...(message && { message }),
  ...(keepsChain && { keeps_chain: true }),
})

export type DonationSuccess = SettledDonation

/** A fresh Idempotency-Key, 128 bits: one per press. The same key again gives the same payment page. */
export function newAttemptKey(): string {
  // Not randomUUID(), which browsers lack on pages served without TLS (a phone on the local network).
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** What a press is answered: the provider's page, or where it stands in the line. */
export type PaymentAnswer = z.output<typeof startDonation.response> | z.output<typeof waitingAnswer>

/** Where a press stands in the line. */
export type PlaceInLine = z.output<typeof waitingAnswer>['waiting']

/** Opens a payment; `url` is the provider's page. Pass the press's own `attemptKey` to try the same press again. */
export async function startDonationPayment(
  choice: DonationChoice,
  attemptKey: string = newAttemptKey(),
): Promise<Result<PaymentAnswer>> {
  const body: z.input<typeof startDonation.request> = {
    giftcard_theme: choice.themeId,
    nom_producte: choice.packageId,
    sender_name: choice.sender.kind === 'own' ? choice.sender.name : ANONYMOUS_MARKER,
    amount: choice.ngoAmount,
    support_amount_cents: choice.supportAmount,
    currency: choice.currency,
    ...(choice.fallbackNgoId && { fallback_ngo: choice.fallbackNgoId }),
    ...wireTerms(choice),
    date: new Date().toISOString(),
  }
  return request<PaymentAnswer>(`${START_DONATION_PATH}?lang=${choice.language}`, {
    body,
    attemptKey,
  })
}

/** Asks for the card of a payment, or for the page of many; `payment-not-completed` while a slow payment method is pending. */
export async function readDonationSuccess(asked: {
  readonly checkoutSessionId: string
  readonly language: Language
}): Promise<Result<DonationSuccess | SettledMany>> {
  const body: z.input<typeof settleDonation.request> = {
    stripe_session_id: asked.checkoutSessionId,
    lang: asked.language,
  }
  const answer = await request<z.output<typeof settleDonation.response>>(DONATION_SUCCESS_PATH, { body })
  return mapResult(answer, wire =>
    'many_key' in wire ? { orderId: wire.order_id, manyKey: wire.many_key } : settledCard(wire),
  )
}

function settledCard(wire: z.output<typeof retrieveFreeCard.response>): DonationSuccess {
  return {
    ...settledGift(wire),
    privateKey: wire.key,
    publicKey: wire.publicKey,
    autoDonateAt: wire.usable_until,
  }
}

/** What an answer says of a gift of any kind, in the product's words. */
export function settledGift(wire: ReturnType<typeof wireGift>): SettledGift {
  return {
    cardId: wire.id,
    checkWord: wire.check_word,
    sendingKey: wire.sending_key,
    email: wire.email,
    senderName: wire.sender_name === ANONYMOUS_MARKER ? null : wire.sender_name,
    isConfirmationEmailSent: wire.isConfirmationEmailSent,
    packageId: wire.nom_producte,
    packageTitle: wire.package_title,
    price: { amount: wire.amount, currency: wire.currency },
  }
}

export type QueuedMail = z.output<typeof sendConfirmationCall.response>

/**
 * Asks for the confirmation mail (again). It goes to the address of the payment only. Queued is not sent: that is
 * for `readDonationSuccess` to tell.
 */
export async function sendConfirmation(card: HeldCard): Promise<Result<QueuedMail>> {
  return askForMail(SEND_CONFIRMATION_PATH, card)
}

type HeldCard = DonationSuccess & { readonly language: Language }

async function askForMail(path: string, card: HeldCard): Promise<Result<QueuedMail>> {
  const body: z.input<typeof sendConfirmationCall.request> = {
    giftcard_public_key: card.publicKey,
    giftcard_private_key: card.privateKey,
    giftcard_id: card.cardId,
    email: card.email,
    sender_name: card.senderName ?? ANONYMOUS_MARKER,
    lang: card.language,
  }
  return request<QueuedMail>(path, { body })
}

export interface FreeCardClaim {
  /** The text as the visitor typed it. */
  readonly address: string
  readonly campaignCode: string
  readonly currency: Currency
  readonly themeId: ThemeId | undefined
  readonly sender: Sender
  readonly language: Language
}

/** Claims a campaign's free card; gives its private key. Pass the press's own key to try the same press again. */
export async function claimFreeGiftCard(
  claim: FreeCardClaim,
  attemptKey: string,
): Promise<Result<{ readonly key: string }>> {
  const body: z.input<typeof claimFreeCard.request> = {
    fromEmail: claim.address,
    campaign_id: claim.campaignCode,
    currency: claim.currency,
    giftcard_theme: claim.themeId,
    sender_name: claim.sender.kind === 'own' ? claim.sender.name : ANONYMOUS_MARKER,
  }
  return request(`${CLAIM_FREE_CARD_PATH}?lang=${claim.language}`, { body, attemptKey })
}

/** Asks for the card that was claimed. */
export async function readFreeGiftCard(privateKey: string): Promise<Result<DonationSuccess>> {
  const body: z.input<typeof retrieveFreeCard.request> = { privateKey }
  const answer = await request<z.output<typeof retrieveFreeCard.response>>(RETRIEVE_FREE_CARD_PATH, { body })
  return mapResult(answer, settledCard)
}

/** Asks for the mail of a free card (again). */
export async function sendFreeConfirmation(card: HeldCard): Promise<Result<QueuedMail>> {
  return askForMail(SEND_FREE_CONFIRMATION_PATH, card)
}

export interface GivenCard {
  readonly allocations: readonly Allocation[]
  /** Shows the same later; told to the attempt that gave the card, and to nobody else. */
  readonly receiptKey: string | undefined
}

/**
 * Gives a card's credit away. The same selection sent again after a lost answer is answered the same; with the press's
 * own `attemptKey` the receipt key is told again too.
 */
export async function redeemGiftCard(
  key: string,
  selection: readonly Selection[],
  attemptKey: string,
): Promise<Result<GivenCard>> {
  const body: z.input<typeof redeemCard.request> = {
    selected_ngos: selection.map(({ ngoId, points }) => ({ ngoSelected: ngoId, creditSelected: points })),
  }
  const path = redeemCardPath(key)
  const answer = await request<z.output<typeof redeemCard.response>>(path, { body, attemptKey })
  return mapResult(answer, wire => ({
    allocations: wire.allocations.map(({ ngoSelected, creditSelected, amount, currency }) => ({
      ngoId: ngoSelected,
      amount: { amount, currency },
      points: creditSelected,
    })),
    receiptKey: wire.receiptKey,
  }))
}

/** Characters of a failed answer that statistics are told. */
const MOST_OF_RESPONSE = 300

/** Posts JSON to our own origin and reads the answer; whatever goes wrong comes back as a refusal. */
export async function request<Value>(
  path: string,
  { body, attemptKey }: { readonly body: unknown; readonly attemptKey?: string },
): Promise<Result<Value>> {
  const startedAt = performance.now()
  const told = (failed: Refusal, status: number, answered = ''): Refusal => {
    const duration = Math.round(performance.now() - startedAt)
    // For statistics, where the visitor allows them (screens/shared/analytics); keys and addresses are masked there. A failed
    // answer names fields and rules, never what was filled in.
    const response = answered.slice(0, MOST_OF_RESPONSE)
    const detail = { message: failed.code, url: path.replace(/\?.*/, ''), status, response, duration }
    globalThis.dispatchEvent?.(new CustomEvent(REQUEST_FAILED, { detail }))
    return failed
  }
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(attemptKey !== undefined && { 'Idempotency-Key': attemptKey }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    // The body is read as text first: an answer that is cut off is a network failure, an answer that is no JSON is a
    // refusal.
    const text = await response.text()
    const answer = parse(text)
    if (response.ok && answer !== undefined) return { ok: true, value: answer as Value }
    const failed = refusal(answer, Number(response.headers.get('Retry-After')) || undefined)
    // One that says yes and cannot be read may hold what nobody else is to know, and a problem may name an address.
    const { code, fields } = failed
    const answered = answer === undefined ? text : JSON.stringify({ code, fields })
    return told(failed, response.status, response.ok ? '' : answered)
  } catch {
    return told({ ok: false, code: 'network', fields: [], retryAfterSeconds: undefined }, 0)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a problem+json. An answer that is none (a proxy's error page) reads as `something-went-wrong`. */
function refusal(answer: unknown, retryAfterSeconds: number | undefined): Refusal {
  const problem = (typeof answer === 'object' && answer !== null ? answer : {}) as Partial<Refusal>
  return {
    ok: false,
    code: typeof problem.code === 'string' ? problem.code : 'something-went-wrong',
    fields: Array.isArray(problem.fields) ? problem.fields : [],
    retryAfterSeconds,
    ...(typeof problem.maskedAddress === 'string' && { maskedAddress: problem.maskedAddress }),
  }
}

/** A result with another value; a failure stays as it is. */
export function mapResult<From, To>(result: Result<From>, map: (value: From) => To): Result<To> {
  return result.ok ? { ok: true, value: map(result.value) } : result
}
