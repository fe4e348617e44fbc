import { type GiftKind, isGiftKind } from '#domain/sender/gift-kinds.ts'
import { oneOf } from '#screens/shared/storage/persisted.ts'
import { GIFT_KIND_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

/** What kind of gift the visitor chose to give, once chosen. */
export const $giftKind = choice<GiftKind | undefined>(GIFT_KIND_KEY, undefined, oneOf(isGiftKind))
