/** What is said, and what to do about it. */
export interface Sentence {
  readonly says: string
  readonly remedy: string
  /** What is shown is no longer so: it has to be read again. */
  readonly isOld?: true
}

/** What to do where what is shown is no longer so. The button of these words stands below. */
export const LOOK_AGAIN = 'Look again, then decide.'
