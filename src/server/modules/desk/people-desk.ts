import { type PeopleAct, type PeopleRefusal, readPersonName } from '#domain/desk/roles.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { Problem } from '#domain/problems.ts'
import { listPeople, type PeopleParts, type PersonShown } from '#server/modules/operator/people.ts'
import {
  endPerson,
  type Invitation,
  invite,
  inviteAgain,
  type Making,
  PeopleRefused,
} from '#server/modules/operator/people-acts.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { isNoted, noteOf, type Press, writeNote } from './press-notes.ts'

/** What became of an act about people. The same press again makes no other code, and shows none. */
export interface PeopleActDone {
  readonly isRepeated: boolean
  readonly invitation?: Invitation
}

/** The people at the desk, as a treasurer lets them in and out. `ops people` is the same on the machine. */
export interface PeopleDesk {
  list(): Promise<readonly PersonShown[]>
  /** Carries out an act, once for each press. Problem act-refused (PeopleRefusal). */
  act(asked: PeopleAct, press: Press): Promise<PeopleActDone>
}

/**
 * Makes the desk of people. Its acts are those of `ops people`, without the wait of a day.
 * @param onRevoked somebody was ended
 */
export function createPeopleDesk(
  { db, clock, mac }: PeopleParts,
  onRevoked: () => void = () => undefined,
): PeopleDesk {
  return {
    list: () => db.snapshot(listPeople),
    async act(asked, press) {
      const checked = check(asked)
      // A new person's id is not known beforehand: the note is of whoever asked.
      const subject = checked.act === 'invite' ? (press.person ?? 'machine') : checked.person
      const note = noteOf(press, `people ${checked.act}`, subject)
      if (await isNoted(db, note)) return { isRepeated: true }
      try {
        const done = await db.transaction(async trx => {
          if (!(await writeNote(trx, note, clock()))) return { isRepeated: true }
          const invitation = await carryOut(trx, checked, { door: 'desk', now: clock(), mac })
          return { isRepeated: false, ...(invitation && { invitation }) }
        })
        if (checked.act === 'end') onRevoked()
        return done
      } catch (error) {
        if (error instanceof PeopleRefused) return refuse(error.rule)
        throw error
      }
    },
  }
}

function carryOut(trx: Writer, asked: PeopleAct, making: Making): Promise<Invitation | undefined> {
  switch (asked.act) {
    case 'invite':
      return invite(trx, asked, making)
    case 'add-passkey':
      return inviteAgain(trx, asked.person, making)
    case 'end':
      return endPerson(trx, asked.person, making.door, making.now).then(() => undefined)
  }
}

/** Problem act-refused. */
function check(asked: PeopleAct): PeopleAct {
  if (asked.act !== 'invite') return asked
  const name = readPersonName(asked.name) ?? refuse('name')
  const email = asked.email.trim()
  return isMailAddress(email) ? { ...asked, name, email } : refuse('not-an-address')
}

const refuse = (rule: PeopleRefusal): never => {
  throw new Problem('act-refused', { fields: [{ path: 'act', rule }] })
}
