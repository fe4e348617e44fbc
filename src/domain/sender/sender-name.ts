import { cleanLine } from '../text/clean-line.ts'

/** Who a card is from. An own name is never empty and is already cleaned. */
export type Sender = { readonly kind: 'anonymous' } | { readonly kind: 'own'; readonly name: string }

/** The longest sender name, in code points (product.md#senders-flow). */
export const SENDER_NAME_LENGTH = 80

/**
 * Makes one clean line of what was typed (see `cleanLine`), of at most 80 characters. Gives '' when nothing visible
 * is left.
 */
export function cleanSenderName(text: string): string {
  return cleanLine(text, SENDER_NAME_LENGTH)
}

/** Characters of a typed name that are looked at: more are too many in any case. */
const READ_LENGTH = 5 * SENDER_NAME_LENGTH

/**
 * Is this name, once it is one clean line, longer than 80 characters? Whoever sends it is told, since a name that was cut is
 * not the giver's.
 */
export function isSenderNameTooLong(text: string): boolean {
  return [...cleanLine(text, READ_LENGTH)].length > SENDER_NAME_LENGTH
}

/**
 * The sender that a visitor's choice makes, or undefined while it is not complete: nothing chosen, or an own
 * name without a visible character (product.md#senders-flow).
 */
export function readSender(
  kind: Sender['kind'] | undefined,
  name: string | null | undefined,
): Sender | undefined {
  if (kind === 'anonymous') return { kind }
  const cleaned = cleanSenderName(name ?? '')
  return kind === 'own' && cleaned !== '' ? { kind, name: cleaned } : undefined
}
