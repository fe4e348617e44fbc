import type { Press } from '#server/modules/desk/press-notes.ts'

/** A press of somebody who came in with the token. */
export const aPress = (key = 'a press', person: string | null = null): Press => ({ key, person })
