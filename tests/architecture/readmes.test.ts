import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WALLS } from './walls.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Rooms whose README has another name, and why. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  // Astro would make a page of a README.md; it passes over names that begin with `_`.
  pages: 'src/pages/_README.md',
}

/** More rooms than the table of walls knows: the parts of `stand-ins`, and what nobody imports. */
const MORE_ROOMS = [
  'src/domain',
  'src/server/http',
  'src/stand-ins/drand-double',
  'src/stand-ins/inbox',
  'src/stand-ins/local-lake',
  'src/stand-ins/payments-double',
]

const folderOf = (room: string): string | undefined =>
  [`src/${room}`, `src/server/${room}`].find(
    folder => existsSync(join(ROOT, folder)) && statSync(join(ROOT, folder)).isDirectory(),
  )

const readmes = [
  ...Object.keys(WALLS).flatMap(room => {
    const folder = folderOf(room)
    return folder === undefined ? [] : [OTHER_NAMES[room] ?? `${folder}/README.md`]
  }),
  ...MORE_ROOMS.map(folder => `${folder}/README.md`),
]

describe('the rooms', () => {
  it('have a README each', () => {
    expect(readmes.length).toBeGreaterThan(25)
    expect(readmes.filter(file => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('say in it what they are for: a heading and a sentence', () => {
    const bare = readmes
      .filter(file => existsSync(join(ROOT, file)))
      .filter(file => !/^# \S.*\n\n[^\n#]{40,}/.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(bare).toEqual([])
  })

  it('name in it each folder that they hold, unless that is a room itself', () => {
    const unnamed = readmes
      // A page's folder is its path; a screen's folder is called as in its path.
      .filter(file => existsSync(join(ROOT, file)) && !/^src\/(pages|screens)\//.test(file))
      .flatMap(file => {
        const text = readFileSync(join(ROOT, file), 'utf8')
        return readdirSync(join(ROOT, dirname(file)), { withFileTypes: true })
          .filter(entry => entry.isDirectory() && entry.name !== 'generated')
          .filter(
            ({ name }) => !readmes.includes(`${dirname(file)}/${name}/README.md`) && !text.includes(name),
          )
          .map(({ name }) => `${file}: ${name}`)
      })
    expect(unnamed).toEqual([])
  })
})
