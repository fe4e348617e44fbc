import { FLAG, persisted } from './persisted.ts'

/** Has this visitor seen the packages before? Then nothing on that screen waits. */
export const $packagesVisited = persisted<boolean>('gift:packages-visited', false, FLAG)

/** Has this visitor been on the list of organisations? */
export const $ngoListVisited = persisted<boolean>('gift:ngo-list-visited', false, FLAG)

/** Did this visitor open a gift before giving one? Set where a recipient leaves the thanks screen. */
export const $cameFromReceiver = persisted<boolean>('gift:came-from-receiver', false, FLAG)
