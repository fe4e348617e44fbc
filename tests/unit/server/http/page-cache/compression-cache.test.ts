import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptCompression } from '#server/http/page-cache/compression-cache.ts'

const HTML = 'text/html; charset=utf-8'
const page = Buffer.from('<p>a thought that repeats itself</p>'.repeat(100))

describe('compression that is kept', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kept-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('gives the same bytes in every coding, the second time from disk', async () => {
    const first = await keptCompression(folder)(page, HTML)
    expect(brotliDecompressSync(first.br!)).toEqual(page)
    expect(gunzipSync(first.gzip!)).toEqual(page)
    for (const name of await readdir(folder)) await writeFile(join(folder, name), `kept ${name}`)
    const second = await keptCompression(folder)(page, HTML)
    expect(String(second.br)).toMatch(/^kept .*\.br$/)
    expect(String(second.gzip)).toMatch(/^kept .*\.gzip$/)
    expect(second.identity).toEqual(page)
  })

  it('never gives one page the bytes of another', async () => {
    await keptCompression(folder)(page, HTML)
    const other = Buffer.from(String(page).replace('thought', 'thinker'))
    expect(brotliDecompressSync((await keptCompression(folder)(other, HTML)).br!)).toEqual(other)
  })

  it('works without a folder it may write to, and leaves pictures alone', async () => {
    const blocked = join(folder, 'a-file')
    await writeFile(blocked, '')
    expect(brotliDecompressSync((await keptCompression(blocked)(page, HTML)).br!)).toEqual(page)
    expect(await keptCompression(folder)(page, 'image/png')).toEqual({ identity: page })
    expect(await readdir(folder)).toEqual(['a-file'])
  })
})
