import {
  type BoughtCard,
  CLAIM,
  cardApi,
  FREE_CARD,
  GATEWAY,
  PURCHASE,
  SEND_EMAIL,
  SUCCESS,
  selectionOf,
} from './buy.ts'

/** An endpoint that takes JSON, with a body that it would accept. */
export interface PostEndpoint {
  readonly name: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

const CLOCKS = { browserDateNow: 1_700_000_000_000, browserPerformanceNow: 12.5 }
const SESSION = {
  ...CLOCKS,
  deviceAttrs: { width: 390 },
  browserTimezoneOffset: -60,
  localStorageId: null,
  isAnonymous: true,
}
const EVENT = { ...CLOCKS, sessionId: '', currentUrl: '/es/intro', metadata: { at: 5 }, isAnonymous: true }

/** What asks for a card's mail once more. */
export const confirmationOf = (card: BoughtCard) => ({
  giftcard_public_key: card.publicKey,
  giftcard_private_key: card.privateKey,
  giftcard_id: card.cardId,
  email: card.email,
  sender_name: 'FROM_ANONYMOUS',
  lang: 'en',
})

/** Every endpoint that takes JSON, around one card. */
export const postEndpoints = (card: BoughtCard): readonly PostEndpoint[] => [
  { name: 'gateway', path: GATEWAY, body: PURCHASE },
  { name: 'success', path: SUCCESS, body: { stripe_session_id: card.sessionId } },
  { name: 'send-email', path: SEND_EMAIL, body: confirmationOf(card) },
  { name: 'free-get', path: `${FREE_CARD}/get`, body: CLAIM },
  { name: 'free-retrieve', path: `${FREE_CARD}/retrieve`, body: { privateKey: card.privateKey } },
  {
    name: 'newsletter',
    path: '/api/ajuda/newsletter/subscribe',
    body: { email: 'reader@example.org', name: 'Reader', phone: '+34600000000', lang: 'en' },
  },
  { name: 'newsletter-confirm', path: '/api/ajuda/newsletter/confirm', body: { token: 'x'.repeat(66) } },
  { name: 'new-session', path: '/api/analytics/general/new-session', body: SESSION },
  { name: 'new-event', path: '/api/analytics/general/new-event/scroll', body: EVENT },
  { name: 'forget', path: '/api/analytics/general/forget', body: { userId: 'u', sessionId: 's' } },
  { name: 'giftcard-receipt', path: '/api/ajuda/giftcard-receipt', body: { receiptKey: 'a'.repeat(32) } },
  {
    name: 'giftcard-answer',
    path: '/api/ajuda/giftcard-answer',
    body: { receiptKey: 'a'.repeat(32), tell: true, where: true, words: 'Thank you' },
  },
  { name: 'giftcard', path: cardApi(card.privateKey), body: selectionOf({ 'ngo-msf': 30, 'ngo-wfp': 20 }) },
]
