import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { assetFile } from '#domain/images/picture.ts'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import { getT } from '#i18n/index.ts'
import type { ReadAsset } from '#server/modules/content/assets.ts'
import type { ContentSnapshot, MemorialPhoto } from '#server/modules/content/snapshot.ts'
import type { BookOwner, BookProgress, PhotoBook } from '#server/modules/story/interface.ts'
import { missionText } from '#server/modules/story/invitation.ts'
import type { Clock } from '#server/platform/clock.ts'
import { isThere } from '#server/platform/files.ts'
import type { Log } from '#server/platform/log.ts'
import { dedicationOf } from './dedicate.ts'
import type { BookJob, BookPhoto, OwnTexts } from './job.ts'
import { startBookProcess } from './process.ts'

export interface PhotoBookParts {
  /** The books' own folder. */
  readonly dir: string
  readonly readAsset: ReadAsset
  readonly content: () => ContentSnapshot
  readonly clock: Clock
  readonly log: Log
}

export interface PhotoBookRoom extends PhotoBook {
  /** Begins to make the book where there is none of this content: somebody will soon want it. */
  prepare(): void
  /** Has the book made where it is not there, and waits for it. @throws what it failed with, or the server's end */
  made(): Promise<MadeBook>
  stop(): Promise<void>
}

export interface MadeBook {
  readonly photos: number
  /** Of the published ones: could not be had, or not be read. */
  readonly missing: number
  /** Epoch ms UTC. */
  readonly madeAt: number
}

/** Raised when a book is drawn otherwise: one that an earlier version made is then made anew. */
const EDITION = 2
/** After so long a book that failed is tried again, and one that lacks photos looked at. */
const AGAIN_AFTER_MS = 60_000
/** The file that is written beside the books when all are made. It lists the pictures that they lack. */
const MADE = 'made.json'

/** The photos that a book lacks, by their place: the digest of what could not be read, null of what could not be had. */
type Lacks = Readonly<Record<string, string | null>>

interface Edition {
  readonly digest: string
  readonly work: Promise<void>
  progress: BookProgress
  /** Epoch ms UTC. */
  endedAt: number | undefined
  /** What it failed with. */
  failure?: unknown
}

/**
 * The photo-book of the published pictures: made once for each set of them, in a process of its own, kept on disk in
 * every language. Whoever asks while it is being made waits for the same one.
 */
