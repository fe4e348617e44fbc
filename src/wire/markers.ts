/** What the wire writes in the place of a name that the sender keeps to themselves. */
export const ANONYMOUS_MARKER = 'FROM_ANONYMOUS'

/** What the wire writes for a mission that is to be decided later. */
export const DECIDE_LATER_MARKER = 'decide-later'

/** What clients write while an own name is still to be filled in. */
const UNNAMED_MARKER = 'FROM_YOUR_NAME'

/** Words of the wire, which would not come back as the name that somebody gave. */
export const isMarker = (name: string): boolean => name === ANONYMOUS_MARKER || name === UNNAMED_MARKER
