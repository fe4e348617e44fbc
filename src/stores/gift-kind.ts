import { type GiftKind, isGiftKind } from '#domain/sender/gift-kinds.ts'
import { choice } from './choice.ts'
import { oneOf } from './persisted.ts'

/** What kind of gift the visitor chose to give, once chosen. */
export const $giftKind = choice<GiftKind | undefined>('gift:kind', undefined, oneOf(isGiftKind))
