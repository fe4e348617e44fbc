import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { EngineName, Location } from '#server/platform/db/database.ts'
import { startPostgres } from '#tests/support/postgres.ts'

export const ENGINE_NAMES: Readonly<Record<EngineName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
export const ENGINES: readonly EngineName[] = ['sqlite', 'postgres']

/** Makes empty databases of one engine that keep what they acknowledge, power cut or not. */
export interface Databases {
  readonly engine: EngineName
  create(name: string): Promise<Location>
  /** Takes them all away. */
  remove(): Promise<void>
}

export async function openDatabases(engine: EngineName): Promise<Databases> {
  return engine === 'sqlite' ? sqliteDatabases() : postgresDatabases()
}

function sqliteDatabases(): Databases {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sqlite-'))
  return {
    engine: 'sqlite',
    create: async name => ({ dataDir: join(folder, name) }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresDatabases(): Promise<Databases> {
  const server = await startPostgres({ durable: true })
  return {
    engine: 'postgres',
    async create(name) {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return { dataDir: tmpdir(), databaseUrl: url.toString() }
    },
    remove: server.stop,
  }
}
