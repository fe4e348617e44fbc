import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Writer } from '#server/platform/db/engine.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** So many share a commit at the most: whoever comes first waits for all of them. */
const MOST = 32

type Work = (trx: Writer) => Promise<unknown>

/** What a group has to know of its connection, and to say to it. */
export interface GroupConnection {
  /** False once the database has taken the whole transaction back by itself (a full disk). */
  readonly isInTransaction: boolean
  /** Are the commits that follow on the disk before they resolve? */
  setDurable(isDurable: boolean): void
}

/** A transaction that waits for its turn, and how whoever asked for it hears of its end. */
interface Waiting {
  readonly work: Work
  readonly isDurable: boolean
  readonly keep: (value: unknown) => void
  readonly refuse: (error: unknown) => void
}

/**
 * Lets transactions that wait for each other share one commit. An embedded database does one after the other in any
 * case, and putting a commit on the disk costs more than what most of them write.
 *
 * Each is still whole or not at all: what one writes is taken back alone when it fails (a savepoint), and nobody hears of an
 * end before the commit, neither of a success nor of a refusal that others' writing led to. Where the commit itself is refused,
 * each is done again by itself, so that nobody fails by another's doing.
 *
 * A group that begins with a durable transaction is durable, whoever joins it; one that does not takes none that is.
 */
export function groupCommit(
  writer: Kysely<Schema>,
  connection: GroupConnection,
): <T>(work: (trx: Writer) => Promise<T>, isDurable: boolean) => Promise<T> {
  const waiting: Waiting[] = []
  let isBusy = false

  async function workOff(): Promise<void> {
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0) {
      const group: Waiting[] = []
      // Statements of an embedded database and its commit leave no turn to others: whoever has arrived meanwhile joins here.
      const tell = await turn()
        .then(() => together(group, waiting))
        .catch(async error => {
          if (group.length > 1) return alone(group)
          // The lock was refused before anybody wrote: each asks for it again in its own time.
          return () => {
            for (const { refuse } of group.length > 0 ? group : waiting.splice(0)) refuse(error)
          }
        })
      tell()
    }
    isBusy = false
  }

  /** Works off some of `from`, and puts them into `group` as they begin. @returns what tells them, after the commit */
  async function together(group: Waiting[], from: Waiting[]): Promise<() => void> {
    const isDurable = from[0]!.isDurable
    connection.setDurable(isDurable)
    return writer.transaction().execute(async trx => {
      const told: (() => void)[] = []
      while (from.length > 0 && group.length < MOST && (isDurable || !from[0]!.isDurable)) {
        const next = from.shift()!
        group.push(next)
        // The first can be taken back with the whole transaction.
        told.push(group.length === 1 ? await done(trx, next) : await apart(trx, next))
      }
      return () => {
        for (const tell of told) tell()
      }
    })
  }

  async function apart(trx: Writer, next: Waiting): Promise<() => void> {
    await sql`savepoint shared`.execute(trx)
    try {
      return await done(trx, next)
    } catch (error) {
      if (!connection.isInTransaction) throw error
      await sql`rollback to shared`.execute(trx)
      return () => next.refuse(error)
    } finally {
      if (connection.isInTransaction) await sql`release shared`.execute(trx)
    }
  }

  async function alone(group: readonly Waiting[]): Promise<() => void> {
    for (const one of group) (await together([], [one]).catch(error => () => one.refuse(error)))()
    return () => {}
  }

  return <T>(work: (trx: Writer) => Promise<T>, isDurable: boolean) =>
    new Promise<T>((resolve, reject) => {
      // What a transaction is asked by stays what it knows of, whoever begins the group.
      const asAsked = AsyncLocalStorage.snapshot()
      waiting.push({
        work: trx => asAsked(() => work(trx)),
        isDurable,
        keep: value => resolve(value as T),
        refuse: reject,
      })
      void workOff()
    })
}

async function done(trx: Writer, { work, keep }: Waiting): Promise<() => void> {
  const value = await work(trx)
  return () => keep(value)
}
