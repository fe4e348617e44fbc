import { DatabaseSync } from 'node:sqlite'

/**
 * One process at a time writes a lake. The lock is SQLite's on an otherwise empty file: the system lets go of it
 * when the process ends, however it ends.
 * @returns what lets go of it, or undefined while another holds it
 */
export function takeWriterLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    return () => database.close()
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

const SQLITE_BUSY = 5
