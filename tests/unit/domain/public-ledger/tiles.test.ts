import { describe, expect, it } from 'vitest'
import { bytesOf } from '#domain/public-ledger/bytes.ts'
import { bundleOf, entriesIn, TILE_PATH, tilePath, tilesOf } from '#domain/public-ledger/tiles.ts'

describe('the path of a tile', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 3, index: 1_234_067, width: 256 }, 'tile/3/x001/x234/067'],
    [{ level: 'entries', index: 273, width: 112 }, 'tile/entries/273.p/112'],
    [{ level: 1, index: 1_000, width: 1 }, 'tile/1/x001/000.p/1'],
  ] as const)('%o is %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path)
    expect(path).toMatch(TILE_PATH)
  })

  it.each(['tile/64/000', 'tile/0/00', 'tile/0/../000', 'tile/0/000.p/0', 'tile/data/000', 'tile/0/x000'])(
    '%s is none',
    path => expect(path).not.toMatch(TILE_PATH),
  )
})

describe('the tiles of a log', () => {
  it('are those of the example in the specification at 70,000 leaves', () => {
    const tiles = tilesOf(70_000).filter(({ level }) => level !== 'entries')
    const of = (level: number) => tiles.filter(each => each.level === level)
    expect(of(0)).toHaveLength(274)
    expect(of(0).at(-1)).toEqual({ level: 0, index: 273, width: 112 })
    expect(of(1).map(({ width }) => width)).toEqual([256, 17])
    expect(of(2)).toEqual([{ level: 2, index: 0, width: 1 }])
    expect(of(3)).toEqual([])
    expect(tilesOf(70_000).filter(({ level }) => level === 'entries')).toHaveLength(274)
  })

  it('of 256 leaves are a whole one and a partial one above it', () => {
    expect(tilesOf(256).map(tilePath)).toEqual(['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1'])
    expect(tilesOf(0)).toEqual([])
  })
})

describe('a file of entries', () => {
  const entries = ['', 'one', 'ü'.repeat(300)].map(bytesOf)

  it('holds them with their lengths', () => {
    const bundle = bundleOf(entries)
    expect([...bundle.slice(0, 7)]).toEqual([0, 0, 0, 3, ...bytesOf('one')])
    expect([...bundle.slice(7, 9)]).toEqual([2, 88])
    expect(entriesIn(bundle, 3)).toEqual(entries)
  })

  it('is refused when it is cut, longer, or of another number', () => {
    const bundle = bundleOf(entries)
    expect(() => entriesIn(bundle.slice(0, -1), 3)).toThrow('cut off')
    expect(() => entriesIn(bundle, 2)).toThrow('more entries')
    expect(() => entriesIn(bundle, 4)).toThrow('missing')
  })

  it('takes no entry longer than its length can say', () => {
    expect(() => bundleOf([new Uint8Array(65_536)])).toThrow('too long')
    expect(bundleOf([new Uint8Array(65_535)])).toHaveLength(65_537)
  })
})
