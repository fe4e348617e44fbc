/** What the wire writes in the place of a name that the sender keeps to themselves. */
export const ANONYMOUS_MARKER = 'FROM_ANONYMOUS'
