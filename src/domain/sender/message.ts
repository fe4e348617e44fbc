import { type ReadWords, readPlainWords } from '../text/plain-words.ts'

/** Characters (code points) of the message that goes with a gift. */
export const MOST_MESSAGE = 300

/** Reads the message that a giver writes: plain words by the same rule as an answer's, at most 300 characters. */
export function readMessage(written: string): ReadWords {
  return readPlainWords(written, MOST_MESSAGE)
}
