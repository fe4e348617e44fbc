import { randomBytes } from 'node:crypto'
import {
  INVITATION_MS,
  invitationCode,
  type PeopleRefusal,
  RECOVERY_MS,
  RECOVERY_WAIT_MS,
  type Role,
  readInvitationCode,
} from '#domain/desk/roles.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import { digestOf, NO_INVITATION, personRow } from './people.ts'

/** An act about people that cannot be done. The message is for the terminal. */
export class PeopleRefused extends Error {
  readonly rule: PeopleRefusal
  constructor(rule: PeopleRefusal, message: string) {
    super(message)
    this.rule = rule
  }
}

/** An invitation as it was just made: its code is shown once, and kept nowhere. Times are epoch ms UTC. */
export interface Invitation {
  readonly person: string
  readonly code: string
  readonly from: number
  readonly until: number
}

/** Where an invitation is made: at the desk it counts at once; on the machine everybody is written to first. */
export type Door = 'desk' | 'machine'

const TIMES: Readonly<Record<Door, { readonly wait: number; readonly lasts: number }>> = {
  desk: { wait: 0, lasts: INVITATION_MS },
  machine: { wait: RECOVERY_WAIT_MS, lasts: RECOVERY_MS },
}

/** Lets somebody new in. @param email where they hear of invitations made on the machine */
export async function invite(
  trx: Writer,
  asked: { readonly name: string; readonly role: Role; readonly email: string },
  door: Door,
  now: number,
): Promise<Invitation> {
  const id = newId(now)
  const { name, role, email } = asked
  await trx
    .insertInto('people')
    .values({ ...personRow({ id, name, role }, now), email })
    .execute()
  return newInvitation(trx, id, door, now)
}

/** A further passkey for somebody. An earlier invitation of theirs ends. @throws PeopleRefused */
export async function inviteAgain(trx: Writer, id: string, door: Door, now: number): Promise<Invitation> {
  await checkStanding(trx, id)
  return newInvitation(trx, id, door, now)
}

/** None of their passkeys opens anything from now on. @throws PeopleRefused */
export async function endPerson(trx: Writer, id: string, door: Door, now: number): Promise<void> {
  await checkStanding(trx, id)
  await trx
    .updateTable('people')
    .set({ ...NO_INVITATION, email: null, ended_at: now })
    .where('id', '=', id)
    .execute()
  if (door === 'machine') return
  const others = await trx
    .selectFrom('people')
    .innerJoin('passkeys', 'passkeys.person_id', 'people.id')
    .select('people.id')
    .where('role', '=', 'treasurer')
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (others === undefined) throw new PeopleRefused('last-treasurer', 'Nobody would be left to move money.')
}

async function checkStanding(trx: Writer, id: string): Promise<void> {
  const row = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined)
    throw new PeopleRefused('no-such-person', `Nobody at the desk is "${id}". \`people\` lists them.`)
}

async function newInvitation(trx: Writer, id: string, door: Door, now: number): Promise<Invitation> {
  const code = invitationCode(randomBytes(20))
  const { wait, lasts } = TIMES[door]
  const [from, until] = [now + wait, now + wait + lasts]
  await trx
    .updateTable('people')
    .set({
      invitation_digest: digestOf(readInvitationCode(code) ?? ''),
      invitation_from: from,
      invitation_until: until,
    })
    .where('id', '=', id)
    .execute()
  return { person: id, code, from, until }
}
