import { cardPath, senderPath } from '#paths'
import { newId } from '#server/platform/db/ids.ts'
import { PURCHASE, selectionOf } from '#tests/support/product/buy.ts'
import {
  DONATION_SUCCESS_PATH,
  NEW_EVENT_PATH,
  READ_CARD_PATH,
  redeemCardPath,
  START_DONATION_PATH,
} from '#wire/api-paths.ts'
import { JSON_HEADERS, type Request } from './client.ts'

/** What visitors ask for, as requests. */

export const publishedPage = (url: string, screen = 'packages-donation'): Request => ({
  url: url + senderPath('es', screen),
})

export const cardPage = (url: string, key: string): Request => ({
  url: url + cardPath(key, 'introduction-1'),
})

export const readPath = (key: string): string =>
  READ_CARD_PATH.replace('{giftCardId}', key).replace('{flag}', 'final')

export const readCard = (url: string, key: string): Request => ({ url: url + readPath(key) })

const posted = (url: string, body: unknown): Request => ({
  url,
  method: 'POST',
  headers: JSON_HEADERS,
  body: JSON.stringify(body),
})

export const redeem = (url: string, key: string): Request =>
  posted(url + redeemCardPath(key), selectionOf({ 'ngo-msf': 20, 'ngo-cerf': 20, 'ngo-unrwa': 10 }))

export const startPayment = (url: string): Request => posted(url + START_DONATION_PATH, PURCHASE)

/** As the page asks that a buyer comes back to. */
export const askForCard = (url: string, sessionId: string): Request =>
  posted(url + DONATION_SUCCESS_PATH, { stripe_session_id: sessionId })

export const event = (url: string): Request =>
  posted(url + NEW_EVENT_PATH.replace('{eventName}', 'screen-shown'), {
    sessionId: newId(Date.now()),
    browserDateNow: Date.now(),
    browserPerformanceNow: 1_234.5,
    currentUrl: `${url}/es/intro/ngo-list`,
    metadata: {},
    isAnonymous: true,
  })
