import { LEGAL_PAGES, type LegalPage } from '#domain/legal/legal-texts.ts'
import { Problem } from '#domain/problems.ts'
import { isStillAccepted } from '#domain/releases.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { createKeeper } from '#server/modules/releases/keeper.ts'
import { keepVersion, releasesOf } from '#server/modules/releases/versions.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { contentOf, type LegalText, textInForce, type VersionedText } from './text-in-force.ts'

/** A version as its own page shows it. */
export interface KeptText extends LegalText {
  /** When it was in force first, epoch ms UTC. */
  readonly since: number
}

/** The texts of the law, version by version (product.md#texts-of-the-law). */
export interface Legal {
  /** undefined while the operator has not written it. */
  inForce(page: LegalPage): VersionedText | undefined
  /** A version that is or was in force; undefined for any other. */
  read(page: LegalPage, version: string): Promise<KeptText | undefined>
}

/** The terms as the payments ask for them. */
export interface Terms {
  /**
   * Lets a buyer accept this version of the terms, within the transaction that writes the order.
   * @throws Problem terms-missing while there are none; terms-changed for a version that is not in force any more
   */
  accept(trx: Writer, version: string): Promise<void>
}

export interface LegalRoom extends Legal {
  readonly terms: Terms
  /**
   * Writes down the texts that are in force now. Never rejects: if it fails, the next order writes the terms down.
   */
  keep(): Promise<void>
}

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly content: () => ContentSnapshot
}

/** Makes the legal texts: it keeps each version that was in force, and says which one a buyer accepts. */
export function createLegal({ db, clock, log, content }: Dependencies): LegalRoom {
  const inForce = (page: LegalPage) => textInForce(content(), page)
  const keeper = createKeeper({
    db,
    log,
    failure: 'legal-texts-not-kept',
    async write(trx) {
      for (const page of LEGAL_PAGES) await keepText(trx, page, inForce(page), clock())
    },
  })
  return {
    inForce,
    read: (page, version) => db.read(reader => readText(reader, page, version)),
    keep: keeper.keep,
    terms: {
      async accept(trx, version) {
        const current = inForce('terms')
        if (!current) throw new Problem('terms-missing')
        const isWritten =
          version === current.version &&
          (await keeper.bringBack(trx, 'terms', version, () => contentOf(current), clock()))
        if (isWritten) return
        if (!isStillAccepted(await releasesOf(trx, 'terms'), version, clock()))
          throw new Problem('terms-changed')
      },
    },
  }
}

async function keepText(
  trx: Writer,
  page: LegalPage,
  text: VersionedText | undefined,
  now: number,
): Promise<void> {
  if (text) await keepVersion(trx, page, { version: text.version, content: contentOf(text) }, now)
}

async function readText(db: Reader, page: LegalPage, version: string): Promise<KeptText | undefined> {
  const kept = await db
    .selectFrom('legal_texts')
    .innerJoin('legal_releases', 'legal_releases.version', 'legal_texts.version')
    .select(['legal_texts.content', 'legal_releases.since'])
    .where('legal_texts.version', '=', version)
    .where('legal_texts.page', '=', page)
    .orderBy('legal_releases.since')
    .limit(1)
    .executeTakeFirst()
  return kept && { ...(JSON.parse(kept.content) as LegalText), since: kept.since }
}
