import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Compress, compressOnce } from '#server/http/transport/encodings.ts'
import { encodeOnce } from '#server/http/transport/kept-encodings.ts'

const TEXT = Buffer.from('a line of the public ledger\n'.repeat(200))

function counting(mostBytes = 1_000_000) {
  const compressed: number[] = []
  const compress: Compress = (bytes, type) => {
    compressed.push(bytes.length)
    return compressOnce(bytes, type)
  }
  return { encode: encodeOnce(mostBytes, compress), compressed }
}

describe('what never changes', () => {
  it('is compressed once, however many ask for it, at once or afterwards', async () => {
    const { encode, compressed } = counting()
    const first = await Promise.all([
      encode('a', TEXT, 'br'),
      encode('a', TEXT, 'br'),
      encode('a', TEXT, 'gzip'),
    ])
    const later = await encode('a', TEXT, 'gzip, br')
    expect(compressed).toEqual([TEXT.length])
    expect(first.map(({ encoding }) => encoding)).toEqual(['br', 'br', 'gzip'])
    expect(later.bytes).toBe(first[0]!.bytes)
    expect(brotliDecompressSync(first[0]!.bytes).equals(TEXT)).toBe(true)
    expect(gunzipSync(first[2]!.bytes).equals(TEXT)).toBe(true)
  })

  it('is sent as it is to whoever accepts nothing else, and where nothing makes it smaller', async () => {
    const { encode, compressed } = counting()
    expect(await encode('a', TEXT, undefined)).toEqual({ encoding: 'identity', bytes: TEXT })
    expect(compressed).toEqual([])
    expect((await encode('b', Buffer.from('short'), 'br')).encoding).toBe('identity')
  })

  it('is forgotten where there is more than may be kept', async () => {
    const { encode, compressed } = counting(200)
    const other = Buffer.from('another line of the public ledger\n'.repeat(100))
    for (const [name, text] of [
      ['a', TEXT],
      ['b', other],
      ['a', TEXT],
    ] as const) {
      const { encoding, bytes } = await encode(name, text, 'br')
      expect(encoding).toBe('br')
      expect(brotliDecompressSync(bytes).equals(text)).toBe(true)
    }
    expect(compressed).toEqual([TEXT.length, other.length, TEXT.length])
  })
})
