import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isBuilt, noteBuilt, sourcesIn } from '#server/app/build.ts'

let root: string
let source: string
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'gc-build-'))
  for (const folder of ['src/pages', 'dist']) mkdirSync(join(root, folder), { recursive: true })
  source = join(root, 'src/pages/page.ts')
  writeFileSync(source, 'one')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const build = async () => noteBuilt(root, await sourcesIn(root))
const later = (): void => utimesSync(source, new Date(), new Date(statSync(source).mtimeMs + 5_000))

it('is not built before it was', async () => {
  expect(await isBuilt(root)).toBe(false)
})

it('is built until a source changes, comes or goes', async () => {
  await build()
  expect(await isBuilt(root)).toBe(true)
  writeFileSync(source, 'two')
  later()
  expect(await isBuilt(root)).toBe(false)
  await build()
  writeFileSync(join(root, 'src/other.ts'), '')
  expect(await isBuilt(root)).toBe(false)
  await build()
  rmSync(source)
  expect(await isBuilt(root)).toBe(false)
})

it('is built where the same sources were written again, as in a copy', async () => {
  await build()
  later()
  expect(await isBuilt(root)).toBe(true)
})

it('is not built from what changed while it was built', async () => {
  const before = await sourcesIn(root)
  writeFileSync(source, 'three, longer')
  await noteBuilt(root, before)
  expect(await isBuilt(root)).toBe(false)
})
