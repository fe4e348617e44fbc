import { cardFile, type FoundCard, findCard } from '#server/modules/desk/card-file.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { Refusal } from './command.ts'

/** The row of the card with this id, or with an order of this id. @throws Refusal where there is none */
export async function namedCard(db: Reader, word: string): Promise<FoundCard> {
  return (isIdShaped(word) ? await findCard(db, word) : undefined) ?? refuse(word)
}

/** The file of the card with this id, or with an order of this id. @throws Refusal where there is none */
export async function namedCardFile(db: Reader, word: string) {
  return (isIdShaped(word) ? await cardFile(db, word) : undefined) ?? refuse(word)
}

function refuse(word: string): never {
  throw new Refusal(`There is no card "${word}". \`cards\` lists them.`)
}
