import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROVIDER_EVENTS_PATH } from '#paths'
import { type Answer, call } from './call.ts'

/** The secret that a server without a payment account has made for its double. */
export const webhookSecretOf = (dataDir: string): string =>
  `whsec_${readFileSync(join(dataDir, 'local', 'webhook-secret'), 'utf8').trim()}`

let eventNumber = 0

/** An event about a Checkout session, as the provider would word it; each with an id of its own. */
export const sessionEvent = (type: string, sessionId: string): string =>
  JSON.stringify({
    id: `evt_test_${++eventNumber}`,
    object: 'event',
    type,
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: sessionId, object: 'checkout.session' } },
  })

/** The signature header of a body at an epoch second. */
export function signed(body: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

/** Delivers a body to the product's webhook with any signature at all. */
export function deliver(
  site: { url: string },
  body: string,
  signature: string,
  chunked = false,
): Promise<Answer> {
  return call(site.url + PROVIDER_EVENTS_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
    body,
    chunked,
  })
}
