import {
  certificatePath,
  giftLettersPath,
  invoicePath,
  manyPath,
  photoBookPath,
  receivedPath,
  renewalPath,
  sendingPath,
  unwantedPath,
  volunteeringCardPath,
  withdrawalPath,
} from '#paths'
import type { BoughtCard } from './buy.ts'
import { cardApi, FREE_CARD, SEND_EMAIL, selectionOf } from './buy.ts'
import type { CallOptions } from './call.ts'
import { confirmationOf } from './endpoints.ts'

/** A request with a secret that is wrong. */
type Guess = (card: BoughtCard) => { readonly path: string } & CallOptions

/** What a route does with secrets: takes a card's key, takes the operator's token, or neither, and why not. */
export type SecretDoor =
  | { readonly from: string; readonly takes: 'key'; readonly guess: Guess }
  | { readonly from: string; readonly takes: 'token'; readonly guess: (token: string) => Asked }
  | { readonly from: string; readonly takes: 'neither'; readonly because: string }

type Asked = { readonly path: string; readonly isSocket?: true } & CallOptions

export const WRONG_KEY = 'abcdefghijklmnopqrstuvwxyz234567'
const WRONG_PARTNER_KEY = `partner_${'a'.repeat(43)}`
const INVITATION = `/api/ajuda/giftcard-volunteering/${WRONG_KEY}`

