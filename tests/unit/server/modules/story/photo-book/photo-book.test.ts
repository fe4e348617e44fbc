import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { assetFile } from '#domain/images/picture.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { type SeedThemeId, THEMES } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { photoBook } from '#server/app/schedule/book.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { createPhotoBook, type PhotoBookRoom } from '#server/modules/story/photo-book/photo-book.ts'
import type { Turn } from '#server/platform/job-runner/job.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { contentBench, SEED } from '../../content/content-fixture.ts'

const TIMEOUT_MS = 60_000
/** Twelve times what a book takes on an idle machine: this file runs beside all others. */
const SLOW_MS = 180_000
/** Cover, first and last page. */
const OWN_PAGES = 3
const turn: Turn = { goOn: async () => {} }
const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** The seed's content, with files of the seed's pictures by the names that the content gives them. */
async function seedContent() {
  const { content } = await contentBench()
  await content.load()
  return content.snapshot()
}

async function openRoom(
  snapshot: ContentSnapshot,
  { broken = [], garbled = [], dir }: { broken?: number[]; garbled?: number[]; dir?: string } = {},
) {
  const folder = dir ?? (await mkdtemp(join(tmpdir(), 'photo-book-')))
  if (dir === undefined) cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  const clock = fakeClock()
  const log = quietLog()
  let current = snapshot
  const away = new Set(broken)
  const spoilt = new Set(garbled)
  const asked: string[] = []
  const room: PhotoBookRoom = createPhotoBook({
    dir: folder,
    content: () => current,
    clock,
    log,
    async readAsset(file) {
      asked.push(file)
      const index = snapshot.memorialPhotos.findIndex(({ image }) => assetFile(image) === file)
      if (away.has(index)) throw new Error('gone')
      if (spoilt.has(index)) return Buffer.from('no picture')
      return readFile(join(SEED, '../images', `${snapshot.memorialPhotos[index]?.id}.jpg`))
    },
  })
  cleanUps.push(() => room.stop())
  return {
    room,
    folder,
    clock,
    log,
    asked,
    away,
    spoilt,
    publish: (next: ContentSnapshot) => (current = next),
  }
}

/** Few photos, where it is not the number of them that matters. */
const short = (snapshot: ContentSnapshot, count = 3): ContentSnapshot => ({
  ...snapshot,
  memorialPhotos: snapshot.memorialPhotos.slice(0, count),
})

