import type { Snapshot } from '#domain/backup/archive.ts'
import { DamagedArchive, decodeSegment, type Segment } from './segment.ts'
import type { ArchiveStore } from './store.ts'
import type { Position } from './wal.ts'

/** What stands beside a whole copy; the copy counts only once this does. */
export interface SnapshotNote extends Snapshot {
  /** Where in the log it was made. */
  readonly position: Position
  /** The digest of the segment that it has everything of. */
  readonly previous: string
  /** Of the compressed file, hex, and the length of the database in it. */
  readonly sha256: string
  readonly bytes: number
}

/** The newest segment that was shipped, and when the shipping last looked: written after each of them. */
export interface HeadNote {
  readonly number: number
  readonly digest: string
  readonly seenAt: number
}

const digits = (n: number, width: number): string => String(n).padStart(width, '0')
/** Names sort as the numbers do. */
export const generationName = (ordinal: number): string => `generation-${digits(ordinal, 6)}`
/** Where a segment lies. */
export const segmentName = (generation: number, number: number): string =>
  `${generationName(generation)}/${digits(number, 10)}.segment`
/** Where a whole copy lies, by the segment that it has everything of. */
export const snapshotName = (generation: number, number: number): string =>
  `${generationName(generation)}/${digits(number, 10)}.snapshot.gz`
/** Where its note lies. */
export const snapshotNoteName = (generation: number, number: number): string =>
  `${generationName(generation)}/${digits(number, 10)}.snapshot.json`
/** Made before anything else of a generation, by one process alone. */
export const begunName = (generation: number): string => `${generationName(generation)}/begun.json`
/** Where the note of the newest segment lies. */
export const headName = (generation: number): string => `${generationName(generation)}/head.json`

const GENERATION = /^generation-(\d{6})$/
const SEGMENT = /^(\d{10})\.segment$/
const SNAPSHOT_NOTE = /^(\d{10})\.snapshot\.json$/
const KNOWN = /^(\d{10}\.(segment|snapshot\.gz|snapshot\.json)|head\.json|begun\.json|.*\.part)$/

/** The ordinals of all generations, in their order. */
export async function generationsIn(store: ArchiveStore): Promise<readonly number[]> {
  return numbersIn(await store.list(''), GENERATION)
}

const numbersIn = (names: readonly string[], pattern: RegExp): readonly number[] =>
  names.flatMap(name => pattern.exec(name)?.[1] ?? []).map(Number)

/** The numbers of a generation's segments. */
export async function segmentsIn(store: ArchiveStore, generation: number): Promise<readonly number[]> {
  return numbersIn(await store.list(generationName(generation)), SEGMENT)
}

/** @throws DamagedArchive where something else lies among a generation's files: a copied segment, say */
export async function refuseStrangers(store: ArchiveStore, generation: number): Promise<void> {
  const strange = (await store.list(generationName(generation))).find(name => !KNOWN.test(name))
  if (strange !== undefined)
    throw new DamagedArchive(
      `${generationName(generation)}/${strange} is no file of this archive: is it the double of another? Take it out first.`,
    )
}

/** Every whole copy, of all generations. */
export async function snapshotsIn(store: ArchiveStore): Promise<readonly SnapshotNote[]> {
  const found: SnapshotNote[] = []
  for (const generation of await generationsIn(store)) {
    const names = await store.list(generationName(generation))
    for (const number of numbersIn(names, SNAPSHOT_NOTE))
      found.push(await readNote<SnapshotNote>(store, snapshotNoteName(generation, number)))
  }
  return found
}

/** A generation's newest note of the shipping; undefined before the first. */
export async function headIn(store: ArchiveStore, generation: number): Promise<HeadNote | undefined> {
  const names = await store.list(generationName(generation))
  return names.includes('head.json') ? readNote<HeadNote>(store, headName(generation)) : undefined
}

async function readNote<T>(store: ArchiveStore, name: string): Promise<T> {
  const text = (await store.read(name)).toString()
  try {
    return JSON.parse(text) as T
  } catch {
    throw new DamagedArchive(`${name} is damaged: it is no note of this archive.`)
  }
}

/** A segment, which has to be the one that its name says. @throws DamagedArchive */
export async function segmentAt(store: ArchiveStore, generation: number, number: number): Promise<Segment> {
  const name = segmentName(generation, number)
  const segment = await decodeSegment(name, await store.read(name))
  const { header } = segment
  if (header.generation !== generation || header.number !== number)
    throw new DamagedArchive(
      `${name} is the double of ${segmentName(header.generation, header.number)}: the segment of its own name is missing.`,
    )
  return segment
}
