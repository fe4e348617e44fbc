import { once } from 'node:events'
import { WebSocket } from 'ws'
import { keyFor, signed } from '#server/modules/operator/signed.ts'
import { type Authenticator, anAuthenticator } from '#tests/support/passkeys/authenticator.ts'
import { type Answer, call, post } from './call.ts'
import type { Product } from './product.ts'

export const TOKEN = 'a token that only the operator knows'
export const CARD_KEY_SECRET = 'a secret that all servers of a test have'

/** Sends the login form, as its page does. */
export function logIn(
  product: Pick<Product, 'url'>,
  token: string,
  options: { origin?: string; query?: string } = {},
): Promise<Answer> {
  return sendLogin(product, { token }, options)
}

/** Sends the login's form with these fields. */
export function sendLogin(
  product: Pick<Product, 'url'>,
  fields: Readonly<Record<string, string>>,
  { origin = product.url, query = '' }: { origin?: string; query?: string } = {},
): Promise<Answer> {
  return call(`${product.url}/studio-login${query}`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
}

/** The session of a login, as a browser sends it back: `operator=…`. */
export function sessionOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

/** Somebody with a passkey. */
export interface Treasurer {
  /** `operator=…` */
  readonly session: string
  readonly passkey: Authenticator
  /** The passkey's answer for this press. */
  confirm(press: string): Promise<string>
}

/** What a passkey is asked: the options of WebAuthn, or null. */
export async function challengeOf(
  product: Pick<Product, 'url'>,
  asked: object,
  session = '',
): Promise<Readonly<Record<string, unknown>> | null> {
  const headers = { Cookie: session, Origin: product.url }
  const answer = await post(`${product.url}/api/operator/passkey-challenge`, asked, headers)
  return JSON.parse(answer.text).options
}

/** Passkeys are of the site's own name, which is `localhost` where none is set. */
export const aKeyFor = ({ url }: Pick<Product, 'url'>): Authenticator =>
  anAuthenticator(`http://localhost:${new URL(url).port}`)

/** Makes the first passkey with the token, as the login's page does. */
export async function enrolFirst(product: Pick<Product, 'url'>, name = 'Ana'): Promise<Treasurer> {
  const passkey = aKeyFor(product)
  const options = await challengeOf(product, { for: 'first', token: TOKEN, name })
  const session = sessionOf(await sendLogin(product, { token: TOKEN, name, answer: passkey.create(options) }))
  const confirm = async (press: string) =>
    passkey.get(await challengeOf(product, { for: 'press', press }, session))
  return { session, passkey, confirm }
}

/** A session that this server would have given, ending at some other time. */
export function sessionUntil(expiresAt: number, token = TOKEN, secret = CARD_KEY_SECRET): string {
  return `operator=${signed(keyFor(secret, `operator session ${token}`), `some-session.${expiresAt}`)}`
}

/** What a socket's opening is answered with: 101 when it opens. */
export async function openSocket(
  product: Pick<Product, 'port'>,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(`ws://127.0.0.1:${product.port}${path}`, { headers })
  const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => Number(statusCode))
  const opened = once(socket, 'open').then(() => 101)
  for (const each of [refused, opened]) each.catch(() => {})
  socket.on('error', () => {})
  return { status: await Promise.race([refused, opened]), socket }
}
