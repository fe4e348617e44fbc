import { isLinkLike } from '../text/link-like.ts'

/** No name of ours is longer: they have 80 characters. */
const LONGEST = 400

/**
 * A name as a letter may say it, or null where the letter had better greet without one. Whoever claims a card or
 * subscribes types a name and somebody's address: a name such as `prize.example` would arrive there, in a letter of
 * ours, as a link that leads wherever its writer likes.
 */
export function nameInLetter(name: string | null): string | null {
  if (name === null || name.length > LONGEST) return null
  return isLinkLike(name) ? null : name
}
