import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

export type EngineName = 'sqlite' | 'postgres'

/** Sees the tables, cannot change them. A `Writer` is one too, so that a query can serve both. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom' | 'fn' | 'case'>
/** The one handle of a running transaction. */
export type Writer = Transaction<Schema>

/** How the product reacts to a failure of the database. */
export type FailureKind =
  /** Nothing was written, so the whole transaction is tried again. */
  | 'retry'
  /** The database cannot serve now; a visitor may try again later. */
  | 'unavailable'
  /** A defect, or a broken constraint: for the caller. */
  | 'other'

/** The differences between the two databases. */
export interface Engine {
  readonly name: EngineName
  /** For what makes the tables; everything else writes by `transaction`. */
  readonly writer: Kysely<Schema>
  /** For single reads outside transactions. */
  readonly reader: Kysely<Schema>
  /** Runs `fn` in one transaction: whole or not at all, and, where it is durable, on the disk before it resolves. */
  transaction<T>(fn: (trx: Writer) => Promise<T>, isDurable: boolean): Promise<T>
  /** Reads outside transactions, as long as whoever opened the database may wait. */
  read<T>(fn: (db: Reader) => Promise<T>): Promise<T>
  /** See `Database`. */
  confirmed<T>(fn: (db: Reader) => Promise<T>): Promise<T>
  /** Runs several reads on one unchanging state of the data. */
  snapshot<T>(fn: (db: Reader) => Promise<T>): Promise<T>
  /** See `Database`. */
  scrub(tables: readonly (keyof Schema)[]): Promise<void>
  /** See `Database`. */
  statementLimitMs(): Promise<number | undefined>
  classify(error: unknown): FailureKind
  close(): Promise<void>
}