describe('the photo-book', () => {
  it(
    'holds forty photos in each language between a cover, a first and a last page, tagged, with captions, credits and alternative texts',
    async () => {
      const snapshot = await seedContent()
      const { room } = await openRoom(snapshot)
      const startedAt = performance.now()
      for (const language of LANGUAGES) {
        const file = await room.file(language, TIMEOUT_MS)
        const bytes = await readFile(file ?? '')
        expect(bytes.length).toBeLessThan(15 * 1024 * 1024)
        const book = readPdf(bytes)
        expect(book.pages).toBe(40 + OWN_PAGES)
        expect(book.texts[0]).toContain(getT(language)('photo-book-title'))
        expect(book.texts.at(-1)).toContain(snapshot.settings.siteName[language])
        expect(Math.min(...book.sizes)).toBeGreaterThanOrEqual(10)
        expect(book.isTagged).toBe(true)
        expect(book.language).toBe(language)
        expect(book.title).toContain(snapshot.settings.siteName[language])
        expect(book.alts).toEqual(snapshot.memorialPhotos.map(({ alt }) => alt[language]))
        for (const [index, photo] of snapshot.memorialPhotos.entries()) {
          expect(book.texts[index + 2]).toContain(photo.caption[language])
          expect(book.texts[index + 2]).toContain(`${photo.author} · ${photo.licence}`)
        }
      }
      console.info(`the books of forty photos took ${Math.round(performance.now() - startedAt)} ms`)
      expect(await room.progress()).toEqual({ state: 'ready', done: 40, total: 40, missing: 0 })
    },
    SLOW_MS,
  )

  it(
    'embeds its face whole and loses no letter of any name',
    async () => {
      const snapshot = short(await seedContent(), 1)
      const author = 'Íñigo Muñoz-Álvarez, Łódź, Ştefan Žižkov, Ελένη, Олена'
      const [photo] = snapshot.memorialPhotos
      const { room } = await openRoom({ ...snapshot, memorialPhotos: [{ ...photo!, author }] })
      const book = readPdf(await readFile((await room.file('es', TIMEOUT_MS)) ?? ''))
      expect(book.texts[2]).toContain(author)
      const face = await readFile(
        createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSerif.ttf'),
      )
      // What is left out is tables that a printer has no use for.
      expect(Math.max(...book.fonts.map(({ length }) => length))).toBeGreaterThan(face.length * 0.6)
    },
    SLOW_MS,
  )

  it(
    'is each invitation’s own, in its colours, without a trace of it on the disk',
    async () => {
      const { room, folder } = await openRoom(short(await seedContent(), 1))
      const file = (await room.file('fr', TIMEOUT_MS)) ?? ''
      const before = await readFile(file)
      const mission = { kind: 'other', text: 'Un samedi à la cantine du quartier' } as const
      const dedicated = async (senderName: string | null, themeId: SeedThemeId) => {
        const added = await room.dedication(file, 'fr', { senderName, theme: THEMES[themeId], mission })
        return readPdf(Buffer.concat([before, added]))
      }
      for (const theme of Object.keys(THEMES) as SeedThemeId[]) {
        const book = await dedicated('Íñigo Łódź Олена', theme)
        expect(book.pages).toBe(1 + OWN_PAGES)
        expect(book.texts[0]?.replaceAll('\n', '')).toContain('Pour vous, de la part d’Íñigo Łódź Олена')
        expect(book.texts[0]).toContain(mission.text)
        expect(book.texts.join()).not.toContain('\ufffd')
        for (const colour of [THEMES[theme].background, THEMES[theme].text])
          expect(book.source).toContain(`${colour.map(part => part / 255).join(' ')} scn`)
      }
      const [anonymous, named] = [await dedicated(null, 'palestine'), await dedicated('Aina', 'palestine')]
      expect(anonymous.texts[0]).toContain('Pour vous\n')
      expect(anonymous.tagged.map(({ tag }) => tag)).toEqual(named.tagged.map(({ tag }) => tag))
      expect(await readFile(file)).toEqual(before)
      for (const name of await readdir(folder, { recursive: true }))
        if (name.includes('.')) expect((await readFile(join(folder, name))).includes('cantine')).toBe(false)
    },
    SLOW_MS,
  )

  it(
    'is made once for all who ask while it is being made',
    async () => {
      const { room, asked } = await openRoom(short(await seedContent()))
      const [first, second] = await Promise.all([room.file('es', TIMEOUT_MS), room.file('es', TIMEOUT_MS)])
      expect(second).toBe(first)
      expect(asked).toHaveLength(3)
    },
    SLOW_MS,
  )

  it(
    'tells how far it is while it is being made',
    async () => {
      const { room } = await openRoom(short(await seedContent()))
      expect(await room.progress()).toMatchObject({ state: 'making', total: 3 })
      expect(await room.file('es', 0)).toBeUndefined()
      await room.file('es', TIMEOUT_MS)
      expect(await room.progress()).toEqual({ state: 'ready', done: 3, total: 3, missing: 0 })
    },
    SLOW_MS,
  )

  it(
    'is found again after a restart',
    async () => {
      const snapshot = short(await seedContent())
      const before = await openRoom(snapshot)
      const file = await before.room.file('fr', TIMEOUT_MS)
      const told = await photoBook(before.room.made).run(turn)
      expect(told).toEqual({
        photos: 3,
        made: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      })
      await before.room.stop()
      const after = await openRoom(snapshot, { dir: before.folder })
      expect(await photoBook(after.room.made).run(turn)).toEqual(told)
      expect(await after.room.file('fr', TIMEOUT_MS)).toBe(file)
      expect(after.asked).toEqual([])
    },
    SLOW_MS,
  )

  it(
    'is made again by the job when somebody has deleted it',
    async () => {
      const { room, folder } = await openRoom(short(await seedContent(), 1))
      await photoBook(room.made).run(turn)
      await rm(folder, { recursive: true })
      expect(await photoBook(room.made).run(turn)).toMatchObject({ photos: 1 })
      expect(await room.file('es', TIMEOUT_MS)).toBeDefined()
    },
    SLOW_MS,
  )

  it(
    'asks for no more pictures once the server ends',
    async () => {
      const { room, asked } = await openRoom(short(await seedContent()))
      room.prepare()
      await room.stop()
      expect(asked.length).toBeLessThan(3)
    },
    SLOW_MS,
  )

  it('fails alone where this process has no file to spare for another', async () => {
    const program = `
      import { openSync } from 'node:fs'
      import { startBookProcess } from '${new URL('../../../../../../src/server/modules/story/photo-book/process.ts', import.meta.url)}'
      try { for (;;) openSync('/dev/null') } catch {}
      await startBookProcess({ folder: '', books: [], photos: [] }, new AbortController().signal, () => {})
        .catch(({ code }) => process.exitCode = code === 'EMFILE' ? 7 : 1)
      await new Promise(resolve => setImmediate(resolve))`
    const script = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"'
    const ended = promisify(execFile)('sh', ['-c', script, process.execPath, program])
    await expect(ended).rejects.toMatchObject({ code: 7 })
  }, 20_000)

  it(
    'is made anew when the pictures change, and the old one goes',
    async () => {
      const snapshot = short(await seedContent())
      const { room, folder, publish } = await openRoom(snapshot)
      const before = await room.file('en', TIMEOUT_MS)
      publish(short(snapshot, 2))
      const after = await room.file('en', TIMEOUT_MS)
      expect(after).not.toBe(before)
      expect(readPdf(await readFile(after ?? '')).pages).toBe(2 + OWN_PAGES)
      expect(await readdir(folder)).toHaveLength(1)
    },
    SLOW_MS,
  )

  it(
    'leaves out photos that cannot be had or read, says so, and is made again once they can',
    async () => {
      const { room, clock, asked, away, spoilt } = await openRoom(short(await seedContent()), {
        broken: [1],
        garbled: [2],
      })
      const pages = async () => readPdf(await readFile((await room.file('es', TIMEOUT_MS)) ?? '')).pages
      const job = () => photoBook(room.made).run(turn)
      expect(await pages()).toBe(1 + OWN_PAGES)
      expect(await room.progress()).toEqual({ state: 'ready', done: 3, total: 3, missing: 2 })
      const told = await job()
      expect(told).toMatchObject({ photos: 1, missing: 2 })

      // An hour later they are asked for alone, and as they are what they were, nothing is made.
      clock.advance(3_600_000)
      const before = asked.length
      expect(await job()).toEqual(told)
      expect(asked.slice(before)).toEqual([asked[1], asked[2]])
      expect(await room.progress()).toMatchObject({ state: 'ready', missing: 2 })

      spoilt.clear()
      clock.advance(60_000)
      expect(await job()).toMatchObject({ photos: 2, missing: 1 })
      away.clear()
      clock.advance(60_000)
      expect(await pages()).toBe(3 + OWN_PAGES)
      expect(await room.progress()).toMatchObject({ state: 'ready', missing: 0 })
    },
    SLOW_MS,
  )

  it(
    'says that it failed where it cannot be written, and is tried again later',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'photo-book-'))
      cleanUps.push(() => rm(folder, { recursive: true, force: true }))
      const dir = join(folder, 'a-file')
      await writeFile(dir, '')
      const { room, log, clock } = await openRoom(short(await seedContent()), { dir })
      expect(await room.file('es', TIMEOUT_MS)).toBeUndefined()
      expect((await room.progress()).state).toBe('failed')
      expect(log.events).toContain('photo-book-failed')
      await expect(photoBook(room.made).run(turn)).rejects.toMatchObject({ code: 'ENOTDIR' })
      await rm(dir)
      // Later is later, also where the clock was put back.
      clock.advance(-10 * 3_600_000)
      expect(await room.file('es', TIMEOUT_MS)).toBeDefined()
    },
    SLOW_MS,
  )
})
