import { randomUUID } from 'node:crypto'
import { manyPath } from '#paths'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'
import type { Site } from './server.ts'
import type { Language } from './words.ts'

export interface Order {
  readonly theme?: string
  /** Anonymous without one. */
  readonly sender?: string
  /** What the giver writes. */
  readonly message?: string
  readonly language?: Language
  readonly packageId?: string
  /** Minor units. */
  readonly ngoAmount?: number
  readonly supportAmount?: number
  readonly currency?: string
  readonly email?: string
  /** Card or account number; without one a card that pays at once. */
  readonly payWith?: string
}

export interface BoughtCard {
  readonly privateKey: string
  readonly publicKey: string
  readonly email: string
  /** The Checkout session that paid for it. */
  readonly sessionId: string
}

/** An invitation to volunteer. */
export interface BoughtInvitation {
  readonly key: string
  readonly email: string
  readonly sessionId: string
}

/** An address that no other test writes to. */
export const newAddress = (): string => `buyer-${randomUUID()}@example.org`

/** The path of a recipient's screen, as links write it. */
export function giftPath(key: string, screen = 'introduction', mode: 'preview' | 'final' = 'final'): string {
  return `/gift-card/${key}/${screen}/${mode}`
}

/** Sends JSON as a program would: no Origin, no cookies. */
export async function postJson(site: Pick<Site, 'url'>, path: string, body: unknown): Promise<Response> {
  return fetch(site.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Opens a payment for an order (50 € of water unless it says otherwise). @returns the hosted page */
export async function openThroughApi(
  site: Site,
  order: Order = {},
): Promise<{ url: string; sessionId: string }> {
  const started = await postJson(
    site,
    `/api/ajuda/pagaments-donatius/gateway?lang=${order.language ?? 'es'}`,
    {
      giftcard_theme: order.theme ?? 'palestine',
      nom_producte: order.packageId ?? 'their water',
      sender_name: order.sender ?? 'FROM_ANONYMOUS',
      amount: order.ngoAmount ?? 5_000,
      support_amount_cents: order.supportAmount ?? 0,
      currency: order.currency ?? 'EUR',
      message: order.message,
      ...SEED_TERMS,
    },
  )
  const { url } = (await started.json()) as { url: string }
  return { url, sessionId: url.slice(url.lastIndexOf('/') + 1) }
}

/** Opens a payment and pays it on the hosted page. */
export async function payThroughApi(site: Site, order: Order = {}): Promise<Paid> {
  const { url } = await openThroughApi(site, order)
  return payOn(site, url, order)
}

interface Paid {
  readonly sessionId: string
  readonly email: string
}

export async function payOn(site: Pick<Site, 'url'>, url: string, order: Order): Promise<Paid> {
  const { email = newAddress(), payWith: card_number = '4242424242424242' } = order
  const paid = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, card_number, expiry: '12/40', cvc: '123' }),
  })
  const back = new URL(paid.headers.get('Location') ?? '', site.url)
  return { sessionId: back.searchParams.get('session_id') ?? '', email }
}

/** Buys a card without a browser, for tests whose subject is what comes after. */
export async function buyThroughApi(site: Site, order: Order = {}): Promise<BoughtCard> {
  const { sessionId, email } = await payThroughApi(site, order)
  const settled = await postJson(site, '/api/ajuda/pagaments-donatius/success', {
    stripe_session_id: sessionId,
    lang: order.language ?? 'es',
  })
  const { key, publicKey } = (await settled.json()) as { key: string; publicKey: string }
  return { privateKey: key, publicKey, email, sessionId }
}

/** What an invitation is bought with, unless a test says otherwise. Its price is the table's. */
export type InvitationOrder = Pick<
  Order,
  'theme' | 'sender' | 'message' | 'language' | 'email' | 'payWith'
> & {
  readonly mission?: string
}

/** Opens a payment for an invitation to volunteer and pays it on the hosted page. */
export async function payInvitationThroughApi(site: Site, order: InvitationOrder = {}): Promise<Paid> {
  const language = order.language ?? 'es'
  const started = await postJson(site, `/api/ajuda/pagaments-voluntariat/gateway?lang=${language}`, {
    giftcard_theme: order.theme ?? 'palestine',
    giftcard_mission: order.mission ?? 'mission-medical',
    sender_name: order.sender ?? 'Íñigo',
    message: order.message,
    nom_producte: 'inauguration package',
    amount: 10_000,
    support_amount_cents: 0,
    currency: 'EUR',
    ...SEED_TERMS,
  })
  const { url } = (await started.json()) as { url: string }
  return payOn(site, url, order)
}

