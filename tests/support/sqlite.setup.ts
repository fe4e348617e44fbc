import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An embedded database with all tables and nothing in them, to be copied; missing in the other projects. */
    emptySqlite?: string
  }
}

/** Makes the tables once for all tests of a run: each step of making them waits for the disk. */
export default async function setup(project: {
  provide(key: 'emptySqlite', value: string): void
}): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gc-empty-'))
  const database = await openDatabase({ dataDir })
  await database.close()
  project.provide('emptySqlite', join(dataDir, SQLITE_FILE))
  return () => rmSync(dataDir, { recursive: true, force: true })
}
