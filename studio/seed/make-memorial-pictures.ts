import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { chance } from './memorial/chance.ts'
import { HEIGHT, WIDTH } from './memorial/drawing.ts'
import { MOTIFS } from './memorial/motifs.ts'
import { PHOTOS, type Photo } from './memorial/photos.ts'

/**
 * Draws the forty pictures that the memorial begins with, twenty motifs in two lights each, and writes their documents
 * into the seed. The operator may put photographs in their place. The same on every run: `node studio/seed/make-memorial-pictures.ts`.
 */

/** Printed across an A4 page in landscape, within its margins, 230 dots to the inch; the height is two thirds of it. */
const PICTURE_WIDTH = 2400
const MOST_BYTES = 70_000
/** They were drawn for this product; its seed calls it so. */
const AUTHOR = 'Keep the Chain'
const FOLDER = fileURLToPath(new URL('./images/', import.meta.url))
const SEED = fileURLToPath(new URL('./production.ndjson', import.meta.url))

const idOf = (index: number): string => `memorialPhoto-${String(index + 1).padStart(2, '0')}`

/** The picture as an SVG, which says nothing but shapes. */
export function drawPicture({ motif, paint }: Photo, index: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${PICTURE_WIDTH}">${MOTIFS[motif](chance(7919 * (index + 1)), paint)}</svg>`
}

/** Its document, in the official export format. */
export function documentOf({ caption, alt }: Photo, index: number): object {
  return {
    _id: idOf(index),
    _type: 'memorialPhoto',
    author: AUTHOR,
    licence: 'CC0 1.0',
    caption,
    alt,
    image: { _type: 'image', _sanityAsset: `image@file://./images/${idOf(index)}.jpg` },
    place: index + 1,
  }
}

/** The picture as a file, as good as its size allows: what stands in the repository stays small. */
async function pictureOf(photo: Photo, index: number): Promise<Buffer> {
  const drawn = sharp(Buffer.from(drawPicture(photo, index)))
    .resize(PICTURE_WIDTH)
    .flatten({ background: '#ffffff' })
  for (let quality = 84; ; quality -= 6) {
    const picture = await drawn.clone().jpeg({ quality, mozjpeg: true }).toBuffer()
    if (picture.length <= MOST_BYTES || quality < 40) return picture
  }
}

async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  for (const [index, photo] of PHOTOS.entries()) {
    await writeFile(`${FOLDER}${idOf(index)}.jpg`, await pictureOf(photo, index))
  }
  const others = (await readFile(SEED, 'utf8'))
    .split('\n')
    .filter(line => line !== '' && !line.includes('"_type":"memorialPhoto"'))
  const photos = PHOTOS.map((photo, index) => JSON.stringify(documentOf(photo, index)))
  await writeFile(SEED, `${[...others, ...photos].join('\n')}\n`)
}

if (import.meta.main) await main()
