import { sign as signEd25519 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesOf, fromHex, toHex } from '#domain/public-ledger/bytes.ts'
import { checkpointText } from '#domain/public-ledger/checkpoint.ts'
import { firstRoundAt, randomnessOf } from '#domain/public-ledger/drand.ts'
import {
  commitmentOfSecret,
  type DrandDraw,
  drawnPlace,
  MOST_ANNOUNCED,
  type WitnessDraw,
  witnessSeed,
} from '#domain/public-ledger/draw.ts'
import { type Leaf, leafText } from '#domain/public-ledger/leaf.ts'
import { type DRAW_FAULTS, earliestDraw } from '#domain/public-ledger/recompute.ts'
import { recomputeLog } from '#domain/public-ledger/recompute-log.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'
import { cosignedText, witnessText } from '#domain/public-ledger/witness.ts'
import { verifyBeacon } from '#server/modules/public-ledger/beacon.ts'
import { createDrandDouble } from '#stand-ins/drand-double/index.ts'
import { filesOfLog, sha256, testSigner, verifySignature } from '#tests/support/public-log.ts'

const signer = testSigner('gifts.example/ledger')
const { chain, sign, hash } = createDrandDouble({ clock: () => 0 })
const NGOS = ['cerf', 'msf', 'unicef']
const DAY = '2026-11-25'
/** The day after the value has come. */
const DRAWN_ON = '2026-11-28'
const ROUND = firstRoundAt(chain, earliestDraw(DAY))
const SIGNATURE = sign(ROUND)

const blindOf = (n: number) => toHex(sha256(bytesOf(`card ${n}`))).slice(0, 40)
const announced = (day: string, ns: readonly number[], round = ROUND, proof = 'announcement'): Leaf => ({
  day,
  cause: 'announced',
  currency: 'EUR',
  amounts: [],
  proof: toHex(sha256(bytesOf(proof + day + ns.join()))).slice(0, 40),
  announcement: { by: 'drand', chain, round, candidates: NGOS, blinds: ns.map(blindOf).sort() },
})
const placeFor = (n: number, seed: Uint8Array, gone: readonly number[] = []) =>
  drawnPlace(sha256, { seed, blind: blindOf(n), count: NGOS.length, gone })
const drawn = (n: number, more: Partial<DrandDraw> = {}, leaf: Partial<Leaf> = {}): Leaf => {
  const signature = more.signature ?? SIGNATURE
  const place = more.place ?? placeFor(n, randomnessOf(sha256, signature), more.gone)
  return {
    day: DRAWN_ON,
    cause: 'auto',
    currency: 'EUR',
    amounts: [
      ['cards', -5000],
      [`ngo:${NGOS[place]}`, 5000],
    ],
    proof: blindOf(n),
    draw: { by: 'drand', announcement: 0, gone: [], ...more, signature, place },
    ...leaf,
  }
}
const computed = async (leaves: readonly Leaf[]) => {
  const files = filesOfLog(signer, leaves.map(leafText))
  const { draws } = await recomputeLog({
    read: async path => files.get(path),
    verifier: signer,
    sha256,
    verify: verifySignature,
    verifyBeacon,
  })
  return draws.map(({ found }) => found)
}
const wrong = (fault: string) => [{ outcome: 'wrong', fault }]

describe('a draw by drand', () => {
  it('is computed again from the lines alone', async () => {
    const ngoId = NGOS[placeFor(1, randomnessOf(sha256, SIGNATURE))]
    expect(await computed([announced(DAY, [1, 2]), drawn(1)])).toEqual([
      { outcome: 'same', ngoId, announcement: 0, source: { chain: hash, round: ROUND } },
    ])
  })

  it('passes over who had left the list, and says so', async () => {
    const first = placeFor(1, randomnessOf(sha256, SIGNATURE))
    const [found] = await computed([announced(DAY, [1]), drawn(1, { gone: [first] })])
    expect(found).toMatchObject({ outcome: 'same' })
    expect(found).not.toMatchObject({ ngoId: NGOS[first] })
    for (const gone of [[0, 1, 2], [7]])
      expect(await computed([announced(DAY, [1]), drawn(1, { gone, place: 0 })])).toEqual(wrong('place'))
  })

  it.each<[(typeof DRAW_FAULTS)[number], string, () => readonly Leaf[]]>([
    ['announcement', 'names a line that announces nothing', () => [drawn(1), drawn(2)].slice(0, 1)],
    ['announcement', 'names a line after it', () => [drawn(1, { announcement: 1 }), announced(DAY, [1])]],
    ['card', 'is of a card that was not announced', () => [announced(DAY, [2]), drawn(1)]],
    [
      'twice',
      'is of a card that was announced before',
      () => [announced(DAY, [1, 2]), announced(DAY, [1]), drawn(1, { announcement: 1 })],
    ],
    [
      'time',
      'is by a value that came too soon',
      () => [announced(DAY, [1], ROUND - 1), drawn(1, { signature: sign(ROUND - 1) })],
    ],
    [
      'time',
      'was made before its value came',
      () => [announced(DAY, [1]), drawn(1, {}, { day: '2026-11-26' })],
    ],
    [
      'signature',
      'is by the value of another round',
      () => [announced(DAY, [1]), drawn(1, { signature: sign(ROUND + 1) })],
    ],
    [
      'signature',
      'is by a value of which a digit was changed',
      () => {
        const digit = SIGNATURE.endsWith('1') ? '2' : '1'
        return [announced(DAY, [1]), drawn(1, { signature: SIGNATURE.slice(0, -1) + digit })]
      },
    ],
    [
      'place',
      'names another organisation than was drawn',
      () => {
        const place = (placeFor(1, randomnessOf(sha256, SIGNATURE)) + 1) % NGOS.length
        return [announced(DAY, [1]), drawn(1, { place })]
      },
    ],
    [
      'organisation',
      'leads the money elsewhere',
      () => [
        announced(DAY, [1]),
        drawn(
          1,
          {},
          {
            amounts: [
              ['cards', -5000],
              ['ngo:ours', 5000],
            ],
          },
        ),
      ],
    ],
  ])('with the fault “%s” is found: it %s', async (fault, _, leaves) => {
    expect(await computed(leaves())).toEqual(wrong(fault))
  })
})

