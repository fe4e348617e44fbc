import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { snapshotFor } from '#domain/backup/archive.ts'
import {
  generationsIn,
  headIn,
  refuseStrangers,
  segmentAt,
  segmentName,
  segmentsIn,
  snapshotName,
  snapshotsIn,
} from './layout.ts'
import { createDigesting, DamagedArchive } from './segment.ts'
import type { ArchiveStore } from './store.ts'
import { type Position, pagesOf } from './wal.ts'

/** What a database was rebuilt from. */
export interface Rebuilt {
  readonly generation: number
  /** All that it holds was written by then, epoch ms UTC. */
  readonly until: number
  readonly segments: number
  /** Later generations that nothing was rebuilt from: the machine was lost before their first whole copy was made. */
  readonly without: readonly number[]
}

/**
 * Rebuilds the database as it was: from a whole copy and every segment after it.
 * @param at epoch ms UTC; the newest state when missing
 * @param file is made; nothing may have its name
 * @throws DamagedArchive where anything on the way is damaged, missing or there twice. Nothing is passed over.
 */
export async function rebuild(
  store: ArchiveStore,
  { at, file }: { readonly at: number | undefined; readonly file: string },
): Promise<Rebuilt> {
  const found = snapshotFor(await snapshotsIn(store), at)
  if (found === undefined)
    throw new DamagedArchive(
      at === undefined
        ? 'There is no whole copy in this archive.'
        : 'This archive has no whole copy of before that instant.',
    )
  const { generation } = found
  await refuseStrangers(store, generation)
  const target = await open(file, 'wx', 0o600)
  try {
    const name = snapshotName(generation, found.number)
    const read = createDigesting()
    let bytes = 0
    const write = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) {
        await target.write(chunk, 0, chunk.length, bytes)
        bytes += chunk.length
      }
    }
    await pipeline(store.stream(name), read.through, createGunzip(), write).catch((error: unknown) => {
      throw new DamagedArchive(`${name} is damaged: ${(error as Error).message}.`)
    })
    if (read.digest() !== found.sha256 || bytes !== found.bytes)
      throw new DamagedArchive(`${name} is damaged: it is not what was written.`)

    let { previous, at: until, position } = found
    let segments = 0
    const numbers = (await segmentsIn(store, generation)).filter(number => number > found.number)
    const newest = Math.max(numbers.at(-1) ?? 0, (await headIn(store, generation))?.number ?? 0)
    for (let number = found.number + 1; number <= newest; number++) {
      const part = segmentName(generation, number)
      if (!numbers.includes(number)) throw new DamagedArchive(`${part} is missing.`)
      const { header, frames, digest: own } = await segmentAt(store, generation, number)
      if (header.previous !== previous || !follows(header.from, position))
        throw new DamagedArchive(
          `${part} does not follow on what is before it: one of the two is not of here.`,
        )
      if (at !== undefined && header.at > at) break
      for (const { offset, page } of pagesOf(frames, header.pageSize))
        await target.write(page, 0, page.length, offset)
      await target.truncate(header.pages * header.pageSize)
      ;({ to: position } = header)
      previous = own
      until = header.at
      segments++
    }
    // Like every other backup: a file that needs no log beside it.
    await target.write(Buffer.from([1, 1]), 0, 2, 18)
    await target.sync()
    const later = (await generationsIn(store)).filter(each => each > generation)
    const without = at === undefined ? later : []
    return { generation, until, segments, without }
  } finally {
    await target.close()
  }
}

/** A segment goes on in the same log, or begins the next one. */
const follows = (from: Position, position: Position): boolean =>
  from.salts === position.salts ? from.frames === position.frames : from.frames === 0
