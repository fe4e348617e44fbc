import { type PartnerAct, type PartnerRefusal, readPartner } from '#domain/partner/partner.ts'
import { Problem } from '#domain/problems.ts'
import {
  addPartner,
  type NewPartner,
  PartnerRefused,
  revokePartner,
} from '#server/modules/partners/partner-acts.ts'
import { listPartners, type PartnerShown, type PartnersParts } from '#server/modules/partners/partners.ts'
import { isNoted, noteOf, type Press, writeNote } from './press-notes.ts'

/** What became of an act about partners. The same press again makes no other key, and shows none. */
export interface PartnerActDone {
  readonly isRepeated: boolean
  readonly made?: NewPartner
}

/** The partners, as a treasurer gives and takes their keys. `ops partner` is the same on the machine. */
export interface PartnerDesk {
  list(): Promise<readonly PartnerShown[]>
  /** Carries out an act, once for each press. Problem act-refused (PartnerRefusal). */
  act(asked: PartnerAct, press: Press): Promise<PartnerActDone>
}

/** Makes the desk of partners. @param onRevoked a key was revoked */
export function createPartnerDesk(
  { db, clock, mac }: PartnersParts,
  onRevoked: () => void = () => undefined,
): PartnerDesk {
  return {
    list: () => db.snapshot(listPartners),
    async act(asked, press) {
      const typed = asked.act === 'add' ? readPartner(asked) : undefined
      if (typed && 'refusal' in typed) return refuse(typed.refusal)
      // A new partner's id is not known beforehand: the note is of whoever asked.
      const subject = asked.act === 'add' ? (press.person ?? 'machine') : asked.partner
      const note = noteOf(press, `partner ${asked.act}`, subject)
      if (await isNoted(db, note)) return { isRepeated: true }
      try {
        const done = await db.transaction(async trx => {
          const now = clock()
          if (!(await writeNote(trx, note, now))) return { isRepeated: true }
          if (typed) return { isRepeated: false, made: await addPartner(trx, typed, { mac, now }) }
          await revokePartner(trx, subject, now)
          return { isRepeated: false }
        })
        if (asked.act === 'revoke') onRevoked()
        return done
      } catch (error) {
        if (error instanceof PartnerRefused) return refuse(error.rule)
        throw error
      }
    },
  }
}

const refuse = (rule: PartnerRefusal): never => {
  throw new Problem('act-refused', { fields: [{ path: 'act', rule }] })
}
