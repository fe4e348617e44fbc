import { createHash } from 'node:crypto'
import { checkWordFrom, printedCheckWord } from '#domain/card/check-word.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'

/**
 * The check word of the card that a private key opens: letters that anybody may see. They tell nothing from which
 * the key could be computed.
 */
export function checkWordOf(privateKey: string): string {
  return checkWordFrom(createHash('sha256').update(`check word|${privateKey}`).digest())
}

/** What the database holds of a check word. Keyed, since every word could be tried against a plain digest. */
export function checkDigestOf(keys: Pick<CardKeys, 'keyedDigest'>, word: string): string {
  return keys.keyedDigest(`check word|${word}`)
}

/** The check word to print with a card; null for a card from before there were words: nobody would find it. */
export function printedWordOf(
  { check_digest: digest }: { readonly check_digest: string | null },
  privateKey: string,
): string | null {
  return digest === null ? null : printedCheckWord(checkWordOf(privateKey))
}