/** Buys an invitation to volunteer without a browser. */
export async function inviteThroughApi(site: Site, order: InvitationOrder = {}): Promise<BoughtInvitation> {
  const { sessionId, email } = await payInvitationThroughApi(site, order)
  const settled = await postJson(site, '/api/ajuda/pagaments-voluntariat/success', {
    stripe_session_id: sessionId,
    lang: order.language ?? 'es',
  })
  const { key } = (await settled.json()) as { key: string }
  return { key, email, sessionId }
}

/** The provider's page that a page leads to. */
export const paymentIn = (html: string): string =>
  /http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** The form by which many cards of 25 € are bought, with what is said at the payment. */
export async function manyForm(
  site: Pick<Site, 'url'>,
  list: string,
  language: Language,
  said: Readonly<Record<string, string>>,
): Promise<Response> {
  const body = new FormData()
  const written = {
    ...{ currency: 'EUR', amount: '25', support: '10' },
    ...{ sender: 'Maximiliane & Co.', message: 'Felices fiestas' },
    ...{ list, attempt: randomUUID(), terms: SEED_TERMS.terms_version, consent: 'yes' },
    ...said,
  }
  for (const [name, value] of Object.entries(written)) body.append(name, value)
  return fetch(`${site.url}/many-cards?lang=${language}`, { method: 'POST', redirect: 'manual', body })
}

/** Whom the invoices of tests are made out to, as the form calls it. */
export const INVOICE_TO = {
  'invoice-name': 'Escola del Mar, SCCL',
  'invoice-document': 'F-08123456',
  'invoice-address': 'Carrer de Mar 3, 08003 Barcelona',
} as const

/** What an order of many may be told apart by. */
type ManyOrder = Pick<Order, 'language' | 'email' | 'theme'>

/** Orders cards of 25 € by invoice. @returns the path of the invoice's page, without a language */
export async function invoiceThroughApi(
  site: Pick<Site, 'url'>,
  list: string,
  { language = 'es', email = newAddress(), theme }: ManyOrder = {},
): Promise<string> {
  const asked = { step: 'invoice', ...INVOICE_TO, 'invoice-email': email, ...(theme && { theme }) }
  const made = await manyForm(site, list, language, asked)
  return new URL(made.headers.get('Location') ?? '', site.url).pathname
}

/**
 * Buys cards of 25 € in one order, by the form that needs no scripts.
 * @param list a line for each: a name, and a text where there is one
 * @returns the path of the order's page, without a language
 */
export async function buyManyThroughApi(
  site: Pick<Site, 'url'>,
  list: string,
  { language = 'es', email = newAddress(), theme }: ManyOrder = {},
): Promise<string> {
  const opened = await manyForm(site, list, language, { step: 'pay', ...(theme && { theme }) })
  const { sessionId } = await payOn(site, paymentIn(await opened.text()), { email })
  const settled = await postJson(site, '/api/ajuda/pagaments-donatius/success', {
    stripe_session_id: sessionId,
    lang: language,
  })
  const { order_id, many_key } = (await settled.json()) as { order_id: string; many_key: string }
  return manyPath(order_id, many_key)
}

export type Points = Readonly<Record<string, number>>

/** Gives a card's credit away without a browser. */
export async function redeemThroughApi(site: Site, key: string, points: Points): Promise<Response> {
  const selected_ngos = Object.entries(points).map(([ngoSelected, creditSelected]) => ({
    ngoSelected,
    creditSelected,
  }))
  return postJson(site, `/api/ajuda/giftcard/${key}`, { selected_ngos })
}

/** What a key shows of its card. */
export async function readCard(
  site: Site,
  key: string,
  flag = 'final',
): Promise<{ status: number; giftcard?: { consumed: boolean; credit: string; theme: string } }> {
  const answer = await fetch(`${site.url}/api/ajuda/giftcard/${key}/${flag}`)
  return { ...((await answer.json()) as object), status: answer.status }
}
