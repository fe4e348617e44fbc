import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '#domain/public-ledger/bytes.ts'
import {
  beaconMessage,
  type Chain,
  chainHash,
  firstRoundAt,
  isBeacon,
  isChain,
  QUICKNET,
  randomnessOf,
  timeOfRound,
} from '#domain/public-ledger/drand.ts'
import { verifyBeacon } from '#server/modules/public-ledger/beacon.ts'
import { createDrandDouble } from '#stand-ins/drand-double/index.ts'
import { sha256 } from '#tests/support/public-log.ts'

/** As the League of Entropy publishes it. */
const quicknet: Chain = {
  publicKey: QUICKNET.publicKey,
  period: 3,
  genesis: 1692803367,
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  beaconId: 'quicknet',
}
const ROUND = 1000
const SIGNATURE =
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'
const tools = { sha256, verifyBeacon }

describe('the real network', () => {
  it('is named by the hash of what describes it', () => {
    expect(chainHash(sha256, quicknet)).toBe(QUICKNET.hash)
    expect(chainHash(sha256, { ...quicknet, period: 4 })).not.toBe(QUICKNET.hash)
  })

  it('has signed its round 1000, whose value is known', () => {
    expect(isBeacon(tools, quicknet, ROUND, SIGNATURE)).toBe(true)
    expect(toHex(randomnessOf(sha256, SIGNATURE))).toBe(
      'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
    )
    expect(isBeacon(tools, quicknet, ROUND + 1, SIGNATURE)).toBe(false)
  })

  it('has signed nothing of which a bit was changed, and nothing that is no signature', () => {
    for (const at of [0, 3, 40, 95]) {
      const digit = SIGNATURE[at] === '1' ? '2' : '1'
      const altered = SIGNATURE.slice(0, at) + digit + SIGNATURE.slice(at + 1)
      expect(isBeacon(tools, quicknet, ROUND, altered)).toBe(false)
    }
    for (const none of ['', 'c0'.padEnd(96, '0'), SIGNATURE.toUpperCase(), '00'.repeat(48)])
      expect(isBeacon(tools, quicknet, ROUND, none)).toBe(false)
  })
})

describe('a round', () => {
  it('is the first that does not come before an instant', () => {
    expect(firstRoundAt(quicknet, quicknet.genesis * 1000)).toBe(1)
    expect(firstRoundAt(quicknet, 0)).toBe(1)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400 }), fc.integer({ min: 0, max: 1e11 }), (period, after) => {
        const chain = { ...quicknet, period }
        const instant = chain.genesis * 1000 + after
        const round = firstRoundAt(chain, instant)
        expect(timeOfRound(chain, round)).toBeGreaterThanOrEqual(instant)
        expect(timeOfRound(chain, round - 1)).toBeLessThan(instant)
      }),
    )
  })

  it('is signed as eight bytes, the greatest first', () => {
    expect(beaconMessage(sha256, 0x0102030405)).toEqual(sha256(fromHex('0000000102030405')))
  })
})

describe('the double', () => {
  it('signs as the network does, and tells no round before its time', () => {
    let now = Date.UTC(2026, 10, 25)
    const { chain, hash, sign, answer } = createDrandDouble({ clock: () => now })
    expect(isChain(chain)).toBe(true)
    const round = firstRoundAt(chain, now + 1)
    expect(isBeacon(tools, chain, round, sign(round))).toBe(true)
    expect(isBeacon(tools, chain, round, sign(round + 1))).toBe(false)
    expect(answer(`/${hash}/public/${round}`).status).toBe(425)
    now = timeOfRound(chain, round)
    expect(JSON.parse(answer(`/${hash}/public/${round}`).body)).toMatchObject({ signature: sign(round) })
    expect(answer(`/${'0'.repeat(64)}/info`).status).toBe(404)
    const other = createDrandDouble({ clock: () => now, key: 'another' })
    expect(isBeacon(tools, chain, round, other.sign(round))).toBe(false)
  })
})