export function createPhotoBook(parts: PhotoBookParts): PhotoBookRoom {
  const { dir, readAsset, content, clock, log } = parts
  let current: Edition | undefined
  const ending = new AbortController()

  /** The edition of what is published now. */
  function edition(): Edition {
    const snapshot = content()
    const digest = digestOf(snapshot)
    if (current?.digest === digest && !isDueAgain(current)) return current
    const total = snapshot.memorialPhotos.length
    const made: Edition = {
      digest,
      progress: { state: 'making', done: 0, total, missing: 0 },
      endedAt: undefined,
      work: Promise.resolve(),
    }
    const before = current?.work ?? Promise.resolve()
    current = Object.assign(made, {
      work: before
        .then(() => make(made, snapshot))
        .catch((error: unknown) => {
          if (!ending.signal.aborted) log.error('photo-book-failed', error)
          made.progress = { ...made.progress, state: 'failed' }
          made.endedAt = clock()
          made.failure = error
        }),
    })
    return current
  }

  /** The same, made or failed. */
  async function ended(): Promise<Edition> {
    const asked = edition()
    await asked.work
    return asked
  }

  function isDueAgain({ progress, endedAt }: Edition): boolean {
    const isWhole = progress.state === 'ready' && progress.missing === 0
    // Also where the clock was put back meanwhile.
    return endedAt !== undefined && !isWhole && Math.abs(clock() - endedAt) >= AGAIN_AFTER_MS
  }

  async function make(made: Edition, snapshot: ContentSnapshot): Promise<void> {
    const folder = join(dir, made.digest)
    const total = snapshot.memorialPhotos.length
    // Made by an earlier run of the server, perhaps.
    const kept = await lacksOf(folder)
    const lacks = kept && (await isStillSo(kept, snapshot)) ? kept : await makeAnew(folder, snapshot, made)
    made.progress = { state: 'ready', done: total, total, missing: Object.keys(lacks).length }
    made.endedAt = clock()
    await forgetOthers(made.digest)
  }

  /** Would a book that is made anew lack the same? Then there is nothing to make. */
  async function isStillSo(lacks: Lacks, snapshot: ContentSnapshot): Promise<boolean> {
    for (const [place, digest] of Object.entries(lacks)) {
      const photo = snapshot.memorialPhotos[Number(place)]
      ending.signal.throwIfAborted()
      const bytes = photo && (await original(photo))
      if ((bytes ? sha256(bytes) : null) !== digest) return false
    }
    return true
  }

  async function makeAnew(folder: string, snapshot: ContentSnapshot, made: Edition): Promise<Lacks> {
    const originals = join(folder, 'originals')
    await mkdir(originals, { recursive: true })
    const startedAt = performance.now()
    try {
      const photos: BookPhoto[] = []
      for (const photo of snapshot.memorialPhotos) {
        ending.signal.throwIfAborted()
        photos.push(await fetched(photo, originals))
      }
      const job: BookJob = { folder, books: booksOf(snapshot), photos }
      let missing: readonly number[] = []
      await startBookProcess(job, ending.signal, word => {
        if ('done' in word) made.progress = { ...made.progress, done: word.done }
        else missing = word.missing
      })
      const lacks: Record<string, string | null> = {}
      for (const place of missing) {
        const file = photos[place]?.file ?? null
        lacks[place] = file === null ? null : sha256(await readFile(file))
      }
      await writeFile(join(folder, MADE), JSON.stringify({ lacks }))
      log.info('photo-book-made', {
        missing: missing.length,
        ms: Math.round(performance.now() - startedAt),
      })
      return lacks
    } finally {
      await rm(originals, { recursive: true, force: true })
    }
  }

  /** The original on disk, where the other process finds it. */
  async function fetched(photo: MemorialPhoto, folder: string): Promise<BookPhoto> {
    const picture = photo.image
    const bytes = await original(photo)
    if (bytes === undefined) return { file: null, picture }
    const file = join(folder, assetFile(picture))
    await writeFile(file, bytes)
    return { file, picture }
  }

  /** undefined when it cannot be had now. */
  async function original({ id, image }: MemorialPhoto): Promise<Uint8Array | undefined> {
    try {
      return await readAsset(assetFile(image))
    } catch (error) {
      log.error('photo-not-fetched', error, { photo: id })
      return undefined
    }
  }

  /** Books of earlier content take no room. */
  async function forgetOthers(digest: string): Promise<void> {
    const others = (await readdir(dir)).filter(name => name !== digest)
    await Promise.all(others.map(name => rm(join(dir, name), { recursive: true, force: true })))
  }

  return {
    prepare: () => void edition(),
    async made() {
      let asked = await ended()
      // Somebody who needed room has deleted it.
      if (asked.failure === undefined && !(await isThere(join(dir, asked.digest, MADE)))) {
        if (current === asked) current = undefined
        asked = await ended()
      }
      const { digest, progress, failure } = asked
      if (failure !== undefined) throw failure
      const { mtimeMs } = await stat(join(dir, digest, MADE))
      return { photos: progress.total - progress.missing, missing: progress.missing, madeAt: mtimeMs }
    },
    async progress() {
      const { work } = edition()
      // A book that is there already is known of within a moment.
      await Promise.race([work, wait(50)])
      return edition().progress
    },
    async file(language, timeoutMs) {
      const asked = edition()
      await Promise.race([asked.work, wait(timeoutMs, undefined, { ref: false })])
      if (asked.progress.state !== 'ready') return undefined
      const file = join(dir, asked.digest, `${language}.pdf`)
      return (await isThere(file)) ? file : undefined
    },
    dedication: (file, language, card) =>
      dedicationOf(file, language, { ...ownTexts(content(), language, card), theme: card.theme }),
    async stop() {
      ending.abort()
      await current?.work
    },
  }
}

/** The same for the same pictures and words. */
function digestOf({ memorialPhotos, settings }: ContentSnapshot): string {
  return createHash('sha256')
    .update(JSON.stringify([EDITION, memorialPhotos, settings.siteName]))
    .digest('hex')
    .slice(0, 24)
}

function booksOf(snapshot: ContentSnapshot): BookJob['books'] {
  const { memorialPhotos, settings } = snapshot
  return LANGUAGES.map(language => {
    const t = getT(language)
    return {
      language,
      title: `${t('photo-book-title')} · ${settings.siteName[language]}`,
      author: settings.siteName[language],
      own: ownTexts(snapshot, language),
      pages: memorialPhotos.map(({ author, licence, caption, alt }, index) => ({
        caption: caption[language],
        alt: alt[language],
        credit: t('photo-book-credit', { author, licence }),
        number: t('photo-book-page', { number: index + 1, count: memorialPhotos.length }),
      })),
    }
  })
}

/** What the pages say that are drawn anew for each invitation; without one, of a book that is nobody's yet. */
function ownTexts(snapshot: ContentSnapshot, language: Language, card?: BookOwner): OwnTexts {
  const t = getT(language)
  const mission = card && missionText(card.mission, snapshot, language)
  return {
    title: t('photo-book-title'),
    giver: card?.senderName ? t('photo-book-for-named', { name: card.senderName }) : t('photo-book-for'),
    mission: mission === undefined ? t('volunteering-introduction-10-title-later') : mission,
    opening: t('photo-book-opening'),
    closing: t('photo-book-closing'),
    colophon: t('photo-book-colophon', { name: snapshot.settings.siteName[language] }),
  }
}

/** What the book in this folder lacks; undefined when there is no whole book. */
async function lacksOf(folder: string): Promise<Lacks | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, MADE), 'utf8')) as { lacks?: Lacks }).lacks
  } catch {
    return undefined
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
