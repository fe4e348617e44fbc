import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { cropped } from '#server/modules/images/encode.ts'
import { drawBook, type PagePhoto } from './draw.ts'
import type { BookJob, BookPhoto, BookWord } from './job.ts'

/**
 * A process of its own, so that the site never feels it: reads a job from its standard input, prepares each photo
 * once and writes the book in every language. Says how far it is, a line of JSON each.
 */

/** Across an A4 page in landscape, within its margins, 230 dots to the inch. */
const PAGE_PX = 2400
const QUALITY = 80

// One photo at a time on one thread: memory counts more here than time.
sharp.concurrency(1)

const say = (word: BookWord): void => void process.stdout.write(`${JSON.stringify(word)}\n`)

try {
  await make(JSON.parse(await text(process.stdin)) as BookJob)
} catch (error) {
  const { code, name } = error as NodeJS.ErrnoException
  say({ failed: code ?? name })
  throw error
}

async function make(job: BookJob): Promise<void> {
  const photos: (PagePhoto | null)[] = []
  for (const photo of job.photos) {
    photos.push(await prepared(photo))
    say({ done: photos.length })
  }
  for (const texts of job.books) await drawBook(join(job.folder, `${texts.language}.pdf`), texts, photos)
  say({ missing: photos.flatMap((photo, place) => (photo === null ? place : [])) })
}

/** A photo that is broken costs its own page only. */
async function prepared({ file, picture }: BookPhoto): Promise<PagePhoto | null> {
  if (file === null) return null
  try {
    const { data, info } = await cropped(await readFile(file), picture)
      .resize({ width: PAGE_PX, withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return null
  }
}
