import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST_KEY_VERSION } from '#domain/card/shown-links.ts'
import { dayInUtc } from '#domain/days.ts'
import { DAY_MS } from '#domain/durations.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { PARTNER_SCOPES } from '#domain/partner/partner.ts'
import {
  cardPath,
  certificatePath,
  giftLettersPath,
  localizedPath,
  OWN_MONEY_THANKS_PATH,
  PUBLISHED_PAGES,
  photoBookPath,
  receivedPath,
  renewalPath,
  sendingPath,
  unwantedPath,
  volunteeringCardPath,
  withdrawalPath,
} from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { addPartner } from '#server/modules/partners/partner-acts.ts'
import { buyManyThroughApi, INVOICE_TO, invoiceThroughApi, paymentIn } from '#tests/support/e2e/api.ts'
import { confirmationOf } from '#tests/support/product/endpoints.ts'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'
import { PARTNER_ORDERS_PATH } from '#wire/partner.ts'
import { EXAMPLE_ORDER } from '#wire/public-api.ts'
import {
  askForCard,
  type BoughtCard,
  buyCard,
  CLAIM,
  cardApi,
  FREE_CARD,
  GATEWAY,
  openPayment,
  PURCHASE,
  pay,
  readCard,
  SEND_EMAIL,
  SUCCESS,
  selectionOf,
  WrongAnswer,
} from './buy.ts'
import { type Answer, type CallOptions, call, post } from './call.ts'
import { CARD_KEY_SECRET, TOKEN } from './operator.ts'
import { ROOT } from './root.ts'
import type { TestEnvironment } from './test-environment.ts'

/** What a route leans on; by this one knows what may befall it. */
export type Use =
  /** Answered from memory. */
  | 'memory'
  /** Says whether the database answers. */
  | 'readiness'
  | 'reads'
  | 'writes'
  /** Analytics: kept in memory for a while; what the database has to be asked for may be known already. */
  | 'counts'
  /** The payment provider first, then the database. */
  | 'provider'
  /** The provider's own call: as before, and its signature has an age. */
  | 'signed'
  /** The content service, for what is not here yet; never for a page. */
  | 'content'

export interface RouteRow {
  /** The file under src/pages, or what else answers, `front: …`. */
  readonly from: string
  /** Where the contract stands in src/wire, when it is JSON. */
  readonly contract?: string
  readonly use: Use
  /** One good request. */
  readonly ask: (ready: Ready) => { readonly path: string } & CallOptions
  /** What it is answered with when everything works. */
  readonly good: readonly number[]
  /** The same for one that has succeeded already, where that differs. */
  readonly again?: readonly number[]
}

/** What good requests need: cards, sessions and tokens, all of them unused. */
export interface Ready {
  readonly kept: BoughtCard
  readonly given: BoughtCard
  readonly split: BoughtCard
  readonly renewed: BoughtCard
  /** Its order, and that of a purchase whose buyer withdraws. */
  readonly keptOrder: string
  readonly withdrawnOrder: string
  /** Where the page of an order of many cards is. */
  readonly manyPage: string
  /** The path of an invoice that waits for a transfer. */
  readonly invoicePage: string
  /** Of a card that is used up. */
  readonly receiptKey: string
  readonly paidSession: string
  readonly paidInvitation: string
  readonly paidOwnMoney: string
  readonly invitationKey: string
  readonly invitationId: string
  readonly subscriber: string
  readonly unsubscribed: string
  readonly picture: string
  /** Of a partner with every scope. */
  readonly partnerKey: string
  /** Unlike every other set's. */
  readonly mark: string
  /** The provider's event about the paid session, and its signature. */
  readonly event: { readonly body: string; readonly signature: string }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = (path: string, body: object, headers: Record<string, string> = {}) => ({
  path,
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
})
const form = (path: string, fields: Record<string, string>) => ({
  path,
  method: 'POST',
  headers: FORM_TYPE,
  body: new URLSearchParams(fields).toString(),
})
/** As a recipient adds own money. @param mark tells the press from others */
const ownMoneyForm = (mark: string) => {
  const { path: _, ...sent } = form('', {
    ...{ currency: 'EUR', amount: '20', support: '0', 'points-ngo-msf': '1', consent: 'yes' },
    ...{ step: 'pay', attempt: `adding-own-money-${mark}`, terms: SEED_TERMS.terms_version },
  })
  return sent
}
/** As a page's own form with a file sends its fields. */
const upload = (path: string, fields: Record<string, string>) => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    path,
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=part' },
    body: `${parts.join('')}--part--\r\n`,
  }
}
const operator = { Authorization: `Bearer ${TOKEN}` }
const VOLUNTEERING = '/api/ajuda/pagaments-voluntariat'
const INVITATION = '/api/ajuda/giftcard-volunteering'
const MANY = {
  currency: 'EUR',
  amount: '20',
  count: '3',
  list: 'Ana,Hello',
  consent: 'yes',
  terms: SEED_TERMS.terms_version,
}
const INVITING = {
  giftcard_theme: 'palestine',
  giftcard_mission: 'mission-medical',
  sender_name: 'Íñigo',
  nom_producte: 'inauguration package',
  amount: 10_000,
  support_amount_cents: 0,
  currency: 'EUR',
  ...SEED_TERMS,
}
/** What a partner's program orders. */
export const PARTNER_ORDER = { ...EXAMPLE_ORDER, ...SEED_TERMS }
const CLOCKS = { browserDateNow: 1_700_000_000_000, browserPerformanceNow: 12.5, isAnonymous: true }

