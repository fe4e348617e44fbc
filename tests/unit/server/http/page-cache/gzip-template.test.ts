import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gzipWithGaps } from '#server/http/page-cache/gzip-template.ts'

const buffers = (texts: readonly string[]): Buffer[] => texts.map(text => Buffer.from(text))

describe('gzip with gaps', () => {
  it('reads as the text with the filling in every gap, whatever both are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('', '<a href="/gift-card/', '/introduction-2/final">', '\0'.repeat(9)),
    )
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.uint8Array({ maxLength: 40 }),
        (texts, bytes) => {
          const filling = Buffer.from(bytes)
          const fill = gzipWithGaps(buffers(texts), filling.length)
          const whole = buffers(texts).flatMap((part, index) => (index === 0 ? [part] : [filling, part]))
          expect(gunzipSync(fill(filling)).equals(Buffer.concat(whole))).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('keeps nothing of one filling in the next', () => {
    const fill = gzipWithGaps(buffers(['key aaaa, ', ' and ', '.']), 4)
    expect(gunzipSync(fill(Buffer.from('aaaa'))).toString()).toBe('key aaaa, aaaa and aaaa.')
    expect(gunzipSync(fill(Buffer.from('bbbb'))).toString()).toBe('key aaaa, bbbb and bbbb.')
    expect(fill(Buffer.from('bbbb')).includes('aaaaaaaa')).toBe(false)
  })

  it('refers over the gaps, and over more than deflate’s window', () => {
    const words = Array.from({ length: 20_000 }, (_, n) => (n * 7919) % 1_000).join(' ')
    const parts = buffers([words, words, words])
    const filled = gzipWithGaps(parts, 32)(Buffer.alloc(32, 'k'))
    expect(gunzipSync(filled).toString()).toBe([words, words, words].join('k'.repeat(32)))
    const short = 'The same words stand before the gap and after it, and are written once. '.repeat(3)
    const gaps = gzipWithGaps(buffers([short, short]), 4)(Buffer.from('kkkk'))
    expect(gaps.length).toBeLessThan(gzipSync(short).length + 40)
  })

  it('refuses a filling of another length', () => {
    expect(() => gzipWithGaps(buffers(['a', 'b']), 4)(Buffer.from('kkk'))).toThrow(RangeError)
  })
})
