import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsIn, importsOfSources, packagesIn } from '#tests/support/architecture/imports.ts'
import { crossings, ringsOf, roomOf, screenCrossings } from '#tests/support/architecture/rooms.ts'
import { PACKAGES, REACHES_STAND_INS, WALLS, WITHOUT_NODE } from './walls.ts'

const { imports, packages } = importsOfSources(join(import.meta.dirname, '../..'))

describe('the walls between the rooms', () => {
  it('let through only what the table allows, types included', () => {
    expect(crossings(imports, WALLS)).toEqual([])
  })

  it('close no ring', () => {
    expect(ringsOf(WALLS)).toEqual([])
  })

  it('have no door that nobody uses', () => {
    const used = new Set(imports.map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`))
    const doors = Object.entries(WALLS).flatMap(([room, others]) => others.map(other => `${room} → ${other}`))
    expect(doors.filter(door => !used.has(door))).toEqual([])
  })

  it('let through only the packages that the table allows', () => {
    const strangers = packages.filter(({ from, name }) =>
      name.startsWith('node:')
        ? WITHOUT_NODE.some(room => room === roomOf(from))
        : !PACKAGES[name]?.includes(roomOf(from)),
    )
    expect(strangers).toEqual([])
  })

  it('name no package for a room that does without it', () => {
    const used = new Set(packages.map(({ from, name }) => `${name} in ${roomOf(from)}`))
    const named = Object.entries(PACKAGES).flatMap(([name, rooms]) => rooms.map(room => `${name} in ${room}`))
    expect(named.filter(each => !used.has(each))).toEqual([])
  })

  it('let one file reach the stand-ins', () => {
    const reaching = imports
      .filter(({ from, to }) => to.startsWith('src/stand-ins/') && !from.startsWith('src/stand-ins/'))
      .map(({ from }) => from)
    expect([...new Set(reaching)]).toEqual([REACHES_STAND_INS])
  })

  it('stop an import that is planted', () => {
    const planted = [
      { from: 'src/domain/money/money.ts', to: 'src/server/platform/clock.ts' },
      { from: 'src/server/modules/ledger/post.ts', to: 'src/server/modules/payments/settle.ts' },
      { from: 'src/pages/index.ts', to: 'src/stand-ins/inbox/inbox.ts' },
    ]
    expect(crossings(planted, WALLS)).toHaveLength(planted.length)
  })

  it('show a ring that is planted', () => {
    expect(ringsOf({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual([['a', 'b', 'c']])
    expect(ringsOf({ a: ['b'], b: ['c'], c: [] })).toEqual([])
  })
})

describe('the walls between the screens', () => {
  it('let a screen import itself and what is shared, and nothing else of the screens', () => {
    expect(imports.some(({ from }) => from.startsWith('src/screens/donation-success/'))).toBe(true)
    expect(screenCrossings(imports)).toEqual([])
  })

  it.each([
    ['another screen', 'src/screens/donate-us/donate-us.script.ts', 'src/screens/mission/mission.script.ts'],
    ['a screen from what is shared', 'src/screens/shared/flow/guard.ts', 'src/screens/mission/a.store.ts'],
    ['a style of another screen', 'src/screens/share/share.script.ts', 'src/screens/mission/mission.css'],
  ])('stop an import of %s', (_, from, to) => {
    expect(screenCrossings([{ from, to }])).toHaveLength(1)
  })

  it('let through what a screen may import', () => {
    const from = 'src/screens/select-ngo/select-ngo.island.tsx'
    const allowed = [
      'src/screens/select-ngo/props.ts',
      'src/screens/shared/flow/calm.ts',
      'src/domain/dates.ts',
      'src/wire/client.ts',
    ]
    expect(screenCrossings(allowed.map(to => ({ from, to })))).toEqual([])
  })
})

describe('the reader of imports', () => {
  const aliases = { '#domain/*': './src/domain/*', '#paths': './src/paths.ts' }

  it.each([
    ["import { a } from './b.ts'", 'src/x/b.ts'],
    ["import type { A } from '../y/b.ts'", 'src/y/b.ts'],
    ["import {\n  a,\n} from '#domain/money.ts'", 'src/domain/money.ts'],
    ["export * from '#paths'", 'src/paths.ts'],
    ["import '#domain/a.ts'", 'src/domain/a.ts'],
    ["const a = await import('#domain/a.ts')", 'src/domain/a.ts'],
    ["type A = import('#domain/a.ts').A", 'src/domain/a.ts'],
    ["import script from './b.ts?page-script'", 'src/x/b.ts'],
  ])('finds the module in %j', (text, to) => {
    expect(importsIn(text, 'src/x/a.ts', aliases)).toEqual([{ from: 'src/x/a.ts', to }])
  })

  it.each([
    ["import { sql } from 'kysely'", 'kysely'],
    ["import { render } from 'react-dom/server'", 'react-dom'],
    ["import type { A } from '@sanity/client/csm'", '@sanity/client'],
    ["import { join } from 'node:path'", 'node:path'],
    ["import { defineMiddleware } from 'astro:middleware'", 'astro'],
    ["import face from '@fontsource/noto/files/a.woff2?url'", '@fontsource/noto'],
  ])('finds the package in %j', (text, name) => {
    expect(packagesIn(text, 'src/x/a.ts')).toEqual([{ from: 'src/x/a.ts', name }])
  })

  it('leaves packages and unknown aliases out', () => {
    expect(importsIn("import a from 'react'\nimport b from '#unknown/b.ts'", 'src/x/a.ts', aliases)).toEqual(
      [],
    )
  })
})
