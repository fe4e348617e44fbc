/** What computes the draws of unused cards again, as a file of its own: it brings the curve of drand's signatures. */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { VerifyBeacon } from '#domain/public-ledger/drand.ts'
import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'
import type { DrawFault } from '#domain/public-ledger/recompute.ts'
import { type RecomputedLine, recomputeLog } from '#domain/public-ledger/recompute-log.ts'
import { type Asked, type Checked, filesOf, told } from './reading.ts'

const { shortSignatures } = bls12_381
/** Says what is signed for: it stands in the description of the scheme `bls-unchained-g1-rfc9380`. */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

const verifyBeacon: VerifyBeacon = (publicKey, message, signature) => {
  try {
    return shortSignatures.verify(signature, shortSignatures.hash(message, DOMAIN), publicKey)
  } catch {
    return false
  }
}

interface ComputedDraws {
  /** With the accounts of their organisations. */
  readonly same: readonly { readonly account: string }[]
  readonly buyer: number
  readonly chance: number
  /** Lines from 1. */
  readonly wrong: readonly { readonly line: number; readonly fault: DrawFault }[]
  /** The chains of drand whose values were used, by their hashes. */
  readonly chains: readonly string[]
}

/** So many draws between two rests, in which the page answers. */
const AT_ONCE = 20

export interface AskedDraws extends Asked {
  /** Of the one draw that is wanted, from 1; all when undefined. */
  readonly line: number | undefined
}

/**
 * Checks the whole log, and computes the draws in it again, or one: that its card was announced once, all lines say.
 * @param onLine called with the number of lines that are checked
 */
export function computeDraws(
  asked: AskedDraws,
  onLine: (lines: number) => void,
): Promise<Checked<ComputedDraws>> {
  return told(asked, async () => {
    const files = { ...filesOf(asked), verifyBeacon }
    const { draws } = await recomputeLog(
      {
        ...files,
        onLeaf: (_, index) => onLine(index + 1),
        isWanted: index => asked.line === undefined || index === asked.line - 1,
      },
      async done => {
        if (done % AT_ONCE === 0) await new Promise(resolve => setTimeout(resolve))
        asked.signal.throwIfAborted()
      },
    )
    return summed(draws)
  })
}

function summed(draws: readonly RecomputedLine[]): ComputedDraws {
  const count = (outcome: string): number => draws.filter(({ found }) => found.outcome === outcome).length
  return {
    same: draws.flatMap(({ found }) =>
      found.outcome === 'same' ? [{ account: NGO_ACCOUNT + found.ngoId }] : [],
    ),
    buyer: count('buyer'),
    chance: count('chance'),
    wrong: draws.flatMap(({ index, found }) =>
      found.outcome === 'wrong' ? [{ line: index + 1, fault: found.fault }] : [],
    ),
    chains: [
      ...new Set(
        draws.flatMap(({ found }) =>
          found.outcome === 'same' && 'chain' in found.source ? [found.source.chain] : [],
        ),
      ),
    ],
  }
}
