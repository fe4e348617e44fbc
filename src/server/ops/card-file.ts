import {
  cardFile,
  type FoundCard,
  type FoundMany,
  findCard,
  findMany,
} from '#server/modules/desk/card-file.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { Refusal } from './command.ts'

/** The row of the card with this id, or of the first card with an order of this id. @throws Refusal where there is none */
export async function namedCard(db: Reader, word: string): Promise<FoundCard> {
  return (isIdShaped(word) ? await findCard(db, word) : undefined) ?? refuse(word)
}

/** The order of many that this names; undefined where it names one card, or nothing. */
export async function namedMany(db: Reader, word: string): Promise<FoundMany | undefined> {
  return isIdShaped(word) ? findMany(db, word) : undefined
}

/** The row of the one card that this names. @throws Refusal where there is none, or it is an order of many */
export async function namedOne(db: Reader, word: string): Promise<FoundCard> {
  const many = await namedMany(db, word)
  if (many)
    throw new Refusal(
      `Order ${word} is of ${many.cards.length} cards: say which one is meant. \`card ${word}\` lists them.`,
    )
  return namedCard(db, word)
}

/** The file of the card with this id, or with an order of this id. @throws Refusal where there is none */
export async function namedCardFile(db: Reader, word: string) {
  return (isIdShaped(word) ? await cardFile(db, word) : undefined) ?? refuse(word)
}

function refuse(word: string): never {
  throw new Refusal(`There is no card "${word}". \`cards\` lists them.`)
}
