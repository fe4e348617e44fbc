import { describe, expect, it } from 'vitest'
import { bytesOf, textOf, toBase64, toHex } from '#domain/public-ledger/bytes.ts'
import { type Leaf, leafText } from '#domain/public-ledger/leaf.ts'
import { verifyGrowth, verifyLine } from '#domain/public-ledger/line.ts'
import {
  growthPath,
  growthText,
  proofPath,
  proofText,
  readGrowth,
  readProof,
} from '#domain/public-ledger/proof.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'
import { count } from '#tests/support/counts.ts'
import { filesOfLog, proving, sha256, testSigner, verifySignature } from '#tests/support/public-log.ts'

const signer = testSigner('gifts.example/ledger')

const lineOf = (n: number): Leaf => ({
  day: '2026-11-21',
  cause: 'sale',
  currency: 'EUR',
  amounts: [
    ['cards', 100 + n],
    ['payments', -100 - n],
  ],
  proof: toHex(sha256(Buffer.from(String(n)))).slice(0, 40),
})
const textsOf = (size: number) => Array.from({ length: size }, (_, n) => leafText(lineOf(n)))
const logOf = (size: number) => filesOfLog(signer, textsOf(size))
/** How the root over so many lines begins. */
const lettersOf = (size: number) =>
  toBase64(
    rootOf(
      sha256,
      textsOf(size).map(text => leafHash(sha256, bytesOf(text))),
    ),
  ).slice(0, 8)

/** @param answers take the place of what is read */
function readerOf(
  files: ReadonlyMap<string, Uint8Array>,
  answers: Readonly<Record<string, Uint8Array | undefined>> = {},
) {
  const read = proving(files)
  const got = new Map<string, Uint8Array>()
  const reading = {
    sha256,
    verify: verifySignature,
    verifier: signer,
    keyNow: () => Promise.reject(new Error('the known key has signed')),
    async read(path: string) {
      const bytes = path in answers ? answers[path] : await read(path)
      if (bytes !== undefined) got.set(path, bytes)
      return bytes
    },
  }
  return {
    got,
    verify: (index: number) => verifyLine(reading, index),
    compare: (size: number, letters: string) => verifyGrowth(reading, { size, letters }),
  }
}

const SIZES = [1, 2, 255, 256, 257, 511, 512, 600, 1_024]

/** Every byte, or some of them, is another: each is refused. */
async function expectEveryByteCounts(
  bytes: Uint8Array,
  refused: (changed: Uint8Array) => Promise<unknown>,
): Promise<void> {
  const step = Math.max(1, Math.floor(bytes.length / count({ usual: 150, long: 3_000 })))
  for (let n = 0; n < bytes.length; n += step) {
    const changed = Uint8Array.from(bytes)
    changed[n]! ^= 1
    await expect(refused(changed), String(n)).rejects.toThrow()
  }
}

