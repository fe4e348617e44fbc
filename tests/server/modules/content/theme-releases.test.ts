import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { THEMES, type Theme } from '#domain/themes.ts'
import type { PublishedTheme } from '#server/modules/content/snapshot.ts'
import {
  createThemeReleases,
  type ThemeReleases,
  themeOf,
  wasPublished,
} from '#server/modules/content/theme-releases.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'

const MINUTE = 60_000
const SEA: Theme = { id: 'sea', background: [240, 250, 255], text: [0, 40, 80], motif: 'rays' }
const GREY_SEA: Theme = { ...SEA, text: [20, 20, 20], motif: 'plain' }

const published = (theme: Theme): PublishedTheme => ({
  ...theme,
  names: inLanguages({ es: theme.id, en: theme.id, fr: theme.id }),
  isOffered: true,
})
const SEED = Object.values<Theme>(THEMES)

let test: TestDatabase
let clock: FakeClock
let content: readonly Theme[]
let releases: ThemeReleases
const failures: string[] = []
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  content = SEED
  releases = open()
})
afterEach(() => test.close())

/** As a server that starts with these themes. */
const open = (themes: () => readonly Theme[] = () => content): ThemeReleases =>
  createThemeReleases({
    db: test.db,
    clock,
    log: { info() {}, error: (event: string) => void failures.push(event) },
    published: () => themes().map(published),
  })

const accept = (id: string, room = releases) => test.db.transaction(trx => room.accept(trx, id))
const lookAt = (id: string, at: number) => test.db.read(db => themeOf(db, id, at))
const rows = () => test.db.read(db => db.selectFrom('theme_releases').select(['theme_id', 'state']).execute())

/** What is written down when it is published. */
async function publish(...themes: readonly Theme[]): Promise<void> {
  content = themes
  await releases.keep()
}

describe('the look of a card', () => {
  it('is what its theme was when the card was made, whatever was made of the theme since', async () => {
    await publish(...SEED, SEA)
    const bought = clock()
    clock.advance(MINUTE)
    await publish(...SEED, GREY_SEA)
    const later = clock()
    clock.advance(MINUTE)
    await publish(...SEED)
    expect(await lookAt('sea', bought)).toEqual(SEA)
    expect(await lookAt('sea', later)).toEqual(GREY_SEA)
    expect(await lookAt('sea', clock())).toEqual(GREY_SEA)
  })

  it('of one of the six is what it always was, also where the operator has changed it', async () => {
    const before = clock() - MINUTE
    await publish({ ...THEMES.ukraine, text: [0, 0, 60] })
    expect(await lookAt('ukraine', before)).toEqual(THEMES.ukraine)
    expect(await lookAt('ukraine', clock())).toEqual({ ...THEMES.ukraine, text: [0, 0, 60] })
    expect(await lookAt('lebanon', clock())).toEqual(THEMES.lebanon)
  })

  it('is its theme’s first where a server’s clock is behind, and black on white where nobody knows any', async () => {
    await publish(SEA)
    expect(await lookAt('sea', clock() - MINUTE)).toEqual(SEA)
    expect(await lookAt('land', clock())).toEqual({ ...THEMES.palestine, id: 'land' })
  })

  it('that was ever published is drawn for links, and no other', async () => {
    await publish(SEA)
    await publish(GREY_SEA)
    const isDrawn = (theme: Theme) => test.db.read(db => wasPublished(db, theme))
    expect(await Promise.all([SEA, GREY_SEA, THEMES.ukraine].map(isDrawn))).toEqual([true, true, true])
    expect(await isDrawn({ ...SEA, background: [1, 2, 3] })).toBe(false)
  })
})

describe('a theme', () => {
  it('can be paid with while it is published, and for an hour after', async () => {
    await publish(...SEED, SEA)
    await accept('sea')
    clock.advance(600 * MINUTE)
    await accept('sea')
    await publish(...SEED)
    clock.advance(59 * MINUTE)
    await accept('sea')
    clock.advance(2 * MINUTE)
    await expect(accept('sea')).rejects.toMatchObject({
      code: 'summary-changed',
      details: { fields: [{ path: 'themeId', rule: 'not-published' }] },
    })
  })

  it('of the six that the operator does not have is refused from the second hour on', async () => {
    await publish(SEA)
    await accept('christmas')
    clock.advance(61 * MINUTE)
    await expect(accept('christmas')).rejects.toMatchObject({ code: 'summary-changed' })
  })

  it('that nobody ever published is refused', async () => {
    await expect(accept('neon')).rejects.toMatchObject({ code: 'invalid-fields' })
  })

  it('that could not be written down when it was published is written with the order', async () => {
    content = [...SEED, SEA]
    await accept('sea')
    expect(await rows()).toEqual([{ theme_id: 'sea', state: 'published' }])
    expect(await lookAt('sea', clock())).toEqual(SEA)
  })

  it('is taken by a server that has not heard of the newest content, and changed back by none', async () => {
    const late = open(() => [...SEED, SEA])
    await publish(...SEED, SEA)
    clock.advance(MINUTE)
    await publish(...SEED, GREY_SEA)
    await accept('sea', late)
    expect(await lookAt('sea', clock())).toEqual(GREY_SEA)
  })

  it('comes again as it is then', async () => {
    await publish(SEA)
    await publish(...SEED)
    await publish(GREY_SEA)
    clock.advance(600 * MINUTE)
    await accept('sea')
    expect(await lookAt('sea', clock())).toEqual(GREY_SEA)
  })

  it('of a claim is the first that is offered, where none is asked for', async () => {
    content = [SEA, ...SEED]
    expect(await releases.claimed(undefined)).toBe('sea')
    expect(await releases.claimed('lebanon')).toBe('lebanon')
    await expect(releases.claimed('neon')).rejects.toMatchObject({ code: 'invalid-fields' })
  })
})

describe('what is written down', () => {
  it('is nothing for the six as they are, and each look once, however many servers start', async () => {
    await releases.keep()
    expect(await rows()).toEqual([])
    content = [...SEED, SEA]
    await Promise.all([releases.keep(), open().keep(), open().keep()])
    expect(await rows()).toEqual([{ theme_id: 'sea', state: 'published' }])
    expect(failures).toEqual([])
  })

  it('cannot be changed or taken out of the database', async () => {
    await publish(SEA)
    for (const change of ["update theme_releases set look = '{}'", 'delete from theme_releases'])
      await expect(test.db.transaction(trx => sql.raw(change).execute(trx))).rejects.toThrow('append-only')
  })
})
