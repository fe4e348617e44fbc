import { Problem } from '#domain/problems.ts'
import { isStillAccepted } from '#domain/releases.ts'
import { defaultTheme, PLAIN_THEME, THEMES, type Theme, type ThemeId, themeIn } from '#domain/themes.ts'
import { createKeeper } from '#server/modules/releases/keeper.ts'
import { nextSince } from '#server/modules/releases/versions.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { prepared } from '#server/platform/db/prepared.ts'
import type { ThemeReleasesTable } from '#server/platform/db/schema.ts'
import type { Log } from '#server/platform/log.ts'
import type { PublishedTheme } from './snapshot.ts'

/**
 * Every look that was ever published (product.md#themes): themes change and go, and the cards that were bought with
 * them keep theirs. The product's own six need no row until they are changed.
 */

/** Decides with which themes a card may be bought or claimed. */
export interface Themes {
  /**
   * Lets a card have this theme, within the transaction that writes it.
   * @throws Problem summary-changed for a theme that was published, but not within the last hour; invalid-fields for one
   * that never was
   */
  accept(trx: Writer, id: ThemeId): Promise<void>
  /**
   * The theme of a card that is claimed: the one asked for, or the first that is offered.
   * @throws Problem invalid-fields for either
   */
  claimed(id: ThemeId | undefined): Promise<ThemeId>
}

export interface ThemeReleases extends Themes {
  /** Writes down the themes that are published now. Never rejects: if it fails, the next publish writes them down. */
  keep(): Promise<void>
}

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly published: () => readonly PublishedTheme[]
}

/** Makes what keeps the releases of themes, so that a card looks as it was bought. */
export function createThemeReleases({ db, clock, log, published }: Dependencies): ThemeReleases {
  const write = (trx: Writer) => keepAll(trx, published(), clock())
  const { keep } = createKeeper({ db, log, failure: 'themes-not-kept', write })
  return {
    keep,
    async accept(trx, id) {
      const releases = await releasesOf(trx, id)
      const theme = themeIn(published(), id)
      if (!theme) return refuseUnlessRecent(releases, clock(), releases.length > 0)
      // A server that has not heard of a change yet does not undo it.
      if (releases.length === 0) await add(trx, theme, { state: 'published', now: clock(), releases })
    },
    async claimed(id) {
      if (id === undefined) return defaultTheme(published()).id
      if (!themeIn(published(), id))
        refuseUnlessRecent(await db.read(reader => releasesOf(reader, id)), clock())
      return id
    },
  }
}

/**
 * @param isOfASummary whether a summary that was made earlier may ask for it
 * @throws Problem summary-changed for such a summary, else invalid-fields
 */
function refuseUnlessRecent(releases: readonly Release[], now: number, isOfASummary = false): void {
  const versions = releases.map(({ state, since }) => ({ version: state, since }))
  if (!isStillAccepted(versions, 'published', now))
    throw new Problem(isOfASummary ? 'summary-changed' : 'invalid-fields', {
      fields: [{ path: 'themeId', rule: 'not-published' }],
    })
}

/**
 * The look of a card's theme: the one that was published when the card was made, whatever became of it.
 * @param at when the card was made, epoch ms UTC
 */
export async function themeOf(db: Reader, id: ThemeId, at: number): Promise<Theme> {
  const releases = await releasesOf(db, id)
  // Two servers' clocks may differ by a little: a card may seem older than its theme.
  const found = releases.find(({ since }) => since <= at) ?? releases.at(-1)
  return found?.theme ?? { ...PLAIN_THEME, id }
}

/** Is this a look that was ever published? */
export async function wasPublished(db: Reader, theme: Theme): Promise<boolean> {
  return (await releasesOf(db, theme.id)).some(release => isSameLook(release.theme, theme))
}

/** Do two themes look the same? Their names are not compared. */
export const isSameLook = (one: Theme, other: Theme): boolean => lookOf(one) === lookOf(other)

interface Release extends Pick<ThemeReleasesTable, 'since' | 'state'> {
  readonly theme: Theme
}

/** The product's own six are published from the beginning. */
function releasesOfSeed(id: ThemeId): readonly Release[] {
  const theme = themeIn(Object.values<Theme>(THEMES), id)
  return theme ? [{ since: 0, state: 'published', theme }] : []
}

const releaseOf = ({ theme_id: id, since, state, look }: ThemeReleasesTable): Release => ({
  since,
  state,
  theme: { id, ...(JSON.parse(look) as Omit<Theme, 'id'>) },
})

/** The newest first. */
async function releasesOf(db: Reader, id: ThemeId): Promise<readonly Release[]> {
  const rows = await writtenReleases(db, { id })
  return [...rows.map(releaseOf), ...releasesOfSeed(id)]
}

const writtenReleases = prepared(['id'], (db, { id }) =>
  db.selectFrom('theme_releases').selectAll().where('theme_id', '=', id).orderBy('since', 'desc'),
)

async function keepAll(trx: Writer, published: readonly Theme[], now: number): Promise<void> {
  for (const theme of published) {
    const releases = await releasesOf(trx, theme.id)
    const [newest] = releases
    if (newest?.state === 'published' && isSameLook(newest.theme, theme)) continue
    await add(trx, theme, { state: 'published', now, releases })
  }
  for (const id of await knownIds(trx)) {
    if (themeIn(published, id)) continue
    const releases = await releasesOf(trx, id)
    const [newest] = releases
    if (newest?.state === 'published') await add(trx, newest.theme, { state: 'withdrawn', now, releases })
  }
}

async function knownIds(db: Reader): Promise<readonly ThemeId[]> {
  const rows = await db.selectFrom('theme_releases').select('theme_id').distinct().execute()
  return [...new Set([...Object.keys(THEMES), ...rows.map(row => row.theme_id)])]
}

/** A theme's look as JSON. The order of its fields never changes, so that the same look is the same text. */
const lookOf = ({ background, text, motif }: Theme): string => JSON.stringify({ background, text, motif })

/** Two servers may keep one look at one time: the second finds it kept. */
async function add(
  trx: Writer,
  theme: Theme,
  { state, now, releases }: { state: Release['state']; now: number; releases: readonly Release[] },
): Promise<void> {
  await trx
    .insertInto('theme_releases')
    .values({
      theme_id: theme.id,
      since: nextSince(now, releases[0]),
      state,
      look: lookOf(theme),
    })
    .onConflict(conflict => conflict.columns(['theme_id', 'since']).doNothing())
    .execute()
}
