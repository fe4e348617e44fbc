import type { Role } from '#domain/desk/roles.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { Mac } from '#server/platform/mac.ts'
import type { NewPasskey } from './passkeys.ts'
import { isSame } from './signed.ts'

/** Somebody at the desk whose passkeys count. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly role: Role
}

/** A person as a treasurer sees them. Times are epoch ms UTC. */
export interface PersonShown extends Person {
  readonly email: string | null
  readonly passkeys: number
  /** The last time that a passkey of theirs was used; null before. */
  readonly usedAt: number | null
  /** From when on and until when an invitation of theirs can be used; null where none waits. */
  readonly invitedFrom: number | null
  readonly invitedUntil: number | null
}

/** A passkey with its person. */
export interface KnownPasskey extends NewPasskey {
  readonly person: Person
}

export interface PeopleParts {
  readonly db: Database
  readonly clock: Clock
  readonly mac: Mac
}

/** The people at the desk and their passkeys. */
export interface People {
  /** Has anybody ever made a passkey? From then on the token makes none. */
  isBegun(): Promise<boolean>
  /** undefined where nobody has this id, or not any more. */
  standing(id: string): Promise<Person | undefined>
  /** The ids of their passkeys. */
  passkeysOf(id: string): Promise<readonly string[]>
  /** undefined where the passkey is not known, its seal is broken, or its person was ended. */
  passkey(id: string): Promise<KnownPasskey | undefined>
  noteUse(id: string, counter: number): Promise<void>
  /** Who may make a passkey with this code now. @param code without its dashes */
  invited(code: string): Promise<Person | undefined>
  /**
   * Makes the first person, a treasurer.
   * @param tell writes who hears of it, in the same transaction
   * @returns false where somebody else was first
   */
  first(id: string, name: string, passkey: NewPasskey, tell: Telling): Promise<boolean>
  /** Uses an invitation up. @param tell as in `first` @returns false where it was used or ended meanwhile */
  join(person: Person, code: string, passkey: NewPasskey, tell: Telling): Promise<boolean>
}

/** Writes in a transaction that a passkey was made. */
export type Telling = (trx: Writer) => Promise<void>

