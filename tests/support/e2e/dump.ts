import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Site } from './server.ts'

/** Reads a running server's database, without ever writing to it. */
function reading<T>(site: Site, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(site.dataDir, 'database.sqlite'), { readOnly: true, timeout: 5_000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** Changes a running server's database in its place, to show at once what comes after days. */
export function plantIn(site: Site, statement: string): void {
  const db = new DatabaseSync(join(site.dataDir, 'database.sqlite'), { timeout: 5_000 })
  try {
    db.exec(statement)
  } finally {
    db.close()
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Every row of every table, in an order of its own; without the server's notes of its own periodic work. */
export function dump(site: Site): Readonly<Record<string, Rows>> {
  return reading(site, db => {
    const tables = db
      .prepare(
        "select name from sqlite_master where type = 'table' and name not in ('periodic_jobs', 'sightings') order by name",
      )
      .all()
    return Object.fromEntries(
      tables.map(({ name }) => {
        const rows = db.prepare(`select * from "${name}"`).all() as Rows
        return [String(name), rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]
      }),
    )
  })
}

/** How many jobs nobody has finished yet whose time has come. */
export function jobsWaiting(site: Site): number {
  return reading(site, db =>
    Number(
      db
        .prepare('select count(*) as n from jobs where done_at is null and (run_at <= ? or attempts > 0)')
        .get(Date.now())?.n,
    ),
  )
}

/** `table.column` of every value that contains the text. */
export function placesOf(site: Site, text: string): string[] {
  const found = Object.entries(dump(site)).flatMap(([table, rows]) =>
    rows.flatMap(row =>
      Object.entries(row)
        .filter(([, value]) => String(value).includes(text))
        .map(([column]) => `${table}.${column}`),
    ),
  )
  return [...new Set(found)].sort()
}
