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
import type { Mac } from '#server/platform/mac.ts'
import { invitationSeal, NO_INVITATION, personRow } from './people.ts'

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

/** How an invitation is made. */
export interface Making {
  readonly door: Door
  /** Epoch ms UTC. */
  readonly now: number
  /** Makes the seals. */
  readonly mac: Mac
}

/** Lets somebody new in. @param email where they hear of invitations made on the machine */
export async function invite(
  trx: Writer,
  asked: { readonly name: string; readonly role: Role; readonly email: string },
  making: Making,
): Promise<Invitation> {
  const { now } = making
  const id = newId(now)
  const { name, role, email } = asked
  await trx
    .insertInto('people')
    .values({ ...personRow({ id, name, role }, now), email })
    .execute()
  return newInvitation(trx, { id, role }, making)
}

/** A further passkey for somebody. An earlier invitation of theirs ends. @throws PeopleRefused */
export async function inviteAgain(trx: Writer, id: string, making: Making): Promise<Invitation> {
  return newInvitation(trx, await standingPerson(trx, id), making)
}

/** None of their passkeys opens anything from now on. @throws PeopleRefused */
export async function endPerson(trx: Writer, id: string, door: Door, now: number): Promise<void> {
  await lockTreasurers(trx)
  await standingPerson(trx, id)
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

/** Two treasurers who end each other at once would leave nobody: one waits here, and then sees what the other has done. */
async function lockTreasurers(trx: Writer): Promise<void> {
  const all = await trx
    .selectFrom('people')
    .select('id')
    .where('role', '=', 'treasurer')
    .orderBy('id')
    .execute()
  // Always in this order, so that none waits for whoever waits for it.
  for (const { id } of all)
    await trx
      .updateTable('people')
      .set(eb => ({ name: eb.ref('name') }))
      .where('id', '=', id)
      .execute()
}

async function standingPerson(trx: Writer, id: string) {
  const row = await trx
    .selectFrom('people')
    .select(['id', 'role'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined)
    throw new PeopleRefused('no-such-person', `Nobody at the desk is "${id}". \`people\` lists them.`)
  return row
}

async function newInvitation(
  trx: Writer,
  { id, role }: { readonly id: string; readonly role: Role },
  { door, now, mac }: Making,
): Promise<Invitation> {
  const code = invitationCode(randomBytes(20))
  const { wait, lasts } = TIMES[door]
  const [from, until] = [now + wait, now + wait + lasts]
  const terms = { code: readInvitationCode(code) ?? '', person: id, role, from, until }
  await trx
    .updateTable('people')
    .set({
      invitation_seal: invitationSeal(mac, terms),
      invitation_from: from,
      invitation_until: until,
    })
    .where('id', '=', id)
    .execute()
  return { person: id, code, from, until }
}
