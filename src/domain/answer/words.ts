import { type ReadWords, readPlainWords } from '../text/plain-words.ts'

/** Characters (code points) of the line that goes with an answer. */
export const MOST_WORDS = 200

/** Reads the line of an answer: plain words (text/plain-words.ts), at most 200 characters. */
export function readWords(written: string): ReadWords {
  return readPlainWords(written, MOST_WORDS)
}
