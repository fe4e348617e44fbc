import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { json, type TabValue, tabValue } from '#screens/shared/storage/tab.ts'
import {
  CARD_SESSION_KEY,
  CHECKOUT_SESSION_KEY,
  INVITATION_PAID_BY_KEY,
  INVITATION_SESSION_KEY,
  LAST_CARD_KEY,
  LAST_INVITATION_KEY,
  type StorageKey,
} from '#wire/browser-names.ts'
import type { DonationSuccess } from '#wire/client.ts'
import type { VolunteeringSuccess } from '#wire/volunteering-client.ts'

/** What a tab keeps of the payments of one kind of gift. All of it lives as long as the tab, never longer. */
export interface KeptGift<Gift> {
  /** The gift bought last, with its keys. */
  readonly last: TabValue<Gift>
  /** The session that paid for that gift: it tells what became of the gift's mail. */
  readonly paidBy: TabValue<string>
  /** A payment's session that is not settled yet, so that a reload asks again. */
  readonly pending: TabValue<string>
}

/** Are all of these texts, as far as a stored value can tell? */
const areTexts = (...values: unknown[]): boolean => values.every(value => typeof value === 'string')

const hasDetails = ({ senderName, isConfirmationEmailSent }: Partial<DonationSuccess>): boolean =>
  (senderName === null || typeof senderName === 'string') && typeof isConfirmationEmailSent === 'boolean'

const isDonation = (value: unknown): value is DonationSuccess => {
  const gift = (value ?? {}) as Partial<DonationSuccess>
  return areTexts(gift.cardId, gift.privateKey, gift.publicKey, gift.email) && hasDetails(gift)
}

const isInvitation = (value: unknown): value is VolunteeringSuccess => {
  const gift = (value ?? {}) as Partial<VolunteeringSuccess>
  return areTexts(gift.cardId, gift.key, gift.email) && hasDetails(gift)
}

const session = (key: StorageKey): TabValue<string> =>
  tabValue<string>(key, { read: text => text || undefined, write: id => id })

/** Each kind of gift has its own place: who buys one of each in one tab finds both again. */
export const paidGifts = {
  donation: {
    last: tabValue(LAST_CARD_KEY, json(isDonation)),
    paidBy: session(CARD_SESSION_KEY),
    pending: session(CHECKOUT_SESSION_KEY),
  },
  volunteering: {
    last: tabValue(LAST_INVITATION_KEY, json(isInvitation)),
    paidBy: session(INVITATION_PAID_BY_KEY),
    pending: session(INVITATION_SESSION_KEY),
  },
} as const satisfies Readonly<Record<GiftKind, unknown>>