/** The people of this database. @param parts `mac` makes the seals of passkeys */
export function createPeople({ db, clock, mac }: PeopleParts): People {
  const keep = (trx: Writer, person: Person, passkey: NewPasskey) =>
    trx
      .insertInto('passkeys')
      .values({
        id: passkey.id,
        person_id: person.id,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        created_at: clock(),
        used_at: null,
        seal: sealOf(mac, person, passkey),
      })
      .execute()
  /** Whom a code lets in now. An invitation whose row another hand has changed lets nobody in. */
  async function invitedBy(reader: Reader | Writer, code: string) {
    const rows = await reader
      .selectFrom('people')
      .selectAll()
      .where('invitation_seal', 'is not', null)
      .where('invitation_from', '<=', clock())
      .where('invitation_until', '>', clock())
      .where('ended_at', 'is', null)
      .execute()
    return rows.find(({ id, role, invitation_seal, invitation_from, invitation_until }) => {
      const terms = { person: id, role, from: invitation_from ?? 0, until: invitation_until ?? 0 }
      return invitation_seal !== null && isSame(invitation_seal, invitationSeal(mac, { code, ...terms }))
    })
  }

  const note = (trx: Writer, person: Person) =>
    trx
      .insertInto('audit_log')
      .values({
        id: newId(clock()),
        actor: 'interface',
        action: 'passkey made',
        subject: person.id,
        outcome: 'done',
        created_at: clock(),
        person_id: person.id,
      })
      .execute()

  return {
    isBegun: () => db.read(isBegun),
    standing: id => db.read(reader => standing(reader, id)),
    async passkeysOf(id) {
      const rows = await db.read(reader =>
        reader.selectFrom('passkeys').select('id').where('person_id', '=', id).orderBy('id').execute(),
      )
      return rows.map(row => row.id)
    },
    async passkey(id) {
      const row = await db.read(reader =>
        reader.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst(),
      )
      const person = row && (await db.read(reader => standing(reader, row.person_id)))
      if (row === undefined || person === undefined) return undefined
      const passkey = { id, publicKey: row.public_key, counter: row.counter }
      return row.seal === sealOf(mac, person, passkey) ? { ...passkey, person } : undefined
    },
    noteUse: (id, counter) =>
      db.transaction(async trx => {
        await trx.updateTable('passkeys').set({ counter, used_at: clock() }).where('id', '=', id).execute()
      }),
    async invited(code) {
      const row = await db.read(reader => invitedBy(reader, code))
      return row && { id: row.id, name: row.name, role: row.role }
    },
    first: (id, name, passkey, tell) =>
      db.transaction(async trx => {
        if (await isBegun(trx)) return false
        const person: Person = { id, name, role: 'treasurer' }
        const row = await trx
          .insertInto('people')
          .values({ ...personRow(person, clock()), is_first: 1 })
          .onConflict(conflict => conflict.column('is_first').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) return false
        await keep(trx, person, passkey)
        await note(trx, person)
        await tell(trx)
        return true
      }),
    join: (person, code, passkey, tell) =>
      db.transaction(async trx => {
        const invited = await invitedBy(trx, code)
        if (invited?.id !== person.id || invited.role !== person.role) return false
        const row = await trx
          .updateTable('people')
          .set(NO_INVITATION)
          .where('id', '=', person.id)
          .where('invitation_seal', '=', invited.invitation_seal)
          .where('ended_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) return false
        await keep(trx, person, passkey)
        await note(trx, person)
        await tell(trx)
        return true
      }),
  }
}

const isBegun = async (reader: Reader | Writer): Promise<boolean> =>
  (await reader.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined

const standing = (reader: Reader, id: string): Promise<Person | undefined> =>
  reader
    .selectFrom('people')
    .select(['id', 'name', 'role'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Everybody who was not ended, in the order in which they came. */
export async function listPeople(reader: Reader): Promise<readonly PersonShown[]> {
  const people = await reader
    .selectFrom('people')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const passkeys = await reader.selectFrom('passkeys').select(['person_id', 'used_at']).execute()
  return people.map(({ id, name, role, email, invitation_from, invitation_until }) => {
    const own = passkeys.filter(({ person_id }) => person_id === id)
    const used = own.flatMap(({ used_at }) => (used_at === null ? [] : [used_at]))
    return {
      id,
      name,
      role,
      email,
      passkeys: own.length,
      usedAt: used.length > 0 ? Math.max(...used) : null,
      invitedFrom: invitation_from,
      invitedUntil: invitation_until,
    }
  })
}

/** Everybody at the desk who has an address, in the order in which they came. */
export async function addressesOfPeople(
  reader: Reader,
): Promise<readonly { readonly id: string; readonly address: string }[]> {
  const rows = await reader
    .selectFrom('people')
    .select(['id', 'email'])
    .where('ended_at', 'is', null)
    .where('email', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, email }) => ({ id, address: email ?? '' }))
}

/** A row of somebody who has no passkey yet. */
export const personRow = ({ id, name, role }: Person, now: number) => ({
  id,
  name,
  role,
  email: null,
  is_first: null,
  ...NO_INVITATION,
  created_at: now,
  ended_at: null,
})

export const NO_INVITATION = {
  invitation_seal: null,
  invitation_from: null,
  invitation_until: null,
} as const

/** What an invitation says: who may make a passkey, in which role, and when (epoch ms UTC). */
export interface InvitationTerms {
  /** Without its dashes. */
  readonly code: string
  readonly person: string
  readonly role: Role
  readonly from: number
  readonly until: number
}

/** Stands in the row instead of the code. Whoever writes to the database makes no invitation, and changes none. */
export const invitationSeal = (mac: Mac, { code, person, role, from, until }: InvitationTerms): string =>
  mac(JSON.stringify(['invitation', code, person, role, from, until]))

/** Whoever writes to the database can make nobody a treasurer. */
const sealOf = (mac: Mac, { id: person, role }: Person, { id, publicKey }: NewPasskey): string =>
  mac(JSON.stringify(['passkey', id, person, role, publicKey]))
