/** Text that mail programs turn into a link: a scheme, an address, `www.`, or a dot between two words. */
const LINK_LIKE = /:\/\/|@|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}/iu

/** Would some mail program make a link of a part of this text? Full-width dots and letters are read as plain ones. */
export function isLinkLike(text: string): boolean {
  return LINK_LIKE.test(plainly(text))
}

/** A text as those read it who look for addresses in it: full-width letters, digits and dots are plain ones. */
export function plainly(text: string): string {
  return text.normalize('NFKC').replace(/[。｡．]/gu, '.')
}
