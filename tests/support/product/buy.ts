import { SEED_TERMS } from '#tests/support/seed-terms.ts'
import { type Answer, call, post } from './call.ts'

/** A card bought over HTTP alone, as a buyer's browser would. */
export interface BoughtCard {
  readonly cardId: string
  readonly privateKey: string
  readonly publicKey: string
  readonly email: string
  readonly sessionId: string
}

export const GATEWAY = '/api/ajuda/pagaments-donatius/gateway'
export const SUCCESS = '/api/ajuda/pagaments-donatius/success'
export const SEND_EMAIL = '/api/ajuda/pagaments-donatius/success/send-email'
export const FREE_CARD = '/api/ajuda/free-giftcard-donatius'
export const cardApi = (key: string) => `/api/ajuda/giftcard/${key}`

/** A mailbox that every claim of these tests is for: only the first gets a card. */
export const CLAIM = { fromEmail: 'claimant@example.org', campaign_id: 'gift-seed', currency: 'EUR' } as const

/** What a bought card is worth: fifty points for the organisations, no support. */
export const PURCHASE = {
  giftcard_theme: 'palestine',
  nom_producte: 'their food',
  sender_name: 'FROM_ANONYMOUS',
  amount: 5000,
  support_amount_cents: 0,
  currency: 'EUR',
  ...SEED_TERMS,
} as const
export const CREDIT = PURCHASE.amount

/** Organisations of the seed's list. */
export const NGOS = [
  'ngo-msf',
  'ngo-cerf',
  'ngo-unrwa',
  'ngo-unicef',
  'ngo-undp',
  'ngo-wfp',
  'ngo-irc',
] as const

/** The body of a redemption: points by organisation. */
export const selectionOf = (points: Readonly<Record<string, number>>) => ({
  selected_ngos: Object.entries(points).map(([ngoSelected, creditSelected]) => ({
    ngoSelected,
    creditSelected,
  })),
})

interface Site {
  readonly url: string
}

/** The server answered, and not what it should have. */
export class WrongAnswer extends Error {
  readonly status: number

  constructor(who: string, { status, text }: Answer) {
    super(`The ${who} answered ${status} ${text}`)
    this.status = status
  }
}

/** Opens a payment. @returns the Checkout session's id */
export async function openPayment(site: Site, purchase: object = PURCHASE): Promise<string> {
  const answer = await post(site.url + GATEWAY, purchase)
  if (answer.status !== 200) throw new WrongAnswer('gateway', answer)
  return new URL(String(answer.json().url)).pathname.slice('/c/pay/'.length)
}

/** Fills in the hosted page's form and presses its button; a card that is declined is shown the form again. */
export async function pay(
  site: Site,
  sessionId: string,
  { email = 'buyer@example.org', cardNumber = '4242 4242 4242 4242' } = {},
) {
  const path = `${site.url}/c/pay/${sessionId}`
  const page = await call(path)
  const entries = { card_number: cardNumber, expiry: '12 / 39', cvc: '123', email }
  for (const name of Object.keys(entries)) {
    if (!page.text.includes(`name="${name}"`)) throw new Error(`The payment page has no field ${name}`)
  }
  const answer = await call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(entries).toString(),
  })
  if (answer.status !== 303 && answer.status !== 200) throw new WrongAnswer('payment page', answer)
  return answer
}

/** Asks for the card of a session, as the success page does. */
export const askForCard = (site: Site, sessionId: string) =>
  post(site.url + SUCCESS, { stripe_session_id: sessionId })

/** What the success endpoint answered. @throws when it did not answer with a card */
export function readCard(answer: Answer, sessionId: string): BoughtCard {
  if (answer.status !== 200) throw new WrongAnswer('success endpoint', answer)
  const { id, key, publicKey, email } = answer.json()
  return {
    cardId: String(id),
    privateKey: String(key),
    publicKey: String(publicKey),
    email: String(email),
    sessionId,
  }
}

export async function buyCard(
  site: Site,
  paying: { readonly email?: string; readonly cardNumber?: string } = {},
): Promise<BoughtCard> {
  const sessionId = await openPayment(site)
  await pay(site, sessionId, paying)
  return readCard(await askForCard(site, sessionId), sessionId)
}

/** Several cards, a few buyers at a time. */
export async function buyCards(site: Site, count: number): Promise<BoughtCard[]> {
  const cards: BoughtCard[] = []
  let begun = 0
  const buyer = async () => {
    while (begun++ < count) cards.push(await buyCard(site))
  }
  await Promise.all([buyer(), buyer(), buyer(), buyer()])
  return cards
}
