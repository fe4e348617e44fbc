import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brotliWithGaps } from '#server/http/page-cache/brotli-template.ts'

const GAP = 32
const buffers = (texts: readonly string[]): Buffer[] => texts.map(text => Buffer.from(text))

/** A page of the application, cut where a link has its key. */
const PAGE = readFileSync('ARCHITECTURE.md', 'utf8').split('key')

describe('brotli with gaps', () => {
  it('reads as the text with the filling in every gap, whatever both are', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('', '<a href="/gift-card/', '/introduction-2/final">', '~'.repeat(90), ...PAGE),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.array(fc.uint8Array({ minLength: GAP, maxLength: GAP }), { minLength: 3, maxLength: 3 }),
        async (texts, fillings) => {
          const fill = await brotliWithGaps(buffers(texts), GAP)
          // It may say no, if seldom: nothing wrong is sent then.
          fc.pre(fill !== undefined)
          for (const filling of fillings.map(bytes => Buffer.from(bytes))) {
            const whole = buffers(texts).flatMap((part, index) => (index === 0 ? [part] : [filling, part]))
            expect(brotliDecompressSync(fill(filling)).equals(Buffer.concat(whole))).toBe(true)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('makes a page half as long', async () => {
    const fill = await brotliWithGaps(buffers(PAGE), GAP)
    const bytes = Buffer.byteLength(PAGE.join('k'.repeat(GAP)))
    expect(fill!(Buffer.alloc(GAP, 'k')).length).toBeLessThan(bytes / 2)
  })

  it('says so where a gap cannot be left open', async () => {
    // Two bytes are found everywhere in the text.
    expect(
      await brotliWithGaps(
        [Buffer.from(Array.from({ length: 65_536 }, (_, n) => n & 255)), Buffer.from('.')],
        1,
      ),
    ).toBeUndefined()
  })

  it('refuses a filling of another length', async () => {
    const fill = await brotliWithGaps(buffers(['a', 'b']), GAP)
    expect(() => fill!(Buffer.from('kkk'))).toThrow(RangeError)
  })
})
