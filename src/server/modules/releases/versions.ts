import { createHash } from 'node:crypto'
import type { Release, Released } from '#domain/releases.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

/**
 * One version of something published: a text of the law, or an offer. Its name is a digest of its content, so two servers
 * give the same content the same name.
 */
export interface Version {
  readonly version: string
  /** JSON. */
  readonly content: string
}

/** The name of a version: the first 20 hexadecimal digits of the SHA-256 of its kind and its content. */
export const versionOf = (of: Released, content: string): string =>
  createHash('sha256').update(`${of}\n${content}`).digest('hex').slice(0, 20)

/** Far more than an operator publishes within the hour in which an earlier version is still accepted. */
const MOST_RELEASES = 100

/** The releases of one kind, the newest first. @param most how many at the most */
export async function releasesOf(
  db: Reader,
  of: Released,
  most = MOST_RELEASES,
): Promise<readonly Release[]> {
  return db
    .selectFrom('legal_releases')
    .select(['version', 'since'])
    .where('page', '=', of)
    .orderBy('since', 'desc')
    .limit(most)
    .execute()
}

/** Was this version published once, and another one since? A version that was never published was not replaced. */
export async function isReplaced(db: Reader, of: Released, version: string): Promise<boolean> {
  const releases = db.selectFrom('legal_releases').where('page', '=', of)
  const later = await releases
    .select('since')
    .where('since', '>', releases.select(eb => eb.fn.max('since').as('own')).where('version', '=', version))
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** When the next release begins: later than the newest one, also where a clock was put back. Epoch ms UTC. */
export const nextSince = (now: number, newest: { readonly since: number } | undefined): number =>
  Math.max(now, (newest?.since ?? 0) + 1)

/**
 * Writes this version down as the newest one, from now on. It does nothing if it is the newest already, or if another
 * server writes it at the same time.
 * @param now epoch ms UTC
 */
export async function keepVersion(
  trx: Writer,
  of: Released,
  { version, content }: Version,
  now: number,
): Promise<void> {
  const [newest] = await releasesOf(trx, of, 1)
  if (newest?.version === version) return
  await trx
    .insertInto('legal_texts')
    .values({ version, page: of, content })
    .onConflict(conflict => conflict.column('version').doNothing())
    .execute()
  await trx
    .insertInto('legal_releases')
    .values({ page: of, since: nextSince(now, newest), version })
    .onConflict(conflict => conflict.columns(['page', 'since']).doNothing())
    .execute()
}

/** The content of these versions. A version that is not kept is left out. */
export async function contentsOf(
  db: Reader,
  of: Released,
  versions: readonly string[],
): Promise<readonly Version[]> {
  if (versions.length === 0) return []
  return db
    .selectFrom('legal_texts')
    .select(['version', 'content'])
    .where('page', '=', of)
    .where('version', 'in', versions)
    .execute()
}
