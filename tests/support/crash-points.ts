import type { KyselyPlugin } from 'kysely'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

/** The process is gone: nothing that it was about to do happens any more. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

const throwKilled = (): never => {
  throw new Killed()
}

/** A process that dies at its nth step, counted from 1. What an open transaction has written is lost with it. */
export interface Mortal {
  /** Counts a step of whatever is no statement; throws from the deadly one on. */
  step(): void
  /** The same database, whose statements are steps. */
  over(db: Database): Database
  /** Did it live to the end? */
  survived(): boolean
}

/** @param die what happens then, and at every step after it */
export function diesAt(step: number, die: () => void = throwKilled): Mortal {
  let steps = 0
  const count = () => {
    if (++steps >= step) die()
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  // A reader is a writer whose type says less.
  const counted = <T extends Reader | Writer>(handle: T): T =>
    (handle as unknown as Writer).withPlugin(plugin) as unknown as T
  return {
    step: count,
    over: db => ({
      ...db,
      read: fn => db.read(reader => fn(counted(reader))),
      confirmed: fn => db.confirmed(reader => fn(counted(reader))),
      async transaction(fn) {
        const result = await db.transaction(trx => fn(counted(trx)))
        // Between the commit and whatever comes next.
        count()
        return result
      },
    }),
    survived: () => steps < step,
  }
}

/** A process that dies behind its nth transaction, counted from 1: what it has written stands, and nothing comes after. */
export function diesBehindCommit(last: number): Pick<Mortal, 'over' | 'survived'> {
  let commits = 0
  const living = () => {
    if (commits >= last) throwKilled()
  }
  return {
    over: db => ({
      ...db,
      async read(fn) {
        living()
        return db.read(fn)
      },
      async confirmed(fn) {
        living()
        return db.confirmed(fn)
      },
      async snapshot(fn) {
        living()
        return db.snapshot(fn)
      },
      async transaction(fn) {
        living()
        const result = await db.transaction(fn)
        commits++
        living()
        return result
      },
    }),
    survived: () => commits < last,
  }
}
