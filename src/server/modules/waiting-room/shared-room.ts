import { sql } from 'kysely'
import { type Asked, ask, EMPTY_ROOM, type Room, type Standing } from '#domain/limits/waiting-room.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { type CommonClock, commonTime } from '#server/platform/pace/common-time.ts'

/** A room that all processes on one database share. */
export interface SharedRoom {
  ask(asked: Asked): Promise<Standing>
}

export interface SharedRoomOptions {
  readonly db: Database
  /** The row that the processes share. */
  readonly name: string
  readonly perSecond: number
  readonly commonUs?: CommonClock | undefined
}

interface Question {
  readonly asked: Asked
  readonly answer: (standing: Standing) => void
  readonly refuse: (error: unknown) => void
}

/**
 * The row is changed only from what it was, so two processes never give the same place or turn. Whoever asks while a
 * question is under way goes with the next one: however many ask, a process has one transaction at a time.
 */
export function createSharedRoom({ db, name, perSecond, commonUs }: SharedRoomOptions): SharedRoom {
  const questions: Question[] = []
  let isAsking = false

  async function answersTo(asked: readonly Asked[]): Promise<readonly Standing[]> {
    // A place that a crash forgets costs whoever held it their place, so nobody waits for the disk.
    return db.transaction(
      async trx => {
        for (;;) {
          const { changes, room, now } = await look(trx, db, name, commonUs)
          const standings: Standing[] = []
          let next = room
          for (const each of asked) {
            const answer = ask(next, each, now, perSecond)
            next = answer.room
            standings.push(answer.standing)
          }
          if (await changed(trx, name, changes, next)) return standings
        }
      },
      { durable: false },
    )
  }

  async function goOn(): Promise<void> {
    if (isAsking) return
    isAsking = true
    while (questions.length > 0) {
      const asking = questions.splice(0)
      try {
        const standings = await answersTo(asking.map(({ asked }) => asked))
        for (const [n, standing] of standings.entries()) asking[n]?.answer(standing)
      } catch (error) {
        for (const { refuse } of asking) refuse(error)
      }
    }
    isAsking = false
  }

  return {
    ask: asked =>
      new Promise((answer, refuse) => {
        questions.push({ asked, answer, refuse })
        void goOn()
      }),
  }
}

/** What the row holds, and the time that it was looked at. */
async function look(trx: Reader, { engine }: Database, name: string, commonUs: CommonClock | undefined) {
  const now = commonTime(engine, commonUs)
  const row = await trx
    .selectFrom(sql<{ now: number }>`(select ${now} as now)`.as('time'))
    .leftJoin('waiting_rooms', join => join.on('waiting_rooms.name', '=', name))
    .select(['time.now', 'waiting_rooms.changes', 'waiting_rooms.state'])
    .executeTakeFirstOrThrow()
  const room = row.state === null ? EMPTY_ROOM : (JSON.parse(row.state) as Room)
  return { changes: row.changes ?? undefined, room, now: Number(row.now) }
}

/** @returns false where another process was first */
async function changed(trx: Writer, name: string, changes: number | undefined, room: Room): Promise<boolean> {
  const state = JSON.stringify(room)
  const row =
    changes === undefined
      ? await trx
          .insertInto('waiting_rooms')
          .values({ name, changes: 1, state })
          .onConflict(conflict => conflict.column('name').doNothing())
          .returning('name')
          .executeTakeFirst()
      : await trx
          .updateTable('waiting_rooms')
          .set({ changes: changes + 1, state })
          .where('name', '=', name)
          .where('changes', '=', changes)
          .returning('name')
          .executeTakeFirst()
  return row !== undefined
}