it('what a buyer named, and what the server’s chance drew, is told apart', async () => {
  const leaves: Leaf[] = [
    drawn(1, {}, { draw: { by: 'buyer' } }),
    drawn(2, {}, { draw: { by: 'chance', place: 0, candidates: NGOS } }),
  ]
  expect(await computed(leaves)).toEqual([{ outcome: 'buyer' }, { outcome: 'chance' }])
})

describe('a draw by a secret and a witness', () => {
  const witness = testSigner('witness.example/w', 9)
  const witnessKey = witnessText(sha256, witness)
  const secret = 'ab'.repeat(32)
  const line: Leaf = {
    ...announced(DAY, [1]),
    announcement: {
      by: 'witness',
      commitment: commitmentOfSecret(sha256, secret),
      witness: witnessKey,
      candidates: NGOS,
      blinds: [blindOf(1)],
    },
  }
  const cosign = (leaves: readonly Leaf[], seconds: number) => {
    const root = rootOf(
      sha256,
      leaves.map(leaf => leafHash(sha256, bytesOf(leafText(leaf)))),
    )
    const time = seconds.toString(16).padStart(16, '0')
    const text = checkpointText({ origin: signer.name, size: leaves.length, root })
    const signature = signEd25519(null, bytesOf(cosignedText(text, seconds)), witness.privateKey)
    return time + signature.toString('hex')
  }
  const drawnBy = (more: Partial<WitnessDraw> = {}) => {
    const cosignature = more.cosignature ?? cosign([line], 1_800_000_000)
    const place = placeFor(1, witnessSeed(sha256, more.secret ?? secret, cosignature))
    return drawn(
      1,
      { place },
      {
        draw: { by: 'witness', announcement: 0, place, secret, size: 1, gone: [], ...more, cosignature },
      },
    )
  }

  it('is computed again from the lines alone', async () => {
    const [found] = await computed([line, drawnBy()])
    expect(found).toMatchObject({ outcome: 'same', announcement: 0, source: { witness: witnessKey } })
  })

  it('is refused with another secret, another head, another time, or a head from before', async () => {
    expect(await computed([line, drawnBy({ secret: 'cd'.repeat(32) })])).toEqual(wrong('signature'))
    expect(await computed([line, drawnBy({ size: 2 })])).toEqual(wrong('signature'))
    const good = cosign([line], 1_800_000_000)
    const later = (1_800_000_001).toString(16).padStart(16, '0') + good.slice(16)
    expect(await computed([line, drawnBy({ cosignature: later })])).toEqual(wrong('signature'))
    const sale: Leaf = { ...drawn(5), cause: 'sale', proof: blindOf(99) }
    const { draw: _, ...before } = sale
    const moved = drawnBy({ announcement: 1, cosignature: cosign([before], 1_800_000_000) })
    expect(await computed([before, line, moved])).toEqual(wrong('time'))
  })

  it('draws otherwise with another signature', () => {
    const places = Array.from({ length: 40 }, (_, n) =>
      placeFor(1, witnessSeed(sha256, secret, cosign([line], 1_800_000_000 + n))),
    )
    expect(new Set(places).size).toBe(NGOS.length)
    expect(fromHex(secret)).toHaveLength(32)
  })
})

it('10,000 draws are computed again from the files alone, and no organisation is likelier', async () => {
  const CARDS = 10_000
  const leaves: Leaf[] = []
  const seen = new Map<string, number>()
  for (let from = 0; from < CARDS; from += MOST_ANNOUNCED) {
    const ns = Array.from({ length: Math.min(MOST_ANNOUNCED, CARDS - from) }, (_, n) => from + n)
    const announcement = leaves.length
    const round = ROUND + Math.floor(from / 2_000)
    const signature = sign(round)
    leaves.push(announced(DAY, ns, round))
    leaves.push(...ns.map(n => drawn(n, { announcement, signature }, { day: '2026-12-20' })))
  }
  const found = await computed(leaves)
  expect(found).toHaveLength(CARDS)
  for (const each of found) {
    if (each.outcome !== 'same') throw new Error(JSON.stringify(each))
    seen.set(each.ngoId, (seen.get(each.ngoId) ?? 0) + 1)
  }
  const chi = NGOS.reduce((sum, id) => sum + ((seen.get(id) ?? 0) - CARDS / 3) ** 2 / (CARDS / 3), 0)
  // Two degrees of freedom: exceeded by one of ten thousand lists.
  expect(chi).toBeLessThan(18.4)
})
