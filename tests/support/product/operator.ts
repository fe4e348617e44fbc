import { once } from 'node:events'
import { WebSocket } from 'ws'
import { keyFor, signed } from '#server/modules/operator/signed.ts'
import { type Answer, call } from './call.ts'
import type { Product } from './product.ts'

export const TOKEN = 'a token that only the operator knows'
export const CARD_KEY_SECRET = 'a secret that all servers of a test have'

/** Sends the login form, as its page does. */
export function logIn(
  product: Pick<Product, 'url'>,
  token: string,
  { origin = product.url, query = '' }: { origin?: string; query?: string } = {},
): Promise<Answer> {
  return call(`${product.url}/studio-login${query}`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  })
}

/** The session of a login, as a browser sends it back: `operator=…`. */
export function sessionOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
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
