import type { Act } from '#domain/desk/acts.ts'
import { Problem } from '#domain/problems.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { DeskActParts } from './act-parts.ts'
import { act, type Done } from './acts.ts'
import { type CardFile, cardFile } from './card-file.ts'
import { dealWithMail } from './dealt-with.ts'
import { type FindParts, type Found, find } from './find.ts'
import type { Press } from './press-notes.ts'

/** The operator's desk: finds a gift, shows what happened to it, and puts it right. */
export interface Desk {
  /** Problem provider-unavailable. */
  find(typed: string): Promise<Found>
  /** The card of this id, or of this order. Problem card-not-found. */
  card(cardOrOrder: string): Promise<CardFile>
  /** Carries out an act, once for each press. Problems: card-not-found, act-refused, provider-unavailable. */
  act(asked: Act, press: Press): Promise<Done>
  /** Notes that a mail that was given up was dealt with, once. Problem act-refused. */
  dealWithMail(mail: string, press: Press): Promise<Pick<Done, 'isRepeated'>>
}

/** Makes the desk. Its refunds ask the payment provider; everything else asks the database alone. */
export function createDesk(parts: FindParts & DeskActParts): Desk {
  return {
    find: typed => find(parts, typed),
    async card(cardOrOrder) {
      const file = isIdShaped(cardOrOrder)
        ? await parts.db.snapshot(reader => cardFile(reader, cardOrOrder))
        : undefined
      if (file === undefined) throw new Problem('card-not-found')
      return file
    },
    act: (asked, press) => act(parts, asked, press),
    async dealWithMail(mail, { person }) {
      const isNew = await parts.db.transaction(trx =>
        dealWithMail(trx, mail, { actor: 'interface', person }, parts.clock()),
      )
      return { isRepeated: !isNew }
    },
  }
}
