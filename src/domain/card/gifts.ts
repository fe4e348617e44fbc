import type { MailKind } from '../mail/mail-jobs.ts'
import type { GiftKind } from '../sender/gift-kinds.ts'

interface GiftFacts {
  /** The account of the books on which its price stands: owed to organisations, or the product's own. */
  readonly account: 'cards' | 'volunteering'
  /** Do the books name its card? They do where money is on it; else they name the order alone. */
  readonly isNamedInBooks: boolean
  /** The mail that tells its buyer of it: its kind, and by what its first and its further ones are told apart. */
  readonly confirmation: { readonly mail: MailKind; readonly first: string; readonly again: string }
}

/** In what the gifts of each kind differ once they are bought. A free card is a donation that a campaign paid for. */
export const GIFTS = {
  donation: {
    account: 'cards',
    isNamedInBooks: true,
    confirmation: { mail: 'confirmation', first: 'giftcard', again: 'giftcard-again' },
  },
  volunteering: {
    account: 'volunteering',
    isNamedInBooks: false,
    confirmation: { mail: 'volunteering-confirmation', first: 'volunteering', again: 'volunteering-again' },
  },
} as const satisfies Record<GiftKind, GiftFacts>

/** Every kind of gift, as a list. */
export const ALL_GIFT_KINDS = Object.keys(GIFTS) as readonly GiftKind[]
