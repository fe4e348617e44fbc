/** The result of a run, for the operator: counts and words, never a key or an address. */
export type JobFacts = Readonly<Record<string, string | number>>

/** A run's hold on its job. */
export interface Turn {
  /**
   * Lets everybody else have the process for a moment, and keeps the lease. Called between batches.
   * @throws TurnEnded when the server stops, or somebody else has the job by now
   */
  goOn(): Promise<void>
}

/** Work that comes again and again, done by one process at a time (ARCHITECTURE.md#invariants). */
export interface PeriodicJob {
  /** As the operator writes it. */
  readonly name: string
  readonly everyMs: number
  /** How long after a site's very first start it runs first; at once when missing. */
  readonly firstAfterMs?: number
  /** Its work cannot be undone, so it does not run while the clock cannot be trusted. */
  readonly irreversible?: true
  /** What its first failure is told as, where nobody may wait until it has failed often. A run that a stop ended did not fail. */
  readonly failure?: string
  /** It bears being stopped at any point and done again. Throwing means: failed, again after the usual time. */
  run(turn: Turn): Promise<JobFacts>
}

/** The run is over before its work is; the next one goes on with it. */
export class TurnEnded extends Error {
  override readonly name = 'TurnEnded'
}
