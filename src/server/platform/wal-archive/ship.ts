import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backup } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import { LOSS_WINDOW_MS, oldestKept, SNAPSHOT_EVERY_MS } from '#domain/backup/archive.ts'
import { MINUTE_MS } from '#domain/durations.ts'
import type { Clock, MonotonicClock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { tryFileLock } from '#server/platform/file-lock.ts'
import type { Log } from '#server/platform/log.ts'
import { type Connections, openConnections, type Pinned } from './connections.ts'
import {
  begunName,
  generationName,
  generationsIn,
  headName,
  type SnapshotNote,
  segmentAt,
  segmentName,
  segmentsIn,
  snapshotName,
  snapshotNoteName,
  snapshotsIn,
} from './layout.ts'
import { createDigesting, DamagedArchive, digestIn, encodeSegment, sha256 } from './segment.ts'
import type { ArchiveStore } from './store.ts'
import { type Frames, framesAfter, isIn, NOWHERE, type Position, startOf } from './wal.ts'

export interface ShippingTools {
  readonly dataDir: string
  /** The same database, on SQLite: a transaction of it keeps every process from writing meanwhile. */
  readonly db: Database
  readonly store: ArchiveStore
  readonly clock: Clock
  readonly monotonic: MonotonicClock
  readonly log: Log
  /** After how many frames the log is folded into the database. */
  readonly foldAfter?: number
}

/** Ships what is written to the database into an archive, as long as it lives. */
export interface Shipping {
  /** Ships what came since the last turn, folds the log away when it is long, makes a whole copy when one is due. */
  turn(): Promise<void>
  /**
   * Resolves once all that is committed now is in the archive: for what is lost with nothing else to tell of it. At once
   * where another process ships; after some seconds where the archive does not answer, since a site whose archive is
   * away goes on, and says so in an alarm.
   */
  shipped(): Promise<void>
  /** Ships the rest, and lets go. */
  stop(): Promise<void>
}

/** As many as SQLite itself folds away after. */
const FOLD_AFTER_FRAMES = 1_000
/** A log that grows no more is folded away after so many turns, so that nothing deleted stays in it. */
const QUIET_TURNS = 5
/** Nobody waits longer for the archive. */
const LONGEST_WAIT_MS = 2_000
/** Longer than this a log that cannot be shipped is not kept: the disk has to hold what comes. */
const MOST_KEPT_BYTES = 1024 ** 3

interface State {
  readonly generation: number
  position: Position
  number: number
  /** The digest of the last segment. */
  previous: string
  /** Nothing was shipped since the log was folded away whole and held again: it may begin anew. */
  isFolded: boolean
  /** Of the newest whole copy, epoch ms UTC. */
  snapshotAt: number | undefined
  quiet: number
  notedAt: number
  notedNumber: number
}

/** The log was begun anew before everything in it was shipped: what is written now is no continuation. */
class Gap extends Error {
  override readonly name = 'Gap'
}

/** Makes a shipping that begins with its first turn. */
export function createShipping(tools: ShippingTools): Shipping {
  const { db, store, clock, monotonic, log, dataDir, foldAfter = FOLD_AFTER_FRAMES } = tools
  const walFile = join(dataDir, `${SQLITE_FILE}-wal`)
  let connections: Connections | undefined
  let unlock: (() => void) | undefined
  let state: State | undefined
  let copying: Promise<void> | undefined
  let upToDateAt = monotonic()
  let toldAt: number | undefined
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  let isStopped = false

  /** One thing at a time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  async function withLog<T>(fn: (file: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    const file = await open(walFile, 'r')
    try {
      return await fn(file)
    } finally {
      await file.close()
    }
  }

  async function newFrames(at: State): Promise<Frames | undefined> {
    return withLog(async file => {
      const start = await startOf(file)
      if (start.salts !== at.position.salts) {
        if (!at.isFolded) throw new Gap('The log was begun anew before all of it was shipped.')
        if (start.salts === '') return undefined
        at.position = start
      }
      return framesAfter(file, at.position)
    })
  }

  /** Ships what is committed now. @returns whether there was anything */
  async function shipAll(at: State): Promise<boolean> {
    for (let any = false; ; any = true) {
      const frames = await newFrames(at)
      if (frames !== undefined) await shipFrames(at, frames)
      // What is written meanwhile is the next one's: under load it would never end.
      if (frames?.isCut) continue
      upToDateAt = monotonic()
      return any || frames !== undefined
    }
  }

  async function shipFrames(at: State, frames: Frames): Promise<void> {
    const number = at.number + 1
    const place = { generation: at.generation, number, at: clock(), previous: at.previous }
    const bytes = await encodeSegment(place, frames)
    await store.put(segmentName(at.generation, number), bytes)
    Object.assign(at, { number, position: frames.to, isFolded: false, previous: digestIn(bytes) })
  }

  async function fold(at: State, held: Connections): Promise<void> {
    await db.transaction(async () => {
      // Whoever writes waits: what is folded away was shipped, and nothing comes in between.
      await shipAll(at)
      at.isFolded = held.fold()
    })
    // Where somebody has written since, SQLite refuses: this process holds.
    if (at.isFolded) held.truncate()
  }

  async function begin(held: Connections): Promise<State> {
    held.hold()
    const generation = (await generationsIn(store)).at(-1) ?? 0
    const kept = generation === 0 ? undefined : await lastOf(generation)
    if (kept !== undefined && (await withLog(file => isIn(file, kept.position)))) return kept
    return beginGeneration(generation + 1)
  }

  async function lastOf(generation: number): Promise<State | undefined> {
    const number = (await segmentsIn(store, generation)).at(-1)
    const copies = (await snapshotsIn(store)).filter(each => each.generation === generation)
    const copy = copies.at(-1)
    const rest = { generation, isFolded: false, snapshotAt: copy?.at, quiet: 0, notedAt: 0, notedNumber: 0 }
    if (number === undefined) return copy && { ...rest, ...copy }
    try {
      const { header, digest } = await segmentAt(store, generation, number)
      return { ...rest, number, position: header.to, previous: digest }
    } catch (error) {
      if (!(error instanceof DamagedArchive)) throw error
      log.error('archive-damaged', error, { generation, segment: number })
      return undefined
    }
  }

  async function beginGeneration(generation: number): Promise<State> {
    const begun = Buffer.from(JSON.stringify({ at: clock() }))
    await store.put(begunName(generation), begun)
    log.info('archive-generation-begun', { generation })
    return {
      generation,
      position: NOWHERE,
      number: 0,
      previous: sha256(begun).toString('hex'),
      isFolded: true,
      snapshotAt: undefined,
      quiet: 0,
      notedAt: 0,
      notedNumber: 0,
    }
  }

  /** Where the log ends now. */
  async function endOfLog(): Promise<Position> {
    return withLog(async file => {
      let position = await startOf(file)
      for (;;) {
        const frames = position.salts === '' ? undefined : await framesAfter(file, position)
        if (frames === undefined) return position
        position = frames.to
      }
    })
  }

  /** Pins a state that everything until now is in, and goes on copying it beside the shipping. */
  async function beginCopy(at: State, held: Connections): Promise<void> {
    let pinned: Pinned | undefined
    await db.transaction(async () => {
      if (at.snapshotAt === undefined && at.number === 0) {
        at.position = await endOfLog()
        at.isFolded = at.position.frames === 0
      } else await shipAll(at)
      pinned?.unpin()
      pinned = held.pin()
    })
    const { generation, number, position, previous } = at
    const made = { generation, number, position, previous, at: clock() }
    at.snapshotAt = made.at
    copying = copy(pinned!, made)
      .then(prune)
      .catch((error: unknown) => {
        at.snapshotAt = undefined
        log.error('archive-copy-failed', error, { generation })
      })
      .finally(() => {
        copying = undefined
      })
  }

  async function copy(
    { connection, unpin }: Pinned,
    made: Omit<SnapshotNote, 'sha256' | 'bytes'>,
  ): Promise<void> {
    const file = join(dataDir, 'database.copying')
    try {
      await rm(file, { force: true })
      await backup(connection, file, { rate: 10_000 })
      unpin()
      const written = createDigesting()
      const out = new PassThrough()
      const { generation, number } = made
      const name = snapshotName(generation, number)
      // What a process that died has left: only its note would make it count.
      await store.remove(name)
      await Promise.all([
        pipeline(createReadStream(file), createGzip({ level: constants.Z_BEST_SPEED }), written.through, out),
        store.put(name, out),
      ])
      const note: SnapshotNote = {
        ...made,
        sha256: written.digest(),
        bytes: (await stat(file)).size,
      }
      await store.note(snapshotNoteName(generation, number), JSON.stringify(note))
    } finally {
      if (connection.isOpen) unpin()
      for (const rest of ['', '-wal', '-shm', '-journal']) await rm(file + rest, { force: true })
    }
  }

  /** What no instant that is kept needs any more goes: first what makes a copy count. */
  async function prune(): Promise<void> {
    const copies = await snapshotsIn(store)
    const kept = oldestKept(copies, clock())
    if (kept === undefined) return
    for (const { generation, number } of copies) {
      if (generation > kept.generation) continue
      if (generation === kept.generation && number >= kept.number) continue
      await store.remove(snapshotNoteName(generation, number))
      await store.remove(snapshotName(generation, number))
    }
    for (const generation of await generationsIn(store)) {
      if (generation < kept.generation) await store.remove(generationName(generation))
      if (generation !== kept.generation) continue
      for (const number of await segmentsIn(store, generation))
        if (number <= kept.number) await store.remove(segmentName(generation, number))
    }
  }

  async function noteHead(at: State): Promise<void> {
    const now = clock()
    if (at.number === at.notedNumber && Math.abs(now - at.notedAt) < MINUTE_MS) return
    await store.note(
      headName(at.generation),
      JSON.stringify({ number: at.number, digest: at.previous, seenAt: now }),
    )
    Object.assign(at, { notedAt: now, notedNumber: at.number })
  }

  async function work(): Promise<void> {
    unlock ??= tryFileLock(join(dataDir, 'shipping.lock'))
    if (unlock === undefined) {
      upToDateAt = monotonic()
      return
    }
    connections ??= openConnections(dataDir)
    state ??= await begin(connections)
    const at = state
    if (at.snapshotAt === undefined && at.number === 0 && copying === undefined)
      await beginCopy(at, connections)
    const any = await shipAll(at)
    at.quiet = any ? 0 : at.quiet + 1
    const isLong = at.position.frames >= foldAfter
    if (!at.isFolded && (isLong || at.quiet >= QUIET_TURNS)) await fold(at, connections)
    const age = at.snapshotAt === undefined ? SNAPSHOT_EVERY_MS : clock() - at.snapshotAt
    if (age >= SNAPSHOT_EVERY_MS && copying === undefined) await beginCopy(at, connections)
    await noteHead(at)
  }

  /** A log that nobody ships may not fill the disk. */
  async function dropLongLog(): Promise<void> {
    const { size } = await stat(walFile).catch(() => ({ size: 0 }))
    if (size < MOST_KEPT_BYTES) return
    connections?.close()
    connections = undefined
    state = undefined
  }

  async function failed(error: unknown): Promise<void> {
    if (error instanceof Gap) {
      log.error('archive-gap', error, { generation: state?.generation ?? 0 })
      state = undefined
    }
    const now = monotonic()
    const behindMs = now - upToDateAt
    if (behindMs < LOSS_WINDOW_MS || (toldAt !== undefined && now - toldAt < MINUTE_MS)) return
    toldAt = now
    log.error('archive-behind', error, { seconds: Math.round(behindMs / 1000) })
    await dropLongLog()
  }

  return {
    turn: () => inTurn(() => (isStopped ? Promise.resolve() : work().catch(failed))),
    shipped() {
      // Whoever comes while one is under way may be too late for it: they share the one after it.
      next ??= inTurn(async () => {
        next = undefined
        if (state !== undefined && !isStopped) await shipAll(state)
      }).catch(failed)
      return atMost(LONGEST_WAIT_MS, next)
    },
    stop: () =>
      inTurn(async () => {
        isStopped = true
        try {
          await copying
          if (state !== undefined) {
            await shipAll(state)
            state.notedAt = 0
            await noteHead(state)
          }
        } catch (error) {
          log.error('archive-behind', error, { seconds: Math.round((monotonic() - upToDateAt) / 1000) })
        } finally {
          connections?.close()
          unlock?.()
          state = undefined
        }
      }),
  }
}

/** Waits for work, but not for ever. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const enough = new AbortController()
  const over = wait(ms, undefined, { signal: enough.signal }).catch(() => {})
  await Promise.race([work, over])
  enough.abort()
}
