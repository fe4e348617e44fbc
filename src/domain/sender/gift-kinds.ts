/** What a buyer can give, and the first screen of its own way (product.md#senders-flow). */
export const GIFT_KINDS = {
  donation: { next: 'gift-card-design-donation' },
  volunteering: { next: 'gift-card-design-volunteering' },
} as const

export type GiftKind = keyof typeof GIFT_KINDS

/** Is this a kind of gift that a buyer can choose? */
export function isGiftKind(value: unknown): value is GiftKind {
  return typeof value === 'string' && Object.hasOwn(GIFT_KINDS, value)
}
