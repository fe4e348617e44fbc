import pg from 'pg'
import { openDatabase } from '#server/platform/db/database.ts'
import { startPostgres } from '#tests/support/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the temporary PostgreSQL's maintenance database; missing in the other projects. */
    postgresUrl: string
    /** The name of a database with all tables and nothing in them, to be copied. */
    emptyPostgres: string
  }
}

const EMPTY = 'empty'

/** One PostgreSQL for all files of a run, in which the tables are made once; no test cuts the power. */
export default async function setup(project: {
  provide(key: 'postgresUrl' | 'emptyPostgres', value: string): void
}): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres({ durable: false })
  await makeEmpty(url)
  project.provide('postgresUrl', url)
  project.provide('emptyPostgres', EMPTY)
  return stop
}

/** Whoever is still connected to it would keep others from copying it. */
async function makeEmpty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${EMPTY}`)
  await client.end()
  const databaseUrl = new URL(url)
  databaseUrl.pathname = `/${EMPTY}`
  const database = await openDatabase({ dataDir: '', databaseUrl: databaseUrl.toString() })
  await database.close()
}
