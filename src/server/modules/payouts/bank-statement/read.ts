import { setImmediate } from 'node:timers/promises'
import { readCamt } from './camt.ts'
import type { BankEntry } from './entry.ts'
import { readTable } from './table.ts'

/** Is this the beginning of an XML file, whatever marks the order of its bytes? */
export const looksLikeXml = (beginning: string): boolean =>
  beginning
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<')

/** A whole statement, camt.053 or a table. @throws StatementRefused where it is neither */
export async function readStatement(text: string): Promise<readonly BankEntry[]> {
  return looksLikeXml(text) ? readCamt(inPieces(text)) : readTable(text)
}

const PIECE = 65_536

/** Between two pieces others have a turn. */
async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) {
    yield text.slice(at, at + PIECE)
    await setImmediate()
  }
}
