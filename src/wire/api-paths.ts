/** The paths of product.md#calls, to the letter. Plain strings: the browser reads them without the schemas. */
export const START_DONATION_PATH = '/api/ajuda/pagaments-donatius/gateway'
export const DONATION_SUCCESS_PATH = '/api/ajuda/pagaments-donatius/success'
export const SEND_CONFIRMATION_PATH = '/api/ajuda/pagaments-donatius/success/send-email'
export const CLAIM_FREE_CARD_PATH = '/api/ajuda/free-giftcard-donatius/get'
export const RETRIEVE_FREE_CARD_PATH = '/api/ajuda/free-giftcard-donatius/retrieve'
export const SEND_FREE_CONFIRMATION_PATH = '/api/ajuda/free-giftcard-donatius/success/send-email'
export const NEW_SESSION_PATH = '/api/analytics/general/new-session'
export const NEW_EVENT_PATH = '/api/analytics/general/new-event/{eventName}'
export const FORGET_PATH = '/api/analytics/general/forget'
export const SUBSCRIBE_PATH = '/api/ajuda/newsletter/subscribe'
export const CONFIRM_NEWSLETTER_PATH = '/api/ajuda/newsletter/confirm'
export const UNSUBSCRIBE_PATH = '/api/newsletter/unsubscribe'
export const READ_CARD_PATH = '/api/ajuda/giftcard/{giftCardId}/{flag}'
export const REDEEM_CARD_PATH = '/api/ajuda/giftcard/{giftCardId}'
export const READ_RECEIPT_PATH = '/api/ajuda/giftcard-receipt'
export const ANSWER_GIFT_PATH = '/api/ajuda/giftcard-answer'

export const START_VOLUNTEERING_PATH = '/api/ajuda/pagaments-voluntariat/gateway'
export const VOLUNTEERING_SUCCESS_PATH = '/api/ajuda/pagaments-voluntariat/success'
export const SEND_INVITATION_PATH = '/api/ajuda/pagaments-voluntariat/success/send-email'
export const READ_VOLUNTEERING_CARD_PATH = '/api/ajuda/giftcard-volunteering/{giftCardId}'
export const ANSWER_INVITATION_PATH = '/api/ajuda/giftcard-volunteering/{giftCardId}/answer'
export const CALENDAR_PATH = '/api/ajuda/giftcard-volunteering/{giftCardId}/calendar'
export const READ_PHOTO_BOOK_PATH = '/api/ajuda/giftcard-volunteering/{giftCardId}/photo-book'

/** Where the page behind a gift's link trades the key. */
export const OPEN_GIFT_PATH = '/api/gift-card/open'

/** Where the invitation of this key is answered. */
export function answerInvitationPath(key: string): string {
  return ANSWER_INVITATION_PATH.replace('{giftCardId}', encodeURIComponent(key))
}

/** Where the holder of this key asks how far the photo-book is. */
export function readPhotoBookPath(key: string): string {
  return READ_PHOTO_BOOK_PATH.replace('{giftCardId}', encodeURIComponent(key))
}

/** Where the holder of this key fetches the day as a calendar file. */
export function calendarPath(key: string): string {
  return CALENDAR_PATH.replace('{giftCardId}', encodeURIComponent(key))
}

/** Where the card of this key is split. */
export function redeemCardPath(key: string): string {
  return REDEEM_CARD_PATH.replace('{giftCardId}', encodeURIComponent(key))
}
