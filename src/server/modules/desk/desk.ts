import { Problem } from '#domain/problems.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { type CardFile, cardFile } from './card-file.ts'
import { type FindParts, type Found, find } from './find.ts'

/** The operator's desk: finds a gift and shows what happened to it. */
export interface Desk {
  /** Problem provider-unavailable. */
  find(typed: string): Promise<Found>
  /** The card of this id, or of this order. Problem card-not-found. */
  card(cardOrOrder: string): Promise<CardFile>
}

/** Makes the desk: it finds gifts and tells their stories, and changes nothing. */
export function createDesk(parts: FindParts): Desk {
  return {
    find: typed => find(parts, typed),
    async card(cardOrOrder) {
      const file = isIdShaped(cardOrOrder)
        ? await parts.db.snapshot(reader => cardFile(reader, cardOrOrder))
        : undefined
      if (file === undefined) throw new Problem('card-not-found')
      return file
    },
  }
}