const json = (path: string, body: object) => ({
  path,
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
const form = (path: string, fields: Record<string, string>) => ({
  path,
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
const key = (from: string, guess: Guess): SecretDoor => ({ from, takes: 'key', guess })
const withBearer = (from: string, path: string, isSocket?: true): SecretDoor => ({
  from,
  takes: 'token',
  guess: token => ({ path, headers: { Authorization: `Bearer ${token}` }, ...(isSocket && { isSocket }) }),
})
const withBearerPost = (from: string, path: string, body: object): SecretDoor => ({
  from,
  takes: 'token',
  guess(token) {
    const asked = json(path, body)
    return { ...asked, headers: { ...asked.headers, Authorization: `Bearer ${token}` } }
  },
})
const neither = (from: string, because: string): SecretDoor => ({ from, takes: 'neither', because })

const PUBLIC = 'for everybody'
const SIGNED = 'its own proof is a signature of 256 bits over the body'
const TOKEN_OF_A_MAIL = 'its own limit counts every call: 30 in ten minutes, for a token of 160 bits'

/** Every route of `OWN_ROUTES`, by what it takes: the test compares the two lists. */
export const SECRET_DOORS: readonly SecretDoor[] = [
  key('api/ajuda/giftcard/[giftCardId]/[flag].ts', () => ({ path: `${cardApi(WRONG_KEY)}/full` })),
  key('api/ajuda/giftcard/[giftCardId]/[flag].ts', () => ({ path: `${cardApi(WRONG_KEY)}/preview` })),
  // The same call on its way through the site's own router.
  key('api/ajuda/giftcard/[giftCardId]/[flag].ts', () => ({ path: `${cardApi(WRONG_KEY)}/f.l` })),
  key('api/ajuda/giftcard/[giftCardId]/index.ts', () =>
    json(cardApi(WRONG_KEY), selectionOf({ 'ngo-msf': 50 })),
  ),
  key('api/ajuda/giftcard-receipt.ts', () => json('/api/ajuda/giftcard-receipt', { receiptKey: WRONG_KEY })),
  key('api/ajuda/giftcard-answer.ts', () =>
    json('/api/ajuda/giftcard-answer', { receiptKey: WRONG_KEY, tell: true, where: false }),
  ),
  key('api/ajuda/giftcard-volunteering/[giftCardId]/index.ts', () => ({ path: INVITATION })),
  key('api/ajuda/giftcard-volunteering/[giftCardId]/answer.ts', () =>
    json(`${INVITATION}/answer`, { answer: 'later', tellGiver: false }),
  ),
  key('api/ajuda/giftcard-volunteering/[giftCardId]/calendar.ts', () => ({
    path: `${INVITATION}/calendar?day=2027-05-01`,
  })),
  key('api/ajuda/giftcard-volunteering/[giftCardId]/photo-book.ts', () => ({
    path: `${INVITATION}/photo-book`,
  })),
  key('front: photo-book', () => ({ path: photoBookPath(WRONG_KEY, 'es') })),
  key('api/gift-card/calendar.ts', () => form('/api/gift-card/calendar', { key: WRONG_KEY })),
  key('api/gift-card/open.ts', () => json('/api/gift-card/open', { link: `#${WRONG_KEY}` })),
  key('g/[...words].astro', () => form('/g', { link: WRONG_KEY })),
  key('api/gift-card/print.ts', () => form('/api/gift-card/print', { key: WRONG_KEY })),
  key('api/ajuda/pagaments-donatius/success/send-email.ts', card =>
    json(SEND_EMAIL, { ...confirmationOf(card), giftcard_private_key: WRONG_KEY }),
  ),
  key('api/ajuda/pagaments-voluntariat/success/send-email.ts', card =>
    json('/api/ajuda/pagaments-voluntariat/success/send-email', {
      giftcard_key: WRONG_KEY,
      giftcard_id: card.cardId,
      lang: 'en',
    }),
  ),
  key('api/ajuda/free-giftcard-donatius/success/send-email.ts', card =>
    json(`${FREE_CARD}/success/send-email`, { ...confirmationOf(card), giftcard_private_key: WRONG_KEY }),
  ),
  key('api/ajuda/free-giftcard-donatius/retrieve.ts', () =>
    json(`${FREE_CARD}/retrieve`, { privateKey: WRONG_KEY }),
  ),
  key('gift-card/[giftCardId]/[...screen].astro', () => ({
    path: `/gift-card/${WRONG_KEY}/introduction-1/final`,
  })),
  key('gift-card/[giftCardId]/[...screen].astro', () =>
    form(`/gift-card/${WRONG_KEY}/select-ngo/final`, { 'points-ngo-msf': '50', step: 'confirm' }),
  ),
  ...['draw', 'wish', 'own-money'].map(screen =>
    key('gift-card/[giftCardId]/[...screen].astro', () =>
      form(`/gift-card/${WRONG_KEY}/${screen}/final`, { name: 'Some organization' }),
    ),
  ),
  key('gift-card-volunteering/[giftCardId]/[...screen].astro', () => ({
    path: volunteeringCardPath(WRONG_KEY, 'introduction-2'),
  })),
  key('new-links/[cardId]/[key].astro', card => ({ path: renewalPath(card.cardId, WRONG_KEY) })),
  key('new-links/[cardId]/[key].astro', card => form(renewalPath(card.cardId, WRONG_KEY), {})),
  key('gift-letters/[cardId]/[key].astro', card => ({ path: giftLettersPath(card.cardId, WRONG_KEY) })),
  key('gift-letters/[cardId]/[key].astro', card =>
    form(giftLettersPath(card.cardId, WRONG_KEY), { letter: 'off' }),
  ),
  key('send-for-me/[cardId]/[key].astro', card => ({ path: sendingPath(card.cardId, WRONG_KEY) })),
  key('send-for-me/[cardId]/[key].astro', card =>
    form(sendingPath(card.cardId, WRONG_KEY), { address: 'a@b.example', day: '2027-01-01', zone: 'UTC' }),
  ),
  key('not-for-me/[mailbox]/[key].astro', () => ({ path: unwantedPath('0'.repeat(64), WRONG_KEY) })),
  key('not-for-me/[mailbox]/[key].astro', () => form(unwantedPath('0'.repeat(64), WRONG_KEY), {})),
  key('withdraw/[orderId]/[key].astro', card => ({ path: withdrawalPath(card.cardId, WRONG_KEY) })),
  key('withdraw/[orderId]/[key].astro', card =>
    form(withdrawalPath(card.cardId, WRONG_KEY), { name: 'Aina', email: 'aina@example.org' }),
  ),
  key('withdraw/[orderId]/[key].astro', card => form(withdrawalPath(card.cardId, WRONG_KEY), {})),
  key('certificate/[orderId]/[key].astro', card => ({ path: certificatePath(card.cardId, WRONG_KEY) })),
  key('certificate/[orderId]/[key].astro', card =>
    form(certificatePath(card.cardId, WRONG_KEY), { step: 'download' }),
  ),
  key('certificate/[orderId]/[key].astro', card => form(certificatePath(card.cardId, WRONG_KEY), {})),
  key('invoice/[orderId]/[key].astro', card => ({ path: invoicePath(card.cardId, WRONG_KEY) })),
  key('invoice/[orderId]/[key].astro', card => form(invoicePath(card.cardId, WRONG_KEY), {})),
  key('many/[orderId]/[key].astro', card => ({ path: manyPath(card.cardId, WRONG_KEY) })),
  ...['show', 'renew-all', 'renew-one', 'table', 'sheets', 'calendar', 'move'].map(act =>
    key('many/[orderId]/[key].astro', card =>
      form(manyPath(card.cardId, WRONG_KEY), { act, press: 'a'.repeat(40), card: '1' }),
    ),
  ),
  key('received/[adviceId]/[key].astro', card => ({ path: receivedPath(card.cardId, WRONG_KEY) })),
  key('received/[adviceId]/[key].astro', card => form(receivedPath(card.cardId, WRONG_KEY), {})),

  {
    from: 'studio-login.astro',
    takes: 'token',
    guess: token => form('/studio-login', { token }),
  },
  withBearer('api/operator/summary.ts', '/api/operator/summary'),
  withBearer('api/operator/audience.ts', '/api/operator/audience'),
  withBearer('api/operator/content.ts', '/api/operator/content'),
  withBearer('api/operator/payouts.csv.ts', '/api/operator/payouts.csv'),
  withBearerPost('api/operator/find.ts', '/api/operator/find', { words: 'ana@example.org' }),
  withBearerPost('api/operator/card.ts', '/api/operator/card', { id: '0'.repeat(26) }),
  withBearer('api/operator/payouts.ts', '/api/operator/payouts'),
  withBearer('api/operator/due.ts', '/api/operator/due'),
  withBearerPost('api/operator/did.ts', '/api/operator/did', { duty: 'vat' }),
  withBearerPost('api/operator/dealt-with.ts', '/api/operator/dealt-with', { mail: '0'.repeat(26) }),
  withBearerPost('api/operator/payout-act.ts', '/api/operator/payout-act', {
    act: 'cancel',
    payout: '0'.repeat(26),
  }),
  withBearerPost('api/operator/payout-files.ts', '/api/operator/payout-files', {
    run: '2026-11',
    iban: 'ES9121000418450200051332',
    payer: 'Us',
  }),
  withBearerPost('api/operator/statement.ts', '/api/operator/statement', { text: '<a/>', apply: false }),
  withBearerPost('api/operator/act.ts', '/api/operator/act', { act: 'resend', card: '0'.repeat(26) }),
  withBearer('api/operator/invoices.ts', '/api/operator/invoices'),
  withBearerPost('api/operator/invoice-act.ts', '/api/operator/invoice-act', {
    act: 'cancel',
    order: '0'.repeat(26),
  }),
  withBearer('api/operator/wishes.ts', '/api/operator/wishes'),
  withBearerPost('api/operator/wish-seen.ts', '/api/operator/wish-seen', { word: 'some', until: 1 }),
  withBearer('api/operator/people.ts', '/api/operator/people'),
  withBearerPost('api/operator/people-act.ts', '/api/operator/people-act', {
    act: 'end',
    person: '0'.repeat(26),
  }),
  {
    from: 'api/operator/passkey-challenge.ts',
    takes: 'token',
    guess: token => json('/api/operator/passkey-challenge', { for: 'first', token, name: 'Ana' }),
  },
  withBearer('local: content', '/v2026-05-04/data/query/production?query=count(*)'),
  withBearer('local: account', '/v2026-05-04/users/me'),
  withBearer('local: streams', '/local/listen', true),
  withBearer('local: inbox', '/_local/mail'),
  withBearer('local: presence', '/v2026-05-04/socket/production', true),

  withBearer('api/operator/partners.ts', '/api/operator/partners'),
  withBearerPost('api/operator/partner-act.ts', '/api/operator/partner-act', {
    act: 'revoke',
    partner: '0'.repeat(26),
  }),
  key('api/partner/orders/index.ts', () => ({
    ...json('/api/partner/orders', {}),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${WRONG_PARTNER_KEY}` },
  })),
  key('api/partner/orders/[id].ts', () => ({
    path: `/api/partner/orders/${'0'.repeat(26)}`,
    headers: { Authorization: `Bearer ${WRONG_PARTNER_KEY}` },
  })),

  neither('api/openapi.json.ts', PUBLIC),
  neither('api/public/organisations.ts', PUBLIC),
  neither('api/public/packages.ts', PUBLIC),
  neither('api/public/figures.ts', PUBLIC),
  neither('api/public/figures.csv.ts', PUBLIC),
  neither('api/public/status.ts', PUBLIC),
  neither('api/public/status.csv.ts', PUBLIC),
  neither('api/ajuda/pagaments-donatius/gateway.ts', PUBLIC),
  neither('api/ajuda/pagaments-voluntariat/gateway.ts', PUBLIC),
  neither(
    'api/ajuda/pagaments-donatius/success.ts',
    'the id of a payment’s session is the provider’s secret',
  ),
  neither('api/ajuda/pagaments-voluntariat/success.ts', 'the same'),
  neither('api/ajuda/free-giftcard-donatius/get.ts', PUBLIC),
  neither('api/ajuda/newsletter/subscribe.ts', PUBLIC),
  neither('api/ajuda/newsletter/confirm.ts', TOKEN_OF_A_MAIL),
  neither('api/newsletter/unsubscribe.ts', TOKEN_OF_A_MAIL),
  neither('api/analytics/general/new-session.ts', PUBLIC),
  neither('api/analytics/general/new-event/[eventName].ts', PUBLIC),
  neither('api/analytics/general/forget.ts', 'says the same of every number'),
  neither('api/stripe/webhook.ts', SIGNED),
  neither('api/cms/published.ts', SIGNED),
  neither('api/preview/enable.ts', 'a secret of the content’s own, of one hour; every call is counted'),
  neither('api/preview/disable.ts', PUBLIC),
  neither('api/[...unknown].ts', PUBLIC),
  key('is-this-real.astro', () => form('/is-this-real', { word: 'BCDF-GHJK-MNPQ' })),
  key('is-this-real.astro', () => form('/is-this-real', { word: 'not a word' })),
  neither('lost-link.astro', 'takes an address, and says the same of every one'),
  neither('many-cards.astro', PUBLIC),
  neither('own-money-thanks.astro', 'the id of a payment’s session, as the calls after a payment'),
  neither('withdraw.astro', 'takes a statement, and says the same of every address'),
  neither('internal/studio.astro', 'reached by the server alone'),
  neither('internal/draft.astro', 'reached by the server alone'),
  neither('internal/mail.astro', 'reached by the server alone'),
  neither('front: pictures', PUBLIC),
  neither('front: public ledger', PUBLIC),
  neither('front: live', PUBLIC),
  neither('front: ready', PUBLIC),
  neither('front: files', PUBLIC),
  neither('front: crawlers', PUBLIC),
  neither('front: ad codes', PUBLIC),
  neither('front: elsewhere', PUBLIC),
]
