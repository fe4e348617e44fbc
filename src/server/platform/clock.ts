export type Clock = () => number

/**
 * Milliseconds since some moment of this process; never goes back and never steps, whatever becomes of the system's
 * clock. For how long something took or waits within one process; says nothing of the time of day.
 */
export type MonotonicClock = () => number
