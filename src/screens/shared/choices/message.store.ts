import { MESSAGE_KEY, VOLUNTEERING_MESSAGE_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

const TEXT = { read: (text: string) => text, write: (text: string) => text || undefined }

/** What the buyer writes to whoever gets the gift, as it is typed; '' without anything. */
export const $message = choice<string>(MESSAGE_KEY, '', TEXT)

/** The same of an invitation. */
export const $volunteeringMessage = choice<string>(VOLUNTEERING_MESSAGE_KEY, '', TEXT)
