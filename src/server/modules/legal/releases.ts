import { createHash } from 'node:crypto'
import type { Release, Released } from '#domain/releases.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

/**
 * What was published, version by version, and when each came: texts of the law, and what was on offer. A version is its
 * content, so two servers call one alike.
 */
export interface Version {
  readonly version: string
  /** JSON. */
  readonly content: string
}

/** The beginning of the digest of what it is and says. */
export const versionOf = (of: Released, content: string): string =>
  createHash('sha256').update(`${of}\n${content}`).digest('hex').slice(0, 20)

/** Far more than are published within the time in which an earlier one is accepted. */
const MOST_RELEASES = 100

/** The newest first. */
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

/**
 * Was this version published once, and another one since? Whoever shows it has not heard of the newer one yet, and must
 * not bring it back: that is for a publish alone.
 */
export async function isReplaced(db: Reader, of: Released, version: string): Promise<boolean> {
  const [newest, ...earlier] = await releasesOf(db, of)
  return newest?.version !== version && earlier.some(release => release.version === version)
}

/** Writes down that this is published now. Two servers may keep one version at one time: the second finds it kept. */
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
    // Later than the one before, also where a clock was put back.
    .values({ page: of, since: Math.max(now, (newest?.since ?? 0) + 1), version })
    .onConflict(conflict => conflict.columns(['page', 'since']).doNothing())
    .execute()
}

/** What these versions say; those that nobody kept are left out. */
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
