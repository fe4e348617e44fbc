import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { createLastingPages } from '#server/http/page-cache/lasting-pages.ts'
import { compressFast, compressOnce } from '#server/http/transport/encodings.ts'

const text = Array.from({ length: 400 }, (_, n) => `<p>Article ${n}: ${(n * 7919).toString(36)}</p>`).join('')
const page = (body = text, status = 200) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(body),
  unmatched: false,
})

describe('a page that says the same for ever', () => {
  it('is compressed once in each coding, and smaller than for one sending', async () => {
    const compress = vi.fn(compressOnce)
    const pack = createLastingPages(compress)
    const first = await pack(page(), 'br')
    expect((await pack(page(), 'br')).packed).toEqual(first.packed)
    expect(compress).toHaveBeenCalledOnce()
    expect(brotliDecompressSync(first.packed!).toString()).toBe(text)
    expect(first.packed!.length).toBeLessThan(compressFast(page().body, 'br').length)
    expect((await pack(page(), 'gzip')).packed).not.toEqual(first.packed)
  })

  it('is compressed anew where it says something else', async () => {
    const pack = createLastingPages()
    await pack(page(), 'br')
    const other = text.replace('Article 1', 'Clause 1')
    expect(brotliDecompressSync((await pack(page(other), 'br')).packed!).toString()).toBe(other)
  })

  it.each([
    ['without a coding', 'identity', 200],
    ['of a version that there is not', 'br', 404],
  ] as const)('is left as it is: %s', async (_, encoding, status) => {
    expect(await createLastingPages()(page(text, status), encoding)).toEqual(page(text, status))
  })
})
