import { sha256 } from '@noble/hashes/sha2.js'
import { readVerifier, type VerifySignature } from '#domain/public-ledger/note.ts'
import { LedgerFault, type LogFiles } from '#domain/public-ledger/verify.ts'
import { readWitness } from '#domain/public-ledger/witness.ts'
import ed25519File from './ed25519.ts?own-file'

/** What came of checking. A fault is told in the words of the format: it is for whoever looks into it. */
export type Checked<Found> =
  | { readonly outcome: 'good'; readonly found: Found }
  | { readonly outcome: 'bad'; readonly fault: string }
  | { readonly outcome: 'none' | 'no-answer' | 'stopped' }

export interface Asked {
  /** The key as people write it. */
  readonly verifierText: string
  /** The keys of witnesses, as people write them; none when missing. */
  readonly witnessTexts?: readonly string[]
  /** Where the files lie, with the slash at its end. */
  readonly address: string
  readonly signal: AbortSignal
}

/** What came of a part of the work ends all of it. */
export class Ended extends Error {
  readonly checked: Checked<never>

  constructor(checked: Checked<never>) {
    super(checked.outcome)
    this.checked = checked
  }
}

/** The files could not be had; whether they are in order is not known. */
const noAnswer = (): Ended => new Ended({ outcome: 'no-answer' })

/** A tile never changes; everything else is of the newest head. */
const TILES = 'tile/'

/** The browser's own Ed25519 first: the library for it is larger than all else that checks a line. */
const verifySignature: VerifySignature = async (publicKey, message, signature) => {
  try {
    const [key, signed, text] = [publicKey, signature, message].map(bytes => Uint8Array.from(bytes))
    const imported = await crypto.subtle.importKey('raw', key!, 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', imported, signed!, text!)
  } catch {
    const library = (await import(/* @vite-ignore */ ed25519File)) as typeof import('./ed25519.ts')
    return library.verifySignature(publicKey, message, signature)
  }
}

/** The files of a log as they are read over the network. */
export const filesOf = ({ verifierText, witnessTexts = [], address, signal }: Asked): LogFiles => ({
  sha256,
  verify: verifySignature,
  verifier: readVerifier(sha256, verifierText),
  witnesses: witnessTexts.map(text => readWitness(sha256, text)),
  async read(path) {
    // The head is asked for anew: one that is kept would not be of the tiles that are there now.
    const cache = path.startsWith(TILES) ? 'default' : 'no-store'
    const answer = await fetch(address + path, { signal, cache }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw noAnswer()
    })
    if (answer.status === 404) return undefined
    if (!answer.ok) throw noAnswer()
    return new Uint8Array(await answer.arrayBuffer())
  },
})

/** What came of checking. @throws what is no fault of the files */
export async function told<Found>({ signal }: Asked, work: () => Promise<Found>): Promise<Checked<Found>> {
  try {
    return { outcome: 'good', found: await work() }
  } catch (error) {
    if (signal.aborted) return { outcome: 'stopped' }
    if (error instanceof Ended) return error.checked
    if (error instanceof RangeError) return { outcome: 'none' }
    if (error instanceof LedgerFault) return { outcome: 'bad', fault: error.message }
    throw error
  }
}
