import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  mergeRevocations,
  REVOCATIONS_KEPT_MS,
  type Revocable,
  type Revocation,
  readRevocations,
  writeRevocations,
} from '#domain/desk/revocations.ts'
import { MINUTE_MS } from '#domain/durations.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import { endPerson, PeopleRefused } from '#server/modules/operator/people-acts.ts'
import { PartnerRefused, revokePartner } from '#server/modules/partners/partner-acts.ts'
import { endPayee } from '#server/modules/payouts/payee-accounts.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { readIfThere, writeWhole } from '#server/platform/files.ts'

/**
 * A restore from a backup brings back what was revoked since: keys of partners, people, accounts of organisations. They are
 * listed beside the backups, and are revoked again out of that list (docs/decisions/0152-revoked-after-a-restore.md).
 */

/** Where lists lie that a restore needs: beside the backups, which are copied off the machine, and in the archive. */
export const besideBackups = ({
  dataDir,
  archive,
}: {
  readonly dataDir: string
  readonly archive: string | undefined
}): readonly string[] => [join(dataDir, 'backups'), archive].filter(folder => folder !== undefined)

/** Each minute has its turn. */
const LISTED_WITHIN_MS = 10 * MINUTE_MS

const fileIn = (folder: string): string => join(folder, 'revocations')

const textOf = async (folder: string): Promise<string> =>
  (await readIfThere(fileIn(folder)))?.toString() ?? ''

/** What the lists say, each once. @throws Error where a list cannot be read */
export async function listedRevocations(
  folders: readonly string[],
  now: number,
): Promise<readonly Revocation[]> {
  const texts = await Promise.all(folders.map(textOf))
  return mergeRevocations(texts.flatMap(readRevocations), now)
}

/**
 * Brings the lists up to date with the database. It is asked for after each act, and again and again: where a process died
 * between the act and its line, the next turn writes it. What the lists say and the database does not stays on them.
 * @param more what another list says
 */
export async function listRevocations(
  db: Database,
  folders: readonly string[],
  now: number,
  more: readonly Revocation[] = [],
): Promise<void> {
  const known = await db.read(reader => revokedSince(reader, now - REVOCATIONS_KEPT_MS))
  for (const folder of folders) {
    const before = await textOf(folder)
    const text = writeRevocations(mergeRevocations([...readRevocations(before), ...known, ...more], now))
    if (text === before) continue
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(fileIn(folder), text)
  }
}

/**
 * What was revoked for longer than a turn takes and stands not on every list: a restore would bring it back.
 * @param now epoch ms UTC
 * @throws Error where a list cannot be read
 */
export async function unlistedRevocations(
  db: Database,
  folders: readonly string[],
  now: number,
): Promise<readonly Revocation[]> {
  const known = await db.read(reader => revokedSince(reader, now - REVOCATIONS_KEPT_MS))
  const lists = await Promise.all(folders.map(async folder => readRevocations(await textOf(folder))))
  const isOn = (list: readonly Revocation[], { what, id }: Revocation) =>
    list.some(each => each.what === what && each.id === id)
  return known.filter(each => each.at < now - LISTED_WITHIN_MS && !lists.every(list => isOn(list, each)))
}

async function revokedSince(db: Reader, since: number): Promise<readonly Revocation[]> {
  const partners = await db
    .selectFrom('partners')
    .select(['id', 'revoked_at as at'])
    .where('revoked_at', '>=', since)
    .execute()
  const people = await db
    .selectFrom('people')
    .select(['id', 'ended_at as at'])
    .where('ended_at', '>=', since)
    .execute()
  const accounts = await db
    .selectFrom('payee_accounts')
    .select(['id', 'ended_at as at'])
    .where('ended_at', '>=', since)
    .execute()
  const as = (what: Revocable, rows: readonly { readonly id: string; readonly at: number | null }[]) =>
    rows.map(({ id, at }) => ({ what, id, at: at ?? since }))
  return [...as('partner', partners), ...as('person', people), ...as('account', accounts)]
}

/**
 * Revokes what a list names and this database has not as revoked. Whatever was made since has another id, and stays.
 * @param keys seal the accounts anew; without them no account is ended
 * @returns what was valid until now
 */
export async function revokeAgain(
  trx: Writer,
  listed: readonly Revocation[],
  keys: Sealer | undefined,
): Promise<readonly Revocation[]> {
  const done: Revocation[] = []
  for (const each of listed) if (await AGAIN[each.what](trx, each, keys)) done.push(each)
  return done
}

type Again = (trx: Writer, revocation: Revocation, keys: Sealer | undefined) => Promise<boolean>

const AGAIN: Readonly<Record<Revocable, Again>> = {
  partner: (trx, { id, at }) => unlessRefused(PartnerRefused, revokePartner(trx, id, at)),
  // On the machine: nobody is asked whether a treasurer is left.
  person: (trx, { id, at }) => unlessRefused(PeopleRefused, endPerson(trx, id, 'machine', at)),
  account: async (trx, { id, at }, keys) => keys !== undefined && endPayee(trx, keys, id, at),
}

/** @returns false where nothing was there to be revoked */
async function unlessRefused(
  refusal: typeof PartnerRefused | typeof PeopleRefused,
  act: Promise<void>,
): Promise<boolean> {
  try {
    await act
    return true
  } catch (error) {
    if (error instanceof refusal) return false
    throw error
  }
}
