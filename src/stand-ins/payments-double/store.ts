import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { isBusy } from '#server/platform/file-lock.ts'
import type { ApiObject } from './objects.ts'

/** A look into a list: newest first, as the API lists everything. */
export interface Query {
  readonly kind: string
  /** Only objects that hang on this one (a session's line items). */
  readonly parent?: string
  /** Fields and the value each must have; the names are fixed in the code, never a caller's. */
  readonly equal?: Readonly<Record<string, string | readonly string[]>>
  /** Inclusive bounds of `created`, epoch seconds. */
  readonly from?: number
  readonly to?: number
  readonly olderThan?: number
  readonly newerThan?: number
  readonly limit: number
}

/** One answer kept under an idempotency key. */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

export interface DueDelivery {
  readonly event: string
  readonly attempt: number
}

export interface LaterTask {
  readonly what: string
  readonly arg: string
}

const SCHEMA = `
  create table if not exists obj (
    seq integer primary key autoincrement, id text not null unique, kind text not null, parent text, json text not null
  ) strict;
  create index if not exists obj_kind on obj (kind, seq);
  create index if not exists obj_parent on obj (parent) where parent is not null;
  create index if not exists obj_unpaid on obj (kind, seq) where parent is null;
  create index if not exists obj_created on obj (kind, json_extract(json, '$.created'));
  create index if not exists obj_payment_intent on obj (kind, json_extract(json, '$.payment_intent'));
  create index if not exists obj_charge on obj (kind, json_extract(json, '$.charge'));
  create index if not exists obj_payout on obj (kind, json_extract(json, '$.payout'));
  create table if not exists idem (
    key text primary key, fingerprint text not null, status integer not null, body text not null, at integer not null
  ) strict;
  create table if not exists delivery (
    event text primary key, attempt integer not null, next_at integer, first_at integer not null
  ) strict;
  create table if not exists later (id integer primary key, at integer not null, what text not null, arg text not null) strict;
`

const LOOK_AGAIN_MS = 20
const PATIENCE_MS = 5_000

/**
 * Opens the file, and makes it where it is missing. Switching a new file to WAL is refused at once where another process is
 * doing the same: it is tried again.
 */
function openFile(path: string): DatabaseSync {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const db = new DatabaseSync(path, { timeout: 2000 })
    try {
      // A process that dies loses nothing by this; a machine would, but no money of anybody is in here.
      db.exec('pragma journal_mode = wal; pragma synchronous = normal;')
      db.exec(SCHEMA)
      return db
    } catch (error) {
      db.close()
      if (!isBusy(error) || performance.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS)
    }
  }
}

export type Store = ReturnType<typeof openStore>

/**
 * Everything the double knows, in one SQLite file, so that a restart between a payment and its delivery loses
 * nothing. Times in these tables are epoch milliseconds; times inside objects are epoch seconds, as in the API.
 */
