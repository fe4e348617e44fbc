import { sql } from 'kysely'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { VERSIONS_OF_A_SECRET } from '#domain/card/shown-links.ts'
import {
  type CardKeys,
  type CardSecrets,
  closeStanding,
  createCardKeys,
  markOf,
  openStanding,
  type StandingKeys,
  standingKeysOf,
} from '#server/modules/gifts/cards/keys.ts'
import {
  examineSecret,
  nameOfMark,
  notedMarks,
  type SecretVerdict,
  WRONG_SECRET,
} from '#server/modules/gifts/cards/secret-check.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

/** CARD_KEY_SECRET, and CARD_KEY_SECRET_EARLIER with the newest first. */
export interface GivenSecrets {
  readonly current: string
  readonly earlier: readonly string[]
}

/** Where the keys stay that outlive a secret, closed with the one in use. */
const STANDING = 'standing-keys'

/** The error message when an earlier secret is missing and unused cards still need it. */
export const LACKING_SECRET =
  'CARD_KEY_SECRET_EARLIER lacks a secret that unused cards were made with, so no mail could hold their links again: add it.'

export interface ReadKeys {
  /** undefined where the secret is another one than the database knows. */
  readonly keys: CardKeys | undefined
  readonly verdict: SecretVerdict
}

/** The keys of these secrets for this database, and whether they are the right ones. Writes nothing. */
export async function readCardKeys(db: Database, given: GivenSecrets): Promise<ReadKeys> {
  const secrets = await db.read(reader => secretsOf(reader, given))
  if (secrets === undefined) return { keys: undefined, verdict: 'wrong' }
  const keys = createCardKeys(secrets)
  const verdict = await examineSecret(db, keys)
  if (verdict === 'wrong') return { keys: undefined, verdict }
  const noted = await db.read(notedMarks)
  // A number that no start has noted is of no secret: somebody has written it, and one such card stops no site.
  const isOfSecret = (number: number) => number === 0 || noted.some(each => each.number === number)
  const isLacking = (await neededSecrets(db)).some(
    ({ number }) => isOfSecret(number) && !secrets.all.has(number),
  )
  return { keys, verdict: isLacking ? 'incomplete' : verdict }
}

/**
 * The same for a start, which notes a secret that is new, and closes with it what has to stay.
 * @param now epoch ms UTC
 * @throws WrongSecret where links that were given would be dead
 */
export async function openCardKeys(db: Database, given: GivenSecrets, now: number): Promise<CardKeys> {
  const { verdict } = await readCardKeys(db, given)
  if (verdict === 'wrong') throw new WrongSecret(WRONG_SECRET)
  if (verdict === 'incomplete') throw new WrongSecret(LACKING_SECRET)
  const secrets = await db.transaction(async trx => {
    const found = await secretsOf(trx, given)
    if (found === undefined) throw new WrongSecret(WRONG_SECRET)
    // This holds for an earlier secret too that no start has noted: the next start would not recognise it.
    for (const [number, secret] of found.all) await note(trx, nameOfMark(number), markOf(secret), now)
    // Another server may have stored another secret under this number at the same time.
    const [own] = (await notedMarks(trx)).filter(({ number }) => number === found.current)
    if (own?.mark !== markOf(given.current)) throw new WrongSecret(WRONG_SECRET)
    await closeAnew(trx, found, given.current, now)
    return found
  })
  return createCardKeys(secrets)
}

/** The message is for the operator. */
export class WrongSecret extends Error {
  override readonly name = 'WrongSecret'
}

/** The number of each secret; undefined where none of them fits the database. */
async function secretsOf(db: Reader, given: GivenSecrets): Promise<CardSecrets | undefined> {
  const { current, earlier } = given
  const noted = await notedMarks(db)
  const numberOf = (secret: string) => noted.find(({ mark }) => mark === markOf(secret))?.number
  const all = new Map<number, string>()
  for (const secret of earlier) {
    const number = numberOf(secret)
    if (number !== undefined) all.set(number, secret)
  }
  // A database that no start has noted a secret of yet: the oldest one is its first.
  if (noted.length === 0 && earlier.length > 0) all.set(0, earlier.at(-1)!)
  const next = Math.max(-1, ...noted.map(({ number }) => number), ...all.keys()) + 1
  const number = numberOf(current) ?? next
  all.set(number, current)
  // A secret that is new can be put right where its first spelling was wrong: the first one makes what that one closed.
  const first = number === next ? all.get(0) : undefined
  const standing = (await standingKeys(db, all)) ?? (first === undefined ? undefined : standingKeysOf(first))
  return standing && { all, current: number, standing }
}

async function standingKeys(db: Reader, all: ReadonlyMap<number, string>): Promise<StandingKeys | undefined> {
  const closed = await closedKeys(db)
  if (closed === undefined) {
    const first = all.get(0)
    return first === undefined ? undefined : standingKeysOf(first)
  }
  for (const secret of all.values()) {
    const opened = openStanding(closed, secret)
    if (opened) return opened
  }
  return undefined
}

const closedKeys = async (db: Reader): Promise<string | undefined> =>
  (await db.selectFrom('secret_checks').select('digest').where('name', '=', STANDING).executeTakeFirst())
    ?.digest

/** The first secret makes them itself; any other one has them closed with it. */
async function closeAnew(trx: Writer, secrets: CardSecrets, secret: string, now: number): Promise<void> {
  const closed = await closedKeys(trx)
  if (closed === undefined ? secrets.current === 0 : openStanding(closed, secret) !== undefined) return
  const digest = closeStanding(secrets.standing, secret)
  await trx
    .insertInto('secret_checks')
    .values({ name: STANDING, digest, created_at: now })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ digest, created_at: now }))
    .execute()
}

async function note(trx: Writer, name: string, digest: string, now: number): Promise<void> {
  await trx
    .insertInto('secret_checks')
    .values({ name, digest, created_at: now })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
}

/** How many cards were made with each secret and can still be used, by the secret's number. */
export async function neededSecrets(
  db: Database,
): Promise<readonly { readonly number: number; readonly cards: number }[]> {
  const counted = new Map<number, number>()
  for (const kind of ALL_GIFT_KINDS) {
    const rows = await db.read(reader =>
      reader
        .selectFrom(STORED_CARDS[kind].table as 'cards')
        // Whole numbers on both engines: the rest is taken away before it is divided.
        .select(sql<number>`(key_version - key_version % ${sql.lit(VERSIONS_OF_A_SECRET)})`.as('begin'))
        .select(eb => eb.fn.countAll<number>().as('cards'))
        .where('status', 'not in', ['consumed', 'revoked'])
        .groupBy('begin')
        .execute(),
    )
    for (const { begin, cards } of rows) {
      const number = Number(begin) / VERSIONS_OF_A_SECRET
      counted.set(number, (counted.get(number) ?? 0) + Number(cards))
    }
  }
  return [...counted].map(([number, cards]) => ({ number, cards }))
}

/**
 * How many cards still need each earlier secret, in the order of the setting. `undefined`: nothing was ever made with
 * it here.
 */
export async function cardsOfEarlier(
  db: Database,
  earlier: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const [noted, needed] = [await db.read(notedMarks), await neededSecrets(db)]
  return earlier.map(secret => {
    const number = noted.find(({ mark }) => mark === markOf(secret))?.number
    return number === undefined ? undefined : (needed.find(each => each.number === number)?.cards ?? 0)
  })
}
