import { join } from 'node:path'
import { tryFileLock } from '#server/platform/file-lock.ts'
import { aboutFolder, type Disk, isDiskFull } from './disk.ts'
import { malformed, mutationRefused } from './errors.ts'
import { folded, type Snapshot } from './folding.ts'
import { openLineLog } from './log.ts'
import { instant, type LakeDocument, type TransactionRecord } from './model.ts'
import { changed, type Entry, entryOf } from './past.ts'
import { changeOf, createStaging, type Documents, type Staging, type Step } from './staging.ts'

/** A transaction that is on disk, with every document as it was and as it is. */
export interface Committed {
  readonly record: TransactionRecord
  readonly steps: readonly Step[]
}

/** It lies in memory as a whole, several times over. The seed has 0.2 MB. */
const MOST_CONTENT_CHARACTERS = 24 * 1024 * 1024

export interface CommitOptions {
  readonly author: string
  /** The asker's own name for the transaction. */
  readonly transactionId: string
  /** Says what would come of it, and does nothing. */
  readonly dryRun?: boolean
}

/** Everything the lake knows: documents in memory, and every transaction in a log on disk. */
export interface Store {
  readonly documents: Documents & { readonly size: number }
  /** Changes whenever the documents do. */
  readonly version: () => number
  /** Transactions that are kept, oldest first. */
  readonly entries: () => readonly Entry[]
  /** Every id that there ever was, deleted ones included. */
  readonly known: ReadonlySet<string>
  /**
   * Carries out a transaction, alone. Resolves when it is on disk, and only then is it seen by anybody.
   * Rejects with a LakeError, and with nothing changed, when `work` does, or when it cannot be written.
   */
  commit<T>(
    work: (staging: Staging) => T | Promise<T>,
    options: CommitOptions,
  ): Promise<Committed & { readonly value: T }>
  onTransaction(listener: (committed: Committed) => void): () => void
  /** Takes in what another process has written, while that one is the writer. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the log in a folder, or begins one. Throws when nothing can be written there, and, naming the file and line,
 * when a line other than the last cannot be read: that is damage to see at start, not a crash to pass over.
 */
export async function openStore({
  dir,
  disk,
  clock,
  historyBytes,
}: {
  dir: string
  disk: Disk
  clock: () => number
  historyBytes?: number | undefined
}): Promise<Store> {
  const file = join(dir, 'transactions.ndjson')
  const lockFile = join(dir, 'writer.lock')
  const log = openLineLog(file, disk)
  const documents = new Map<string, LakeDocument>()
  const known = new Set<string>()
  const listeners = new Set<(committed: Committed) => void>()
  let entries: Entry[] = []
  let ids = new Set<string>()
  let version = 0
  let queue: Promise<unknown> = Promise.resolve()
  let releaseLock: (() => void) | undefined
  try {
    await disk.mkdir(dir, { recursive: true })
    releaseLock = tryFileLock(lockFile)
  } catch (error) {
    throw aboutFolder(dir, error)
  }
  await takeIn().catch((error: unknown) => {
    releaseLock?.()
    throw error
  })

  async function takeIn(): Promise<void> {
    const { fresh, lines } = await log.read()
    if (fresh) {
      documents.clear()
      entries = []
      ids = new Set()
    }
    const tell = !fresh
    for (const [index, line] of lines.entries()) {
      const parsed = parse(line, `${file}:${index + 1}`)
      if ('snapshot' in parsed) restore(parsed.snapshot)
      else {
        const steps = parsed.changes.map(change => {
          const before = documents.get(change.id) ?? null
          return { id: change.id, before, after: changed(before, change, parsed.id) }
        })
        apply({ record: parsed, steps }, line, tell)
      }
    }
    if (fresh) version++
  }

  function restore({ documents: kept, known: everKnown }: Snapshot): void {
    for (const document of kept) documents.set(document._id, document)
    for (const id of everKnown) known.add(id)
  }

  function apply(committed: Committed, line: string, tell: boolean): void {
    for (const { id, after } of committed.steps) {
      known.add(id)
      if (after) documents.set(id, after)
      else documents.delete(id)
    }
    entries.push(entryOf(committed.record, line))
    ids.add(committed.record.id)
    version++
    if (tell) for (const listener of listeners) tellSafely(listener, committed)
  }

  function commit<T>(work: (staging: Staging) => T | Promise<T>, options: CommitOptions) {
    const turn = queue.then(() => carryOut(work, options))
    queue = turn.then(foldWhenLong, () => {})
    return turn
  }

  async function carryOut<T>(
    work: (staging: Staging) => T | Promise<T>,
    { author, transactionId, dryRun }: CommitOptions,
  ): Promise<Committed & { value: T }> {
    if (!/^[\w.-]{1,128}$/.test(transactionId)) throw malformed('Invalid transaction ID')
    await becomeWriter()
    if (ids.has(transactionId)) {
      const description = `Transaction "${transactionId}" already exists`
      throw mutationRefused({ type: 'transactionAlreadyExistsError', description, id: transactionId })
    }
    const timestamp = instant(clock())
    const staging = createStaging(documents, { transactionId, timestamp })
    const value = await work(staging)
    const { mutations, steps } = staging.finish()
    checkSize(steps)
    const changes = dryRun ? [] : steps.map(changeOf)
    const record = { id: transactionId, timestamp, author, mutations, changes }
    const committed = { record, steps }
    if (!dryRun && changes.length > 0) {
      const line = JSON.stringify(record)
      await write(line)
      apply(committed, line, true)
    }
    return { ...committed, value }
  }

  const sizes = new WeakMap<LakeDocument, number>()
  function sizeOf(document: LakeDocument | null): number {
    if (document === null) return 0
    const size = sizes.get(document) ?? JSON.stringify(document).length
    sizes.set(document, size)
    return size
  }

  /** Refuses what would make the content larger than there is room for; what makes it smaller may always come. */
  function checkSize(steps: readonly Step[]): void {
    const grown = steps.reduce((sum, { before, after }) => sum + sizeOf(after) - sizeOf(before), 0)
    if (grown <= 0) return
    let size = grown
    for (const document of documents.values()) size += sizeOf(document)
    if (size <= MOST_CONTENT_CHARACTERS) return
    const description = 'The content is larger than 24 MB: take something out of it first'
    throw mutationRefused({ type: 'storageError', description }, 0, 507)
  }

  async function write(line: string): Promise<void> {
    try {
      await log.append(line)
    } catch (error) {
      const description = isDiskFull(error)
        ? 'The disk is full: nothing was changed. Make room and try again.'
        : 'The change could not be written to the disk: nothing was changed. Try again.'
      const reason = error instanceof Error ? error.message : String(error)
      throw mutationRefused({ type: 'storageError', description, reason }, 0, isDiskFull(error) ? 507 : 503)
    }
  }

  /** Another process may have ended meanwhile; what it wrote is taken in before anything is added. */
  async function becomeWriter(): Promise<void> {
    if (releaseLock) return
    releaseLock = tryFileLock(lockFile)
    if (!releaseLock) {
      const description = 'Another process edits this content at the moment'
      throw mutationRefused({ type: 'storageError', description }, 0, 503)
    }
    await takeIn()
  }

  /** A failure costs nothing: the long log stays. */
  async function foldWhenLong(): Promise<void> {
    const short = folded({ entries, documents, known, historyBytes })
    if (!short) return
    try {
      await log.replace([
        JSON.stringify({ snapshot: short.snapshot }),
        ...short.entries.map(({ line }) => line),
      ])
    } catch {
      return
    }
    entries = short.entries
    ids = new Set(entries.map(({ id }) => id))
  }

  return {
    documents,
    known,
    version: () => version,
    entries: () => entries,
    commit,
    onTransaction(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async catchUp() {
      if (releaseLock) return
      const turn = queue.then(takeIn)
      queue = turn.catch(() => {})
      await turn
    },
    async close() {
      await queue
      await log.close()
      releaseLock?.()
      releaseLock = undefined
    },
  }
}

function parse(line: string, place: string): TransactionRecord | { snapshot: Snapshot } {
  try {
    return JSON.parse(line) as TransactionRecord | { snapshot: Snapshot }
  } catch {
    throw new Error(`${place} cannot be read: the log of the content is damaged`)
  }
}

/** What is on disk is done: whoever stumbles over the news does not undo it. */
function tellSafely(listener: (committed: Committed) => void, committed: Committed): void {
  try {
    listener(committed)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
