import { describe, expect, it } from 'vitest'
import { toHex } from '#domain/public-ledger/bytes.ts'
import { type Leaf, leafText } from '#domain/public-ledger/leaf.ts'
import { verifyLine } from '#domain/public-ledger/line.ts'
import { count } from '#tests/support/counts.ts'
import { filesOfLog, sha256, testSigner, verifySignature } from '#tests/support/public-log.ts'

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
const logOf = (size: number) =>
  filesOfLog(
    signer,
    Array.from({ length: size }, (_, n) => leafText(lineOf(n))),
  )

function readerOf(files: ReadonlyMap<string, Uint8Array>) {
  const asked = new Set<string>()
  const verify = (index: number) =>
    verifyLine(
      {
        sha256,
        verify: verifySignature,
        verifier: signer,
        async read(path) {
          asked.add(path)
          return files.get(path)
        },
      },
      index,
    )
  return { verify, asked }
}

describe('one line of a log', () => {
  it.each([1, 2, 255, 256, 257, 511, 512, 600, 1_024])('is found in one of %i lines', async size => {
    const { verify } = readerOf(logOf(size))
    for (const index of new Set([0, 1, 254, 255, 256, 511, size - 2, size - 1]))
      if (index >= 0 && index < size) expect((await verify(index)).leaf).toEqual(lineOf(index))
  })

  it('is found in one of three levels, with few files', async () => {
    const files = logOf(65_536 + 300)
    for (const index of [0, 65_535, 65_536, 65_800, 65_835]) {
      const { verify, asked } = readerOf(files)
      expect((await verify(index)).leaf).toEqual(lineOf(index))
      expect(asked.size).toBeLessThanOrEqual(6)
    }
  })

  it.each([-1, 300, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('is none at %d of 300', async index => {
    await expect(readerOf(logOf(300)).verify(index)).rejects.toThrow(RangeError)
  })

  it('is refused where any byte of a file that it needs is another', async () => {
    const files = logOf(300)
    for (const index of [3, 270]) {
      const { verify, asked } = readerOf(files)
      await verify(index)
      for (const path of asked) {
        const bytes = files.get(path)!
        const step = Math.max(1, Math.floor(bytes.length / count({ usual: 60, long: 3_000 })))
        for (let n = 0; n < bytes.length; n += step) {
          const changed = Uint8Array.from(bytes)
          changed[n]! ^= 1
          const { verify: verifyChanged } = readerOf(new Map(files).set(path, changed))
          await expect(verifyChanged(index), `${path} ${n}`).rejects.toThrow()
        }
      }
    }
  })

  it('is refused where a file that it needs is missing', async () => {
    const files = logOf(600)
    const { verify, asked } = readerOf(files)
    await verify(3)
    expect([...asked].sort()).toEqual(['checkpoint', 'tile/0/002.p/88', 'tile/1/000.p/2', 'tile/entries/000'])
    for (const path of asked) {
      const fewer = new Map(files)
      fewer.delete(path)
      await expect(readerOf(fewer).verify(3), path).rejects.toThrow('is missing')
    }
  })
})
