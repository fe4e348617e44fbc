/** The waits and fades, `TIMINGS.routeFade`. */
export * as TIMINGS from './waits.ts'
