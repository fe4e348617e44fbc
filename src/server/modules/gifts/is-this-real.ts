import { readCheckWord, standingOf } from '#domain/card/check-word.ts'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Database } from '#server/platform/db/database.ts'
import { checkDigestOf } from './check-words.ts'
import type { CheckedGift, CheckWords } from './interface.ts'
import { cardOfCheckDigest } from './stored-cards.ts'

/** Answers whoever asks whether a gift is real (product.md#is-this-real). */
export function createCheckWords(tools: { readonly db: Database; readonly keys: CardKeys }): CheckWords {
  return { look: written => look(tools, written) }
}

/** The same work whether there is such a gift or not, and whether the text could be a word at all. */
async function look(
  { db, keys }: { readonly db: Database; readonly keys: CardKeys },
  written: string,
): Promise<CheckedGift> {
  const word = readCheckWord(written)
  const digest = checkDigestOf(keys, word ?? written)
  const [found] = await db.read(async reader => {
    const cards = []
    for (const kind of ALL_GIFT_KINDS) cards.push(...(await cardOfCheckDigest(reader, kind, digest)))
    return cards
  })
  if (word === undefined || found === undefined) throw new Problem('card-not-found')
  return { kind: found.kind, madeAt: found.createdAt, standing: standingOf(found.status) }
}