describe('one line of a log', () => {
  it.each(SIZES)('is found in one of %i lines', async size => {
    const { verify } = readerOf(logOf(size))
    for (const index of new Set([0, 1, 254, 255, 256, 511, size - 2, size - 1]))
      if (index >= 0 && index < size) expect((await verify(index)).leaf).toEqual(lineOf(index))
  })

  it('is found in one of three levels, with one file', async () => {
    const files = logOf(65_536 + 300)
    for (const index of [0, 65_535, 65_536, 65_800, 65_835]) {
      const { verify, got } = readerOf(files)
      expect((await verify(index)).leaf).toEqual(lineOf(index))
      expect([...got.keys()]).toEqual([proofPath(index)])
      expect(got.get(proofPath(index))!.length).toBeLessThan(1_500)
    }
  })

  it.each([-1, 300, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('is none at %d of 300', async index => {
    await expect(readerOf(logOf(300)).verify(index)).rejects.toThrow(RangeError)
  })

  it('is refused where any byte of its proof is another', async () => {
    const files = logOf(300)
    for (const index of [3, 270]) {
      const path = proofPath(index)
      const bytes = (await proving(files)(path))!
      await expectEveryByteCounts(bytes, changed => readerOf(files, { [path]: changed }).verify(index))
    }
  })

  it('is refused with the proof of another line, of another head, or one that is cut or longer', async () => {
    const files = logOf(300)
    const path = proofPath(7)
    const own = readProof(textOf((await proving(files)(path))!))
    const other = readProof(textOf((await proving(files)(proofPath(8)))!))
    const before = readProof(textOf((await proving(logOf(299))(path))!))
    const back = leafText({ ...lineOf(7), day: '2026-11-20' })
    for (const [what, changed] of Object.entries({
      'another line': other,
      'another place': { ...own, index: 8 },
      'the line of another place': { ...own, entry: other.entry },
      'a line that is moved': { ...other, index: 7 },
      'a line that is back-dated': { ...own, entry: back },
      'the proof for another head': { ...own, hashes: before.hashes },
      'the head of another proof': { ...own, note: before.note },
      'a proof that is cut': { ...own, hashes: own.hashes.slice(1) },
      'a proof that is longer': { ...own, hashes: [...own.hashes, own.hashes[0]!] },
    }))
      await expect(readerOf(files, { [path]: bytesOf(proofText(changed)) }).verify(7), what).rejects.toThrow(
        /the line is not the one that was signed/,
      )
    const stranger = filesOfLog(testSigner('gifts.example/ledger', 9), textsOf(300))
    const foreign = { ...readerOf(stranger), path }
    await expect(foreign.verify(7)).rejects.toThrow('the known key has signed')
  })

  it('is told apart: a proof that is kept back, and a line that is none', async () => {
    const files = logOf(300)
    await expect(readerOf(files, { [proofPath(7)]: undefined }).verify(7)).rejects.toThrow('is missing')
    const noHead = { [proofPath(300)]: undefined, checkpoint: undefined }
    await expect(readerOf(files, noHead).verify(300)).rejects.toThrow('checkpoint: is missing')
  })
})

describe('a head that somebody kept', () => {
  it.each(SIZES)('is the beginning of a log of %i lines', async size => {
    const { compare, got } = readerOf(logOf(size))
    for (const older of new Set([1, 2, 3, 64, 255, 256, 257, 511, size - 1, size])) {
      if (older < 1 || older > size) continue
      expect((await compare(older, lettersOf(older))).size).toBe(size)
    }
    for (const bytes of got.values()) expect(bytes.length).toBeLessThan(1_500)
  })

  it('is refused with other letters, and where the log is shorter now', async () => {
    const files = logOf(300)
    const right = lettersOf(64)
    await expect(readerOf(files).compare(64, lettersOf(65))).rejects.toThrow(
      `the root over 64 lines begins with ${right}`,
    )
    await expect(readerOf(files).compare(301, right)).rejects.toThrow('has 300 lines, fewer than 301')
    await expect(readerOf(files, { [growthPath(64)]: undefined }).compare(64, right)).rejects.toThrow(
      'is missing',
    )
  })

  it('is refused where a line of before was changed, whatever proof is served for it', async () => {
    const changed = textsOf(300)
    changed[5] = leafText({ ...lineOf(5), day: '2026-11-20' })
    const files = filesOfLog(signer, changed)
    const honest = readGrowth(textOf((await proving(logOf(300))(growthPath(64)))!))
    const made = readGrowth(textOf((await proving(files)(growthPath(64)))!))
    for (const growth of [
      made,
      { ...made, root: honest.root },
      { ...honest, note: made.note },
      { ...made, older: 65 },
    ])
      await expect(
        readerOf(files, { [growthPath(64)]: bytesOf(growthText(growth)) }).compare(64, lettersOf(64)),
      ).rejects.toThrow(/begins with|does not lead/)
  })

  it('is refused where any byte of its proof is another', async () => {
    const files = logOf(300)
    for (const older of [64, 77]) {
      const path = growthPath(older)
      const bytes = (await proving(files)(path))!
      const letters = lettersOf(older)
      await expectEveryByteCounts(bytes, changed =>
        readerOf(files, { [path]: changed }).compare(older, letters),
      )
    }
  })
})
