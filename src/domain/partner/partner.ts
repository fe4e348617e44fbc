import { isMailAddress } from '../mail/address.ts'
import { isAwaited, isSold, type OrderState } from '../payment/order-states.ts'

/** What a partner's key may be used for. The database's CHECK says the same. */
export const PARTNER_SCOPES = ['orders:create', 'orders:read'] as const

export type PartnerScope = (typeof PARTNER_SCOPES)[number]

/** The scopes in a text, in the order of the table: `orders:create orders:read`; undefined where a word is none, or none is there. */
export function readScopes(text: string): readonly PartnerScope[] | undefined {
  const words = text.split(/[\s,]+/).filter(word => word !== '')
  if (words.length === 0 || words.some(word => !(PARTNER_SCOPES as readonly string[]).includes(word)))
    return undefined
  return PARTNER_SCOPES.filter(scope => words.includes(scope))
}

/** What a treasurer does about partners. */
export type PartnerAct =
  | {
      readonly act: 'add'
      readonly name: string
      readonly contact: string
      readonly scopes: string
    }
  /** The key opens nothing any more. */
  | { readonly act: 'revoke'; readonly partner: string }

/** Why an act about partners was refused, besides what a passkey is refused for. */
export type PartnerRefusal =
  | 'name'
  | 'not-an-address'
  | 'scopes'
  | 'no-such-partner'
  /** The key of another press. */
  | 'other-press'

/** A partner as somebody typed it, checked: one line of at most sixty characters, an address, scopes; else why not. */
export function readPartner(typed: {
  readonly name: string
  readonly contact: string
  readonly scopes: string
}):
  | { readonly name: string; readonly contact: string; readonly scopes: readonly PartnerScope[] }
  | { readonly refusal: PartnerRefusal } {
  const name = typed.name.trim().replace(/\s+/g, ' ')
  if (name === '' || name.length > 60 || /\p{C}/u.test(name)) return { refusal: 'name' }
  const contact = typed.contact.trim()
  if (!isMailAddress(contact)) return { refusal: 'not-an-address' }
  const scopes = readScopes(typed.scopes)
  return scopes ? { name, contact, scopes } : { refusal: 'scopes' }
}

/** Whoever finds a key in a file or a log sees what it is, and whether money hangs on it; 256 bits in base64url follow. */
export const partnerKeyMark = (sandbox: boolean): string => (sandbox ? 'sandbox_' : 'partner_')

/** What this text could be the key of; undefined where it is no partner's. Says nothing of whether it opens anything. */
export function kindOfPartnerKey(text: string): 'sandbox' | 'real-site' | undefined {
  const [, mark] = /^(partner|sandbox)_[\w-]{43}$/.exec(text) ?? []
  if (mark === undefined) return undefined
  return mark === 'sandbox' ? 'sandbox' : 'real-site'
}

/** The most characters of a partner's own reference. */
export const LONGEST_REFERENCE = 64

/** A partner's reference of an order: one line of at most 64 characters, without control characters; undefined where it is none. */
export function readReference(text: string): string | undefined {
  return text.length > 0 && text.length <= LONGEST_REFERENCE && !/\p{C}/u.test(text) ? text : undefined
}

/** What a partner is told of an order, and no more: `expired` stands for everything of which nothing came. */
export const PARTNER_ORDER_STATES = ['open', 'paid', 'expired', 'refunded'] as const

export type PartnerOrderState = (typeof PARTNER_ORDER_STATES)[number]

/**
 * An order's state as its partner sees it. A payment of which a part was given back is still paid.
 * @param returned what the buyer has back, by refunds or disputes; like `total`, minor units
 */
export function partnerOrderState(
  { status, total }: { readonly status: OrderState; readonly total: number },
  returned: number,
): PartnerOrderState {
  if (isSold(status)) return returned >= total ? 'refunded' : 'paid'
  return isAwaited(status) ? 'open' : 'expired'
}
