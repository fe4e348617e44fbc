/** What mail programs make a link of: a scheme, an address, `www.`, or a dot with a word on both sides of it. */
const LINK_LIKE = /:\/\/|@|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}/iu

/** No name of ours is longer: they have 80 characters. */
const LONGEST = 400

/**
 * A name as a letter may say it, or null where the letter had better greet without one. Whoever claims a card or
 * subscribes types a name and somebody's address: a name such as `prize.example` would arrive there, in a letter of
 * ours, as a link that leads wherever its writer likes.
 */
export function nameInLetter(name: string | null): string | null {
  if (name === null || name.length > LONGEST) return null
  // Full-width dots and letters are read as plain ones by some of them.
  return LINK_LIKE.test(name.normalize('NFKC').replace(/[。｡]/gu, '.')) ? null : name
}
