/** How long the database is waited for, in ms. It may hang, or be cut off, without a word. */
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
