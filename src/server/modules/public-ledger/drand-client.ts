import {
  BEACON_SCHEME,
  type Chain,
  chainHash,
  isBeaconSignature,
  isChain,
} from '#domain/public-ledger/drand.ts'
import type { ValueSource } from './announcements.ts'
import { sha256 } from './sha256.ts'

interface DrandSettings {
  /** Where drand answers, without a slash at its end. */
  readonly url: string
  /** Of the chain, hex. */
  readonly chainHash: string
  /** Of the network, hex. */
  readonly publicKey: string
}

export interface DrandClient extends ValueSource {
  /** The chain of the settings, as drand describes it. @throws Error where it cannot be had, or is another one */
  chain(): Promise<Chain>
}

const TIMEOUT_MS = 10_000
/** More than any answer has. */
const LONGEST_ANSWER = 10_000

/** Asks drand over HTTP. What it says of the chain has to fit the chain's hash; a value is verified by whoever asks. */
export function createDrandClient({ url, chainHash: hash, publicKey }: DrandSettings): DrandClient {
  let known: Chain | undefined
  return {
    async chain() {
      known ??= chainOf(await ask(`${url}/${hash}/info`))
      if (chainHash(sha256, known) !== hash || known.publicKey !== publicKey) {
        known = undefined
        throw new Error('drand describes another chain than DRAND_CHAIN_HASH and DRAND_PUBLIC_KEY')
      }
      return known
    },
    async signatureOf(chain, round) {
      const { signature } = await ask(`${url}/${chainHash(sha256, chain)}/public/${round}`)
      if (!isBeaconSignature(signature)) throw new Error('drand answers with something else than a value')
      return signature
    },
  }
}

async function ask(address: string): Promise<Readonly<Record<string, unknown>>> {
  let answer: Response
  try {
    answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw new Error('drand cannot be reached')
  }
  if (!answer.ok) throw new Error(`drand answers ${answer.status}`)
  try {
    const text = await textOf(answer)
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw new Error('drand answers with something else than a value')
}

async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > LONGEST_ANSWER) throw new Error('too long')
  }
  return text
}

function chainOf(info: Readonly<Record<string, unknown>>): Chain {
  const { public_key, period, genesis_time, groupHash, schemeID, metadata } = info
  if (schemeID !== BEACON_SCHEME) throw new Error(`drand's chain is not of the scheme ${BEACON_SCHEME}`)
  const { beaconID } = (metadata ?? {}) as { beaconID?: unknown }
  const chain = {
    publicKey: String(public_key),
    period: Number(period),
    genesis: Number(genesis_time),
    groupHash: String(groupHash),
    beaconId: String(beaconID ?? 'default'),
  }
  if (!isChain(chain)) throw new Error('drand answers with something else than a chain')
  return chain
}
