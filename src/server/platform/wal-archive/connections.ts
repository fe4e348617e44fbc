import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'

/** A state of the database that a connection goes on seeing. */
export interface Pinned {
  readonly connection: DatabaseSync
  unpin(): void
}

/**
 * The shipping's own connections. One reads for as long as it lives, and in that way keeps the log from being begun
 * anew by whichever process: SQLite overwrites no frame that a reader may need, and where a reader has come to a log
 * that was folded away whole, it folds nothing away that comes after. The other folds the log away in between.
 */
export interface Connections {
  /** Keeps the log from being begun anew from here on. */
  hold(): void
  /** Folds the log into the database, holding again before anybody can write. @returns whether all of it */
  fold(): boolean
  /** Makes an empty file of a log that was folded away whole, so that nothing deleted stays in it. */
  truncate(): void
  pin(): Pinned
  close(): void
}

/** Opens them. @param dataDir a folder with a database */
export function openConnections(dataDir: string): Connections {
  const path = join(dataDir, SQLITE_FILE)
  const reading = new DatabaseSync(path, { timeout: 20 })
  const folding = new DatabaseSync(path, { timeout: 0 })
  const release = (): void => {
    if (reading.isTransaction) reading.exec('rollback')
  }
  const hold = (): void => {
    release()
    look(reading)
  }
  return {
    hold,
    fold() {
      release()
      const { busy, log, checkpointed } = folding.prepare('pragma wal_checkpoint(passive)').get()!
      hold()
      return busy === 0 && log === checkpointed
    },
    truncate: () => void folding.prepare('pragma wal_checkpoint(truncate)').get(),
    pin() {
      const connection = new DatabaseSync(path, { timeout: 20 })
      look(connection)
      return { connection, unpin: () => connection.close() }
    },
    close() {
      release()
      reading.close()
      folding.close()
    },
  }
}

/** Begins to read: what is seen now is seen until the transaction ends. */
function look(connection: DatabaseSync): void {
  connection.exec('begin')
  connection.prepare('select count(*) from sqlite_schema').get()
}
