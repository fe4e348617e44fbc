/** One document of the content, as the Content Lake keeps it. */
export interface LakeDocument {
  readonly _id: string
  readonly _type: string
  readonly [field: string]: unknown
}

/** Who asks: shown in the Studio and written beside every change. */
export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
  /** When the login ends by itself, epoch ms; streams and sockets opened with it end then. */
  readonly until?: number | undefined
}

/** A patch in the format of `mendoza`: a flat list of opcodes and operands. */
export type Effect = readonly unknown[]

/** What a transaction did to one document, without its `_rev`: that is the transaction's id. */
export interface Change {
  readonly id: string
  readonly transition: 'appear' | 'update' | 'disappear'
  readonly previousRev: string | null
  readonly effects: { readonly apply: Effect; readonly revert: Effect }
}

/** One mutation of one document, in the shape of the API. */
export type Mutation = Readonly<Record<string, unknown>>

/** One line of the log: everything that came in at once, and what it did. */
export interface TransactionRecord {
  readonly id: string
  /** UTC, ISO 8601. */
  readonly timestamp: string
  readonly author: string
  /** As asked, but with every id named, so that replaying them gives the same documents. */
  readonly mutations: readonly Mutation[]
  readonly changes: readonly Change[]
}

/** The moment, as a transaction writes it. @param ms epoch milliseconds */
export const instant = (ms: number): string => new Date(ms).toISOString()
