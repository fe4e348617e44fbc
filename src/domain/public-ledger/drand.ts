import { bytesOf, fromHex, joined, type Sha256, toHex } from './bytes.ts'

/**
 * A chain of drand's random values, as its network describes it. Only chains of the scheme `bls-unchained-g1-rfc9380` can be
 * used: each value can be checked alone.
 */
export interface Chain {
  /** Of the network, hex: a point of G2, 96 bytes. */
  readonly publicKey: string
  /** Seconds from one value to the next. */
  readonly period: number
  /** When the first value came, epoch seconds UTC. */
  readonly genesis: number
  /** Names the nodes that began it, hex. */
  readonly groupHash: string
  /** What the network calls it. */
  readonly beaconId: string
}

export const BEACON_SCHEME = 'bls-unchained-g1-rfc9380'

/** The chain that is used where the operator says nothing else: `quicknet` of the League of Entropy. */
export const QUICKNET = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
} as const

const KEY = /^[0-9a-f]{192}$/
const DIGEST = /^[0-9a-f]{64}$/
const ID = /^[a-z0-9-]{1,64}$/
/** A point of G1, compressed: 48 bytes. */
const SIGNATURE = /^[0-9a-f]{96}$/

/** Could this be a signature of a round? Hex of a point of G1. */
export const isBeaconSignature = (value: unknown): value is string =>
  typeof value === 'string' && SIGNATURE.test(value)

/** A round, or a time in seconds. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0

/** May a chain be of these? Whether its hash is the one that is meant is another question. */
export const isChain = ({ publicKey, period, genesis, groupHash, beaconId }: Chain): boolean =>
  KEY.test(publicKey) &&
  isCount(period) &&
  period < 2 ** 32 &&
  isCount(genesis) &&
  DIGEST.test(groupHash) &&
  ID.test(beaconId)

/** What names a chain, hex: whoever knows it knows key, period and beginning. */
export function chainHash(sha256: Sha256, chain: Chain): string {
  const { publicKey, period, genesis, groupHash, beaconId } = chain
  return toHex(
    sha256(
      joined(
        bigEndian(period, 4),
        bigEndian(genesis, 8),
        fromHex(publicKey),
        fromHex(groupHash),
        // Chains from before they had names are called so, and have none in their hash.
        beaconId === 'default' ? new Uint8Array() : bytesOf(beaconId),
      ),
    ),
  )
}

/** When a round comes, epoch ms UTC. The first round is 1. */
export const timeOfRound = ({ genesis, period }: Chain, round: number): number =>
  (genesis + (round - 1) * period) * 1000

/** The first round that does not come before an instant, epoch ms UTC. */
export const firstRoundAt = ({ genesis, period }: Chain, instant: number): number =>
  Math.max(1, Math.ceil((instant / 1000 - genesis) / period) + 1)

/** What the network signs for a round. */
export const beaconMessage = (sha256: Sha256, round: number): Uint8Array => sha256(bigEndian(round, 8))

/** The random value of a round: 32 bytes. @param signature hex */
export const randomnessOf = (sha256: Sha256, signature: string): Uint8Array => sha256(fromHex(signature))

/**
 * Does the network's signature, a point of G1, fit? Where the bytes are no points, it is false.
 * @param message before it is hashed to a point
 */
export type VerifyBeacon = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

/** Is this the network's signature of the round? */
export const isBeacon = (
  { sha256, verifyBeacon }: { readonly sha256: Sha256; readonly verifyBeacon: VerifyBeacon },
  chain: Chain,
  round: number,
  signature: string,
): boolean =>
  isBeaconSignature(signature) &&
  verifyBeacon(fromHex(chain.publicKey), beaconMessage(sha256, round), fromHex(signature))

function bigEndian(value: number, bytes: number): Uint8Array {
  const all = new Uint8Array(bytes)
  for (let [rest, at] = [value, bytes - 1]; at >= 0; rest = Math.floor(rest / 256), at--) all[at] = rest % 256
  return all
}
