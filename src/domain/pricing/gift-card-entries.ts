import { TRY_CARD_CREDIT, TRY_CARD_ID } from '../card/keys.ts'
import type { CardKind, PackageKind } from './packages.ts'

/** A card of packages-donation that sells no package. */
export interface GiftCardEntry {
  readonly id: string
  /** Locale keys. */
  readonly title: string
  readonly subtitle: string
  /** What the recipient can give away, in minor units; absent where there is no gift card. */
  readonly credit?: number
}

/** The cards beside the packages (product.md#packages). */
export const GIFT_CARD_ENTRIES = {
  free: { id: 'giftcard-free', title: 'card-free-title', subtitle: 'card-free-subtitle', credit: 500 },
  try: { id: TRY_CARD_ID, title: 'card-try-title', subtitle: 'card-try-subtitle', credit: TRY_CARD_CREDIT },
  'help-us': { id: 'help-us', title: 'card-help-us-title', subtitle: 'card-help-us-subtitle' },
  volunteering: {
    id: 'volunteering',
    title: 'card-volunteering-title',
    subtitle: 'card-volunteering-subtitle',
  },
} as const satisfies Record<Exclude<CardKind, PackageKind>, GiftCardEntry>