export function openStore(path: string) {
  const db = openFile(path)
  const sql = {
    add: db.prepare('insert into obj (id, kind, parent, json) values (?, ?, ?, ?)'),
    save: db.prepare('update obj set json = ? where id = ?'),
    get: db.prepare('select json from obj where kind = ? and id = ?'),
    find: db.prepare('select json from obj where id = ?'),
    seq: db.prepare('select seq from obj where id = ?'),
    kept: db.prepare('select fingerprint, status, body from idem where key = ? and at > ?'),
    keep: db.prepare(
      'insert or replace into idem (key, fingerprint, status, body, at) values (?, ?, ?, ?, ?)',
    ),
    forget: db.prepare('delete from idem where at <= ?'),
    queue: db.prepare(
      'insert or replace into delivery (event, attempt, next_at, first_at) values (?, 0, ?, ?)',
    ),
    claim: db.prepare(
      `update delivery set next_at = ?, attempt = attempt + 1
       where event in (select event from delivery where next_at <= ? order by next_at limit 20)
       returning event, attempt`,
    ),
    settle: db.prepare('update delivery set next_at = ? where event = ?'),
    firstAt: db.prepare('select first_at from delivery where event = ?'),
    plan: db.prepare('insert into later (at, what, arg) values (?, ?, ?)'),
    planOnce: db.prepare(
      `insert into later (at, what, arg) select ?1, ?2, ?3
       where not exists (select 1 from later where at = ?1 and what = ?2 and arg = ?3)`,
    ),
    belong: db.prepare('update obj set parent = ? where id = ?'),
    unpaid: db.prepare(
      `select json from obj where kind = ? and parent is null
       and json_extract(json, '$.currency') = ? and json_extract(json, '$.available_on') <= ? order by seq`,
    ),
    take: db.prepare(
      'delete from later where id = (select id from later where at <= ? order by at, id limit 1) returning what, arg',
    ),
  }
  const parse = <T>(row: unknown) => (row ? (JSON.parse((row as { json: string }).json) as T) : undefined)

  return {
    /** All or nothing, alone on the file. Not to be nested. */
    transaction<T>(work: () => T): T {
      db.exec('begin immediate')
      try {
        const result = work()
        db.exec('commit')
        return result
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    add(object: ApiObject, parent: string | null = null) {
      sql.add.run(object.id, object.object, parent, JSON.stringify(object))
    },
    save(object: ApiObject) {
      sql.save.run(JSON.stringify(object), object.id)
    },
    get: <T extends ApiObject>(kind: T['object'], id: string) => parse<T>(sql.get.get(kind, id)),
    find: (id: string) => parse<ApiObject>(sql.find.get(id)),
    /** The place of an object in its list, for cursors. */
    placeOf: (id: string) => (sql.seq.get(id) as { seq: number } | undefined)?.seq,

    list<T extends ApiObject>(query: Query): T[] {
      const where: string[] = ['kind = ?']
      const values: SQLInputValue[] = [query.kind]
      const also = (condition: string, ...more: SQLInputValue[]) => {
        where.push(condition)
        values.push(...more)
      }
      if (query.parent !== undefined) also('parent = ?', query.parent)
      if (query.olderThan !== undefined) also('seq < ?', query.olderThan)
      if (query.newerThan !== undefined) also('seq > ?', query.newerThan)
      if (query.from !== undefined) also("json_extract(json, '$.created') >= ?", query.from)
      if (query.to !== undefined) also("json_extract(json, '$.created') <= ?", query.to)
      for (const [field, wanted] of Object.entries(query.equal ?? {})) {
        const choices = typeof wanted === 'string' ? [wanted] : wanted
        // Only event types may be asked for with a star: `charge.*`.
        const test = field === 'type' ? 'glob' : '='
        const holds = choices.map(() => `json_extract(json, '$.${field}') ${test} ?`).join(' or ')
        also(`(${holds})`, ...choices)
      }
      // Towards newer ones the nearest must be kept, so read upwards and turn the page round.
      const upwards = query.newerThan !== undefined
      const rows = db
        .prepare(
          `select json from obj where ${where.join(' and ')} order by seq ${upwards ? '' : 'desc'} limit ?`,
        )
        .all(...values, query.limit)
      const page = rows.map(row => parse<T>(row)!)
      return upwards ? page.reverse() : page
    },

    kept: (key: string, since: number) => sql.kept.get(key, since) as KeptAnswer | undefined,
    keep(key: string, answer: KeptAnswer, at: number) {
      sql.keep.run(key, answer.fingerprint, answer.status, answer.body, at)
    },
    forgetKeptBefore: (at: number) => void sql.forget.run(at),

    queueDelivery: (event: string, at: number) => void sql.queue.run(event, at, at),
    /** Takes up to twenty due deliveries; if the process dies meanwhile they are due again at `leaseUntil`. */
    claimDeliveries: (now: number, leaseUntil: number) =>
      sql.claim.all(leaseUntil, now) as unknown as DueDelivery[],
    /** Sets the next attempt, or null when there will be none. */
    setNextDelivery: (event: string, at: number | null) => void sql.settle.run(at, event),
    firstDeliveryAt: (event: string) => (sql.firstAt.get(event) as { first_at: number }).first_at,

    planLater: (at: number, what: string, arg: string) => void sql.plan.run(at, what, arg),
    planOnce: (at: number, what: string, arg: string) => void sql.planOnce.run(at, what, arg),
    /** Hangs an object on another one, which then lists it. */
    belong: (id: string, parent: string) => void sql.belong.run(parent, id),
    /** What is available by a second and in no payout yet, the oldest first. */
    unpaid: <T extends ApiObject>(kind: T['object'], currency: string, second: number) =>
      sql.unpaid.all(kind, currency, second).map(row => parse<T>(row)!),
    takeLater: (now: number) => sql.take.get(now) as LaterTask | undefined,
    close: () => db.close(),
  }
}
