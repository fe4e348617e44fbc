import { type GiftKind, isGiftKind } from '#domain/sender/gift-kinds.ts'
import { oneOf, persisted } from './persisted.ts'

/** What kind of gift the visitor chose to give, once chosen. */
export const $giftKind = persisted<GiftKind | undefined>('gift:kind', undefined, oneOf(isGiftKind))
