import type { DonationSuccess } from '#wire/client.ts'
import { json, tabValue } from './tab.ts'

const isGift = (value: unknown): value is DonationSuccess => {
  if (typeof value !== 'object' || value === null) return false
  const { cardId, privateKey, publicKey, email, senderName, isConfirmationEmailSent } =
    value as Partial<DonationSuccess>
  return (
    [cardId, privateKey, publicKey, email].every(text => typeof text === 'string') &&
    (senderName === null || typeof senderName === 'string') &&
    typeof isConfirmationEmailSent === 'boolean'
  )
}

/** The gift bought last, with its keys: kept for this tab only (decisions §7), never in lasting storage. */
export const lastGift = tabValue('gift:last-card', json(isGift))

/** The session that paid for that gift: it tells what became of the gift's mail. */
export const giftSession = tabValue<string>('gift:card-session', {
  read: text => text || undefined,
  write: id => id,
})

/** A payment's session that is not settled yet, so that a reload asks again. */
export const pendingSession = tabValue<string>('gift:checkout-session', {
  read: text => text || undefined,
  write: id => id,
})
