import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type Sha256, toHex } from '#domain/public-ledger/bytes.ts'
import {
  BEACON_SCHEME,
  beaconMessage,
  type Chain,
  chainHash,
  randomnessOf,
  timeOfRound,
} from '#domain/public-ledger/drand.ts'

const sha256: Sha256 = bytes => createHash('sha256').update(bytes).digest()
const { shortSignatures } = bls12_381
/** Says what is signed for: it stands in the description of the scheme. */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

export interface DrandDouble {
  readonly chain: Chain
  /** Names the chain, hex. */
  readonly hash: string
  /** The signature of a round, hex: also of one that has not come yet. */
  sign(round: number): string
  /** Answers like drand's HTTP interface. */
  answer(path: string): { readonly status: number; readonly body: string }
}

interface DoubleOptions {
  /** Epoch ms UTC: a round that has not come is not told. */
  readonly clock: () => number
  /** Another key for another text. */
  readonly key?: string
  /** Seconds between two rounds. */
  readonly period?: number
}

/** A network of one node: it signs with a key of its own, in the scheme of the real one. */
export function createDrandDouble({ clock, key = 'drand double', period = 30 }: DoubleOptions): DrandDouble {
  const { secretKey, publicKey } = shortSignatures.keygen(
    createHash('sha512').update(key).digest().subarray(0, 48),
  )
  const chain: Chain = {
    publicKey: toHex(publicKey.toBytes()),
    period,
    genesis: Date.UTC(2024, 0, 1) / 1000,
    groupHash: toHex(sha256(Buffer.from(`group of ${key}`))),
    beaconId: 'double',
  }
  const hash = chainHash(sha256, chain)
  const sign = (round: number): string =>
    shortSignatures.Signature.toHex(
      shortSignatures.sign(shortSignatures.hash(beaconMessage(sha256, round), DOMAIN), secretKey),
    )
  const info = {
    public_key: chain.publicKey,
    period,
    genesis_time: chain.genesis,
    hash,
    groupHash: chain.groupHash,
    schemeID: BEACON_SCHEME,
    metadata: { beaconID: chain.beaconId },
  }
  return {
    chain,
    hash,
    sign,
    answer(path) {
      const [, asked, what, digits = ''] = path.split('/')
      const round = Number(digits)
      if (asked !== hash) return { status: 404, body: '{}' }
      if (what === 'info') return { status: 200, body: JSON.stringify(info) }
      if (what !== 'public' || !Number.isSafeInteger(round) || round < 1) return { status: 404, body: '{}' }
      if (timeOfRound(chain, round) > clock()) return { status: 425, body: '{}' }
      const signature = sign(round)
      const randomness = toHex(randomnessOf(sha256, signature))
      return { status: 200, body: JSON.stringify({ round, randomness, signature }) }
    },
  }
}

export interface ListeningDouble {
  /** Where it answers, `http://127.0.0.1:…`. */
  readonly url: string
  close(): Promise<void>
}

/** Has a double answer at a port of this machine. @param port any free one when missing */
export async function listenDrandDouble(answer: DrandDouble['answer'], port = 0): Promise<ListeningDouble> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? '/')
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