/** Every route of the product but the published pages, which have a table of their own. */
export const OWN_ROUTES: readonly RouteRow[] = [
  {
    from: 'api/ajuda/pagaments-donatius/gateway.ts',
    contract: GATEWAY,
    use: 'provider',
    ask: ({ mark }) => json(GATEWAY, PURCHASE, { 'Idempotency-Key': `buying-a-card-${mark}` }),
    good: [200],
  },
  {
    from: 'api/ajuda/pagaments-donatius/success.ts',
    contract: SUCCESS,
    use: 'provider',
    ask: ({ paidSession }) => json(SUCCESS, { stripe_session_id: paidSession }),
    good: [200],
  },
  {
    from: 'api/ajuda/pagaments-donatius/success/send-email.ts',
    contract: SEND_EMAIL,
    use: 'writes',
    ask: ({ kept }) => json(SEND_EMAIL, confirmationOf(kept)),
    good: [200],
  },
  {
    from: 'api/ajuda/pagaments-voluntariat/gateway.ts',
    contract: `${VOLUNTEERING}/gateway`,
    use: 'provider',
    ask: ({ mark }) =>
      json(`${VOLUNTEERING}/gateway`, INVITING, { 'Idempotency-Key': `buying-an-invitation-${mark}` }),
    good: [200],
  },
  {
    from: 'api/ajuda/pagaments-voluntariat/success.ts',
    contract: `${VOLUNTEERING}/success`,
    use: 'provider',
    ask: ({ paidInvitation }) => json(`${VOLUNTEERING}/success`, { stripe_session_id: paidInvitation }),
    good: [200],
  },
  {
    from: 'api/ajuda/pagaments-voluntariat/success/send-email.ts',
    contract: `${VOLUNTEERING}/success/send-email`,
    use: 'writes',
    ask: ({ invitationKey, invitationId }) =>
      json(`${VOLUNTEERING}/success/send-email`, {
        giftcard_key: invitationKey,
        giftcard_id: invitationId,
        lang: 'en',
      }),
    good: [200],
  },
  {
    from: 'api/ajuda/free-giftcard-donatius/get.ts',
    contract: `${FREE_CARD}/get`,
    use: 'writes',
    ask: ({ mark }) =>
      json(
        `${FREE_CARD}/get`,
        { ...CLAIM, fromEmail: `claimant-${mark}@example.org` },
        { 'Idempotency-Key': `claiming-a-card-${mark}` },
      ),
    good: [200],
  },
  {
    from: 'api/ajuda/free-giftcard-donatius/retrieve.ts',
    contract: `${FREE_CARD}/retrieve`,
    use: 'reads',
    ask: ({ kept }) => json(`${FREE_CARD}/retrieve`, { privateKey: kept.privateKey }),
    // A card that was paid for is no free one.
    good: [404],
  },
  {
    from: 'api/ajuda/free-giftcard-donatius/success/send-email.ts',
    contract: `${FREE_CARD}/success/send-email`,
    use: 'writes',
    ask: ({ kept }) => json(`${FREE_CARD}/success/send-email`, confirmationOf(kept)),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard/[giftCardId]/index.ts',
    contract: cardApi('{giftCardId}'),
    use: 'writes',
    ask: ({ given }) => json(cardApi(given.privateKey), selectionOf({ 'ngo-msf': 30, 'ngo-wfp': 20 })),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard/[giftCardId]/[flag].ts',
    contract: `${cardApi('{giftCardId}')}/{flag}`,
    use: 'reads',
    ask: ({ kept }) => ({ path: `${cardApi(kept.privateKey)}/full` }),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard-receipt.ts',
    contract: '/api/ajuda/giftcard-receipt',
    use: 'reads',
    ask: ({ receiptKey }) => json('/api/ajuda/giftcard-receipt', { receiptKey }),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard-answer.ts',
    contract: '/api/ajuda/giftcard-answer',
    use: 'writes',
    ask: ({ receiptKey }) =>
      json('/api/ajuda/giftcard-answer', { receiptKey, tell: true, where: true, words: 'Thank you' }),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard-volunteering/[giftCardId]/index.ts',
    contract: `${INVITATION}/{giftCardId}`,
    use: 'reads',
    ask: ({ invitationKey }) => ({ path: `${INVITATION}/${invitationKey}` }),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard-volunteering/[giftCardId]/answer.ts',
    contract: `${INVITATION}/{giftCardId}/answer`,
    use: 'writes',
    ask: ({ invitationKey }) =>
      json(`${INVITATION}/${invitationKey}/answer`, { answer: 'later', tellGiver: false }),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard-volunteering/[giftCardId]/photo-book.ts',
    contract: `${INVITATION}/{giftCardId}/photo-book`,
    use: 'reads',
    ask: ({ invitationKey }) => ({ path: `${INVITATION}/${invitationKey}/photo-book` }),
    good: [200],
  },
  {
    from: 'api/ajuda/giftcard-volunteering/[giftCardId]/calendar.ts',
    use: 'reads',
    ask: ({ invitationKey }) => ({ path: `${INVITATION}/${invitationKey}/calendar?day=2027-05-01` }),
    good: [200],
  },
  {
    from: 'api/ajuda/newsletter/subscribe.ts',
    contract: '/api/ajuda/newsletter/subscribe',
    use: 'writes',
    ask: ({ mark }) =>
      json('/api/ajuda/newsletter/subscribe', {
        email: `reader-${mark}@example.org`,
        name: 'Reader',
        lang: 'en',
      }),
    good: [200],
  },
  {
    from: 'api/ajuda/newsletter/confirm.ts',
    contract: '/api/ajuda/newsletter/confirm',
    use: 'writes',
    ask: ({ subscriber }) => json('/api/ajuda/newsletter/confirm', { token: subscriber }),
    good: [200],
  },
  {
    from: 'api/newsletter/unsubscribe.ts',
    use: 'writes',
    ask: ({ unsubscribed }) => form(`/api/newsletter/unsubscribe?token=${unsubscribed}`, {}),
    good: [204],
  },
  {
    from: 'api/analytics/general/new-session.ts',
    contract: '/api/analytics/general/new-session',
    use: 'counts',
    ask: () =>
      json('/api/analytics/general/new-session', {
        ...CLOCKS,
        deviceAttrs: { width: 390 },
        browserTimezoneOffset: -60,
        localStorageId: null,
      }),
    good: [200],
  },
  {
    from: 'api/analytics/general/new-event/[eventName].ts',
    contract: '/api/analytics/general/new-event/{eventName}',
    use: 'counts',
    ask: () =>
      json('/api/analytics/general/new-event/scroll', {
        ...CLOCKS,
        sessionId: '',
        currentUrl: '/es/intro',
        metadata: { at: 5 },
      }),
    good: [200],
  },
  {
    from: 'api/analytics/general/forget.ts',
    contract: '/api/analytics/general/forget',
    use: 'counts',
    ask: () => json('/api/analytics/general/forget', { userId: 'u', sessionId: 's' }),
    good: [200],
  },
  {
    from: 'api/gift-card/calendar.ts',
    use: 'reads',
    ask: ({ kept }) => form('/api/gift-card/calendar', { key: kept.privateKey }),
    good: [200],
  },
  {
    from: 'api/gift-card/print.ts',
    use: 'reads',
    ask: ({ kept }) => form('/api/gift-card/print', { key: kept.privateKey }),
    good: [200],
  },
  {
    from: 'api/stripe/webhook.ts',
    use: 'signed',
    ask: ({ event }) => ({
      path: '/api/stripe/webhook',
      method: 'POST',
      headers: { ...JSON_TYPE, 'Stripe-Signature': event.signature },
      body: event.body,
    }),
    good: [204],
  },
  {
    from: 'api/cms/published.ts',
    use: 'memory',
    // Local content has no webhook of its own: every signature is a wrong one.
    ask: () => json('/api/cms/published', {}, { 'sanity-webhook-signature': 't=1,v1=x' }),
    good: [400, 404],
  },
  {
    from: 'api/preview/enable.ts',
    use: 'content',
    ask: ({ mark }) => ({ path: `/api/preview/enable?sanity-preview-secret=${'s'.repeat(20)}${mark}` }),
    good: [401],
  },
  {
    from: 'api/preview/disable.ts',
    use: 'memory',
    ask: () => ({ path: '/api/preview/disable' }),
    good: [307],
  },
  {
    from: 'api/public/figures.ts',
    contract: '/api/public/figures',
    use: 'memory',
    ask: () => ({ path: '/api/public/figures' }),
    good: [200],
  },
  {
    from: 'api/public/figures.csv.ts',
    use: 'memory',
    ask: () => ({ path: '/api/public/figures.csv' }),
    good: [200],
  },
  {
    from: 'api/public/status.ts',
    contract: '/api/public/status',
    use: 'memory',
    ask: () => ({ path: '/api/public/status' }),
    good: [200],
  },
  {
    from: 'api/public/status.csv.ts',
    use: 'memory',
    ask: () => ({ path: '/api/public/status.csv' }),
    good: [200],
  },
  {
    from: 'api/public/organisations.ts',
    contract: '/api/public/organisations',
    use: 'memory',
    ask: () => ({ path: '/api/public/organisations' }),
    good: [200],
  },
  {
    from: 'api/public/packages.ts',
    contract: '/api/public/packages',
    use: 'memory',
    ask: () => ({ path: '/api/public/packages' }),
    good: [200],
  },
  {
    from: 'api/openapi.json.ts',
    use: 'memory',
    ask: () => ({ path: '/api/openapi.json' }),
    good: [200],
  },
  {
    from: 'api/operator/summary.ts',
    contract: '/api/operator/summary',
    use: 'reads',
    ask: () => ({ path: '/api/operator/summary', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/audience.ts',
    contract: '/api/operator/audience',
    use: 'reads',
    ask: () => ({ path: '/api/operator/audience', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/content.ts',
    contract: '/api/operator/content',
    use: 'memory',
    ask: () => ({ path: '/api/operator/content', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/payouts.csv.ts',
    // Every file that leaves the server is written down.
    use: 'writes',
    ask: () => ({ path: '/api/operator/payouts.csv', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/find.ts',
    contract: '/api/operator/find',
    use: 'reads',
    ask: () => json('/api/operator/find', { words: 'buyer@example.org' }, operator),
    good: [200],
  },
  {
    from: 'api/operator/act.ts',
    contract: '/api/operator/act',
    use: 'writes',
    ask: ({ keptOrder, mark }) =>
      json(
        '/api/operator/act',
        { act: 'resend', card: keptOrder },
        { ...operator, 'Idempotency-Key': `operator-act-press-${mark}` },
      ),
    good: [200],
  },
  {
    from: 'api/operator/payouts.ts',
    contract: '/api/operator/payouts',
    use: 'reads',
    ask: () => ({ path: '/api/operator/payouts', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/due.ts',
    contract: '/api/operator/due',
    use: 'reads',
    ask: () => ({ path: '/api/operator/due', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/did.ts',
    contract: '/api/operator/did',
    use: 'writes',
    ask: ({ mark }) =>
      json(
        '/api/operator/did',
        { duty: 'vat' },
        { ...operator, 'Idempotency-Key': `operator-did-press-${mark}` },
      ),
    good: [200],
  },
  {
    from: 'api/operator/dealt-with.ts',
    contract: '/api/operator/dealt-with',
    // There is no such mail: nothing changes.
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/dealt-with',
        { mail: '0'.repeat(26) },
        { ...operator, 'Idempotency-Key': `operator-dealt-with-press-${mark}` },
      ),
    good: [409],
  },
  {
    from: 'api/operator/payout-act.ts',
    contract: '/api/operator/payout-act',
    // The token moves no money: nothing changes.
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/payout-act',
        { act: 'cancel', payout: '0'.repeat(26) },
        { ...operator, 'Idempotency-Key': `operator-payout-press-${mark}` },
      ),
    good: [409],
  },
  {
    from: 'api/operator/payout-files.ts',
    contract: '/api/operator/payout-files',
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/payout-files',
        { run: 'none', iban: 'ES9121000418450200051332', payer: 'Us' },
        { ...operator, 'Idempotency-Key': `operator-files-press-${mark}` },
      ),
    good: [409],
  },
  {
    from: 'api/operator/statement.ts',
    contract: '/api/operator/statement',
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/statement',
        { text: 'reference,end to end id,amount,currency\nR1,,-1.00,EUR', apply: false },
        { ...operator, 'Idempotency-Key': `operator-statement-press-${mark}` },
      ),
    good: [200],
  },
  {
    from: 'api/operator/passkey-challenge.ts',
    contract: '/api/operator/passkey-challenge',
    use: 'memory',
    ask: () => json('/api/operator/passkey-challenge', { for: 'sign-in' }),
    good: [200],
  },
  {
    from: 'api/operator/people.ts',
    contract: '/api/operator/people',
    use: 'reads',
    ask: () => ({ path: '/api/operator/people', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/people-act.ts',
    contract: '/api/operator/people-act',
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/people-act',
        { act: 'end', person: '0'.repeat(26) },
        { ...operator, 'Idempotency-Key': `operator-people-press-${mark}` },
      ),
    good: [409],
  },
  {
    from: 'api/operator/card.ts',
    contract: '/api/operator/card',
    use: 'reads',
    ask: ({ keptOrder }) => json('/api/operator/card', { id: keptOrder }, operator),
    good: [200],
  },
  {
    from: 'api/operator/wishes.ts',
    contract: '/api/operator/wishes',
    use: 'reads',
    ask: () => ({ path: '/api/operator/wishes', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/wish-seen.ts',
    contract: '/api/operator/wish-seen',
    use: 'writes',
    ask: ({ mark }) =>
      json(
        '/api/operator/wish-seen',
        { word: 'some organization', until: 1 },
        { ...operator, 'Idempotency-Key': `operator-wish-press-${mark}` },
      ),
    good: [200],
  },
  {
    from: 'api/operator/invoices.ts',
    contract: '/api/operator/invoices',
    use: 'reads',
    ask: () => ({ path: '/api/operator/invoices', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/invoice-act.ts',
    contract: '/api/operator/invoice-act',
    // The token moves no money: nothing changes.
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/invoice-act',
        { act: 'cancel', order: '0'.repeat(26) },
        { ...operator, 'Idempotency-Key': `operator-invoice-press-${mark}` },
      ),
    good: [409],
  },
  {
    from: 'api/operator/partners.ts',
    contract: '/api/operator/partners',
    use: 'reads',
    ask: () => ({ path: '/api/operator/partners', headers: operator }),
    good: [200],
  },
  {
    from: 'api/operator/partner-act.ts',
    contract: '/api/operator/partner-act',
    // The token makes no key: nothing changes.
    use: 'reads',
    ask: ({ mark }) =>
      json(
        '/api/operator/partner-act',
        { act: 'revoke', partner: '0'.repeat(26) },
        { ...operator, 'Idempotency-Key': `operator-partner-press-${mark}` },
      ),
    good: [409],
  },
  {
    from: 'api/partner/orders/index.ts',
    contract: PARTNER_ORDERS_PATH,
    use: 'provider',
    ask: ({ partnerKey, mark }) =>
      json(PARTNER_ORDERS_PATH, PARTNER_ORDER, {
        Authorization: `Bearer ${partnerKey}`,
        'Idempotency-Key': `a-partners-order-${mark}`,
      }),
    good: [200],
  },
  {
    from: 'api/partner/orders/[id].ts',
    contract: `${PARTNER_ORDERS_PATH}/{id}`,
    use: 'reads',
    ask: ({ partnerKey }) => ({
      path: `${PARTNER_ORDERS_PATH}/${'0'.repeat(26)}`,
      headers: { Authorization: `Bearer ${partnerKey}` },
    }),
    good: [404],
  },
  { from: 'api/[...unknown].ts', use: 'memory', ask: () => ({ path: '/api/unknown' }), good: [404] },
  {
    from: 'gift-card/[giftCardId]/[...screen].astro',
    use: 'reads',
    ask: ({ kept }) => ({ path: cardPath(kept.privateKey, 'select-ngo') }),
    good: [200],
  },
  {
    from: 'gift-card/[giftCardId]/[...screen].astro',
    use: 'writes',
    // What a recipient without scripts sends in the end.
    ask: ({ split }) =>
      form(cardPath(split.privateKey, 'select-ngo'), { 'points-ngo-msf': '50', step: 'confirm' }),
    good: [200, 303],
  },
  {
    from: 'gift-card/[giftCardId]/[...screen].astro',
    use: 'provider',
    // Own money that a recipient adds.
    ask: ({ kept, mark }) => ({ path: cardPath(kept.privateKey, 'own-money'), ...ownMoneyForm(mark) }),
    good: [200],
  },
  {
    from: 'gift-card-volunteering/[giftCardId]/[...screen].astro',
    use: 'reads',
    ask: ({ invitationKey }) => ({ path: volunteeringCardPath(invitationKey, 'introduction-2') }),
    good: [200],
  },
  { from: 'g/[...words].astro', use: 'memory', ask: () => ({ path: '/g/palestine/es' }), good: [200] },
  {
    from: 'g/[...words].astro',
    use: 'reads',
    ask: ({ kept }) => form('/g', { link: kept.privateKey }),
    good: [303],
  },
  {
    from: 'api/gift-card/open.ts',
    contract: '/api/gift-card/open',
    use: 'reads',
    ask: ({ invitationKey }) => json('/api/gift-card/open', { link: `#${invitationKey}` }),
    good: [200],
  },
  {
    from: 'lost-link.astro',
    use: 'writes',
    ask: ({ kept }) => form('/lost-link', { email: kept.email }),
    good: [200],
  },
  {
    from: 'is-this-real.astro',
    use: 'reads',
    ask: ({ kept }) => form('/is-this-real', { word: checkWordOf(kept.privateKey) }),
    good: [200],
  },
  {
    from: 'many-cards.astro',
    use: 'reads',
    ask: () => upload('/many-cards', { ...MANY, step: 'check' }),
    good: [200],
  },
  {
    from: 'many-cards.astro',
    use: 'provider',
    ask: ({ mark }) => upload('/many-cards', { ...MANY, step: 'pay', attempt: `buying-many-cards-${mark}` }),
    good: [200],
  },
  {
    from: 'many-cards.astro',
    // Nothing is asked of the provider: the invoice is written at once.
    use: 'writes',
    ask: ({ mark }) =>
      upload('/many-cards', {
        ...MANY,
        ...INVOICE_TO,
        ...{ 'invoice-email': `invoiced-${mark}@example.org`, step: 'invoice' },
        attempt: `many-cards-by-invoice-${mark}`,
      }),
    good: [303],
  },
  {
    from: 'invoice/[orderId]/[key].astro',
    use: 'reads',
    ask: ({ invoicePage }) => ({ path: invoicePage }),
    good: [200],
  },
  {
    from: 'invoice/[orderId]/[key].astro',
    use: 'reads',
    ask: ({ invoicePage }) => form(invoicePage, {}),
    good: [200],
  },
  {
    from: 'own-money-thanks.astro',
    use: 'provider',
    ask: ({ paidOwnMoney }) => form(OWN_MONEY_THANKS_PATH, { session: paidOwnMoney }),
    good: [200],
  },
  {
    from: 'new-links/[cardId]/[key].astro',
    use: 'reads',
    ask: ({ kept }) => ({ path: renewalPath(kept.cardId, renewalKey(kept)) }),
    good: [200],
  },
  {
    from: 'new-links/[cardId]/[key].astro',
    use: 'writes',
    ask: ({ renewed }) => form(renewalPath(renewed.cardId, renewalKey(renewed)), {}),
    good: [303],
    again: [303, 404],
  },
  {
    from: 'send-for-me/[cardId]/[key].astro',
    use: 'reads',
    ask: ({ kept }) => ({ path: sendingPath(kept.cardId, sendingKey(kept)) }),
    good: [200],
  },
  {
    from: 'send-for-me/[cardId]/[key].astro',
    use: 'writes',
    ask: ({ kept }) => form(sendingPath(kept.cardId, sendingKey(kept)), aPlan()),
    good: [303],
  },
  {
    from: 'not-for-me/[mailbox]/[key].astro',
    use: 'reads',
    ask: ({ mark }) => ({ path: unwantedPathOf(mark) }),
    good: [200],
  },
  {
    from: 'not-for-me/[mailbox]/[key].astro',
    use: 'writes',
    ask: ({ mark }) => form(unwantedPathOf(mark), {}),
    good: [303],
  },
  {
    from: 'gift-letters/[cardId]/[key].astro',
    use: 'reads',
    ask: ({ kept }) => ({ path: giftLettersPath(kept.cardId, lettersKey(kept)) }),
    good: [200],
  },
  {
    from: 'gift-letters/[cardId]/[key].astro',
    use: 'writes',
    ask: ({ kept }) => form(giftLettersPath(kept.cardId, lettersKey(kept)), { letter: 'off' }),
    good: [303],
  },
  {
    from: 'withdraw.astro',
    use: 'writes',
    ask: ({ mark }) =>
      form('/withdraw', { name: 'Aina', email: `stated-${mark}@example.org`, order: '', step: 'confirm' }),
    good: [200],
  },
  {
    from: 'withdraw/[orderId]/[key].astro',
    use: 'reads',
    ask: ({ keptOrder }) => ({ path: withdrawalPath(keptOrder, withdrawalKey(keptOrder)) }),
    good: [200],
  },
  {
    from: 'withdraw/[orderId]/[key].astro',
    // The refund is asked for once it is written; a provider that is away is asked again by the job.
    use: 'writes',
    ask: ({ withdrawnOrder }) =>
      form(withdrawalPath(withdrawnOrder, withdrawalKey(withdrawnOrder)), {
        name: 'Aina',
        email: 'aina@example.org',
      }),
    good: [303],
  },
  {
    from: 'certificate/[orderId]/[key].astro',
    use: 'reads',
    ask: ({ keptOrder }) => ({ path: certificatePath(keptOrder, withdrawalKey(keptOrder)) }),
    good: [200],
  },
  {
    from: 'certificate/[orderId]/[key].astro',
    // Nothing is due yet: the press finds that out, and writes nothing.
    use: 'reads',
    ask: ({ keptOrder }) =>
      form(certificatePath(keptOrder, withdrawalKey(keptOrder)), {
        name: 'Aina Ferrer',
        document: '12345678Z',
        address: 'Carrer Major 1',
      }),
    good: [303],
  },
  {
    from: 'many/[orderId]/[key].astro',
    use: 'reads',
    ask: ({ manyPage }) => ({ path: manyPage }),
    good: [200],
  },
  {
    from: 'many/[orderId]/[key].astro',
    use: 'writes',
    ask: ({ manyPage, mark }) => form(manyPage, { act: 'renew-all', press: pressOf(mark) }),
    good: [200],
  },
  {
    from: 'received/[adviceId]/[key].astro',
    // No payout was made in a new product: whatever is asked with is a wrong key.
    use: 'reads',
    ask: ({ keptOrder }) => ({ path: receivedPath(keptOrder, withdrawalKey(keptOrder)) }),
    good: [404],
  },
  {
    from: 'received/[adviceId]/[key].astro',
    use: 'reads',
    ask: ({ keptOrder }) => form(receivedPath(keptOrder, withdrawalKey(keptOrder)), {}),
    good: [404],
  },
  {
    from: 'studio-login.astro',
    use: 'memory',
    ask: () => form('/studio-login', { token: TOKEN }),
    good: [303],
  },
  { from: 'internal/studio.astro', use: 'memory', ask: () => ({ path: '/internal/studio' }), good: [404] },
  { from: 'internal/draft.astro', use: 'memory', ask: () => ({ path: '/internal/draft' }), good: [404] },
  {
    from: 'internal/mail.astro',
    use: 'memory',
    ask: () => ({ path: '/internal/mail' }),
    good: [404],
  },
  {
    from: 'front: photo-book',
    use: 'content',
    ask: ({ invitationKey }) => ({ path: photoBookPath(invitationKey, 'es') }),
    // It takes its time to be made; who comes sooner is asked to come back.
    good: [200, 503],
  },
  { from: 'front: pictures', use: 'content', ask: ({ picture }) => ({ path: picture }), good: [200] },
  // Before the first day is over there is no head.
  {
    from: 'front: public ledger',
    use: 'memory',
    ask: () => ({ path: '/ledger/checkpoint' }),
    good: [200, 404],
  },
  { from: 'front: live', use: 'memory', ask: () => ({ path: '/health/live' }), good: [200] },
  { from: 'front: ready', use: 'readiness', ask: () => ({ path: '/health/ready' }), good: [200] },
  { from: 'front: files', use: 'memory', ask: () => ({ path: '/favicon.svg' }), good: [200] },
  { from: 'front: crawlers', use: 'memory', ask: () => ({ path: '/robots.txt' }), good: [200] },
  { from: 'front: ad codes', use: 'memory', ask: () => ({ path: '/encuesta' }), good: [200] },
  { from: 'front: elsewhere', use: 'memory', ask: () => ({ path: '/nowhere/at/all' }), good: [302] },
]

const PUBLISHED_ROUTES: readonly RouteRow[] = PUBLISHED_PAGES.flatMap(({ path }) =>
  [path, ...LANGUAGES.map(language => localizedPath(language, path))].map(address => ({
    from: `published: ${address}`,
    use: 'memory' as const,
    ask: () => ({ path: address }),
    good: [200],
  })),
)

export const ROUTES: readonly RouteRow[] = [...OWN_ROUTES, ...PUBLISHED_ROUTES]

/** Every file under src/pages that answers at an address of its own and is no published page. */
export function pageFiles(): string[] {
  return readdirSync(join(ROOT, 'src/pages'), { recursive: true, encoding: 'utf8' })
    .filter(file => /(?:^|\/)[^_/][^/]*\.(astro|ts)$/.test(file) && !file.startsWith('[lang]/'))
    .sort()
}

const sendingKey = ({ cardId }: BoughtCard): string =>
  createCardKeys(CARD_KEY_SECRET).sendingKey(cardId, FIRST_KEY_VERSION)

/** The link of a mailbox that nobody has: another one each time, since only the first press on one writes. */
const unwantedPathOf = (mark: string): string => {
  const mailbox = createHash('sha256').update(mark).digest('hex')
  return unwantedPath(mailbox, createCardKeys(CARD_KEY_SECRET).unwantedKey(`hmac:${mailbox}`))
}

/** In half a year. */
const aPlan = () => ({
  address: 'nora@example.org',
  day: dayInUtc(Date.now() + 180 * DAY_MS),
  zone: 'Europe/Madrid',
})

const renewalKey = ({ cardId }: BoughtCard): string =>
  createCardKeys(CARD_KEY_SECRET).renewalKey(cardId, FIRST_KEY_VERSION)

const pressOf = (mark: string): string => createHash('sha1').update(mark).digest('hex')

const withdrawalKey = (orderId: string): string =>
  createCardKeys(CARD_KEY_SECRET).withdrawalKey(orderId, FIRST_KEY_VERSION)

const lettersKey = ({ cardId }: BoughtCard): string => createCardKeys(CARD_KEY_SECRET).lettersKey(cardId)

let sets = 0

/** Buys and asks for all that one good request of every route needs. The server must know CARD_KEY_SECRET. */
export async function getReady(
  site: { readonly url: string },
  environment: TestEnvironment,
  sign: (sessionId: string) => Ready['event'],
): Promise<Ready> {
  const mark = `${++sets}-${Math.floor(performance.now())}`
  const buy = (what: string) => buyCard(site, { email: `${what}-${mark}@example.org` })
  const [kept, given, split, renewed, withdrawn] = [
    await buy('kept'),
    await buy('given'),
    await buy('split'),
    await buy('renewed'),
    await buy('withdrawn'),
  ]
  const orderOf = async ({ cardId }: BoughtCard): Promise<string> => {
    const { order_id } = await environment.database.db.read(db =>
      db.selectFrom('cards').select('order_id').where('id', '=', cardId).executeTakeFirstOrThrow(),
    )
    return order_id!
  }
  const used = await buy('used')
  const { receiptKey } = okay(await post(site.url + cardApi(used.privateKey), selectionOf({ 'ngo-msf': 50 })))
  const paidSession = await openPayment(site)
  await pay(site, paidSession, { email: `paid-${mark}@example.org` })
  const paidInvitation = await openInvitation(site, mark)
  const ownMoney = await call(
    `${site.url}${cardPath(used.privateKey, 'own-money')}`,
    ownMoneyForm(`paid-${mark}`),
  )
  const paidOwnMoney = new URL(paymentIn(ownMoney.text)).pathname.slice('/c/pay/'.length)
  await pay(site, paidOwnMoney, { email: `own-money-${mark}@example.org` })
  const invitation = okay(
    await post(`${site.url}${VOLUNTEERING}/success`, {
      stripe_session_id: await openInvitation(site, `${mark}-b`),
    }),
  )
  const asking = [`asking-${mark}@example.org`, `leaving-${mark}@example.org`] as const
  for (const email of asking)
    okay(await post(`${site.url}/api/ajuda/newsletter/subscribe`, { email, name: 'Reader', lang: 'en' }))
  const tokens = createTokens(createCardKeys(CARD_KEY_SECRET).newsletterKey)
  const tokenOf = async (kind: 'confirm' | 'unsubscribe', email: string) => {
    const row = await environment.database.db.read(db =>
      db
        .selectFrom('newsletter_subscribers')
        .select(['id', 'asked_at'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow(),
    )
    return tokens.make(kind, row.id, row.asked_at)
  }
  const pictures = (await call(`${site.url}/es/intro/memorial`)).text.match(/\/images\/[^"\s,]+/g) ?? []
  return {
    kept,
    given,
    split,
    renewed,
    keptOrder: await orderOf(kept),
    withdrawnOrder: await orderOf(withdrawn),
    manyPage: await buyManyThroughApi(site, 'Aina\nBiel', { email: `many-${mark}@example.org` }),
    invoicePage: await invoiceThroughApi(site, 'Aina\nBiel', { email: `invoice-${mark}@example.org` }),
    receiptKey: String(receiptKey),
    paidSession,
    paidInvitation,
    paidOwnMoney,
    invitationKey: String(invitation.key),
    invitationId: String(invitation.id),
    subscriber: await tokenOf('confirm', asking[0]),
    unsubscribed: await tokenOf('unsubscribe', asking[1]),
    picture: pictures[sets % pictures.length] ?? '/images/none',
    partnerKey: await partnerKeyIn(environment),
    mark,
    event: sign(paidSession),
  }
}

/** Makes a partner with every scope, as the terminal does. @returns its key */
export async function partnerKeyIn({ database }: Pick<TestEnvironment, 'database'>): Promise<string> {
  const asked = { name: 'A shop', contact: 'shop@example.org', scopes: PARTNER_SCOPES }
  const { mac } = createCardKeys(CARD_KEY_SECRET)
  const { key } = await database.db.transaction(trx => addPartner(trx, asked, { mac, now: Date.now() }))
  return key
}

async function openInvitation(site: { readonly url: string }, mark: string): Promise<string> {
  const { url } = okay(await post(`${site.url}${VOLUNTEERING}/gateway`, INVITING))
  const sessionId = new URL(String(url)).pathname.slice('/c/pay/'.length)
  await pay(site, sessionId, { email: `inviting-${mark}@example.org` })
  return sessionId
}

function okay(answer: Answer): Record<string, unknown> {
  if (answer.status !== 200) throw new WrongAnswer('product', answer)
  return answer.json()
}

/** Every card of sessions that were paid. @throws when one has none */
export async function cardsOf(
  site: { readonly url: string },
  sessions: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const session of sessions) ids.push(readCard(await askForCard(site, session), session).cardId)
  return ids
}
