/** How long the product waits for the database, in ms. A database may hang, or be cut off, without an error. */
export interface Timeouts {
  /** For a connection, new or coming free. */
  readonly connectMs: number
  /** For the answer to one statement. */
  readonly answerMs: number
}

/** For what visitors wait for. */
export const VISITOR_TIMEOUTS: Timeouts = { connectMs: 5_000, answerMs: 10_000 }
/** For changes of the tables and checks of all data. */
export const OPERATOR_TIMEOUTS: Timeouts = { connectMs: 5_000, answerMs: 30 * 60_000 }
