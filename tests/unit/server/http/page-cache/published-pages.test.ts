import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { createHealth } from '#server/http/health.ts'
import { type Rendered, renderPath } from '#server/http/page-cache/astro-handler.ts'
import { createPublishedPages } from '#server/http/page-cache/published-pages.ts'
import { type Compress, compressOnce, ENCODINGS } from '#server/http/transport/encodings.ts'
import type { Prepared } from '#server/http/transport/prepared.ts'
import { fakeAstro, PAGES } from '../fake-router.ts'

function publishing({ complete = true, cdn = false } = {}) {
  const astro = fakeAstro()
  const compressed: string[] = []
  const policy = { given: "default-src 'none'" }
  const render = async (path: string): Promise<Rendered> => {
    const rendered = await renderPath(astro.handler, path, {})
    return { ...rendered, headers: { ...rendered.headers, 'content-security-policy': policy.given } }
  }
  let passing: Promise<void> | undefined
  let pass = (): void => {}
  let failing: string | undefined
  /** Holds up whoever compresses at the highest effort, or lets them fail. */
  const gate = {
    close: () => {
      passing = new Promise(resolve => {
        pass = resolve
      })
    },
    open: () => {
      failing = undefined
      pass()
    },
    fail: (title: string) => {
      failing = title
    },
  }
  const compress: Compress = async (bytes, type) => {
    compressed.push(bytes.toString())
    await passing
    if (failing !== undefined && bytes.includes(failing)) throw new Error('no memory')
    return compressOnce(bytes, type)
  }
  const published = createPublishedPages({
    pages: PAGES,
    languages: LANGUAGES,
    complete,
    render,
    cdn,
    compress,
  })
  const titleOf = (path: string) =>
    /<title>(.*)<\/title>/.exec(
      String(published.find('es', path)?.canonical.variants.identity.body ?? ''),
    )?.[1]
  return { astro, published, titleOf, compressed, policy, gate }
}

/** Two sets are published, and nothing of the second is compressed at the highest effort before the gate opens. */
async function heldUpAtSecond() {
  const all = publishing()
  await all.published.publish()
  all.compressed.splice(0)
  all.gate.close()
  all.astro.release = 2
  await all.published.publish()
  return all
}

describe('publishing', () => {
  it('renders every page in every language', async () => {
    const { astro, published } = publishing()
    expect(published.isReady()).toBe(false)
    expect(await published.publish()).toEqual({ ok: true, pages: PAGES.length * LANGUAGES.length })
    expect(published.isReady()).toBe(true)
    expect(new Set(astro.asked.map(({ url }) => url)).size).toBe(PAGES.length * LANGUAGES.length)
    expect(published.find('fr', '/intro/ngo-list')).toBeDefined()
    expect(published.find('fr', '/nothing')).toBeUndefined()
  })

  it('swaps the whole set when all is well', async () => {
    const { astro, published, titleOf } = publishing()
    await published.publish()
    astro.release = 2
    await published.publish()
    expect(titleOf('/')).toBe('/ 2')
    expect(titleOf('/intro/ngo-list')).toBe('/intro/ngo-list 2')
  })

  it('keeps the whole old set when one page fails, and says which', async () => {
    for (const complete of [true, false]) {
      const { astro, published, titleOf } = publishing({ complete })
      await published.publish()
      astro.release = 2
      astro.broken.add('/fr/intro/ngo-list')
      expect(await published.publish()).toEqual({
        ok: false,
        failures: [{ path: '/fr/intro/ngo-list', reason: 'status 500' }],
      })
      expect(titleOf('/')).toBe('/ 1')
      expect(titleOf('/intro/ngo-list')).toBe('/intro/ngo-list 1')
      astro.broken.clear()
      expect(await published.publish()).toMatchObject({ ok: true })
      expect(titleOf('/')).toBe('/ 2')
    }
  })

  it('has no set at all when the first one fails, except where pages are still being written', async () => {
    const strict = publishing()
    strict.astro.broken.add('/es')
    expect(await strict.published.publish()).toMatchObject({ ok: false })
    expect(strict.published.isReady()).toBe(false)

    const working = publishing({ complete: false })
    working.astro.broken.add('/es')
    expect(await working.published.publish()).toMatchObject({ ok: false, failures: [{ path: '/es' }] })
    expect(working.titleOf('/intro/ngo-list')).toBe('/intro/ngo-list 1')
  })

  it('names each set by what its pages say, and tells a CDN of canonical pages alone', async () => {
    const { astro, published } = publishing({ cdn: true })
    expect(published.release()).toBeUndefined()
    await published.publish()
    const first = published.release()
    await published.publish()
    expect(published.release()).toBe(first)
    const headersOf = (which: 'canonical' | 'chosen') =>
      published.find('es', '/')?.[which].variants.identity.headers.join('\n')
    expect(headersOf('canonical')).toContain(`pages release-${first}`)
    expect(headersOf('canonical')).toContain('CDN-Cache-Control')
    expect(headersOf('chosen')).not.toMatch(/CDN-Cache-Control|Surrogate-Key/)
    astro.release = 2
    await published.publish()
    expect(published.release()).not.toBe(first)

    const without = publishing()
    await without.published.publish()
    expect(without.published.find('es', '/')?.canonical.variants.identity.headers.join('\n')).not.toMatch(
      /CDN-Cache-Control|Surrogate-Key/,
    )
  })

  it('compresses anew only what says something else than before', async () => {
    const { astro, published, compressed, policy, titleOf } = publishing()
    await published.publish()
    const first = published.find('es', '/')
    expect(compressed.splice(0)).toHaveLength(PAGES.length * LANGUAGES.length)
    await published.publish()
    expect(compressed).toEqual([])
    expect(published.find('es', '/')).toBe(first)
    astro.release = 2
    await published.publish()
    await published.settled()
    expect(compressed.splice(0)).toHaveLength(PAGES.length * LANGUAGES.length)
    expect(titleOf('/')).toBe('/ 2')
    // Another policy alone: the page is sent with it.
    policy.given = "default-src 'self'"
    await published.publish()
    expect(published.find('es', '/')?.canonical.variants.br.headers.join('\n')).toContain(
      "default-src 'self'",
    )
  })

  it('shows a later set before it is compressed as small as it will be, and then under other ETags', async () => {
    const { astro, published, titleOf, gate } = publishing()
    await published.publish()
    astro.release = 2
    gate.close()
    await published.publish()
    expect(titleOf('/')).toBe('/ 2')
    const release = published.release()
    const quick = published.find('es', '/')!.canonical
    expect(brotliDecompressSync(quick.variants.br.body).equals(quick.variants.identity.body)).toBe(true)
    gate.open()
    await published.settled()
    const small = published.find('es', '/')!.canonical
    expect(small.variants.br.body.length).toBeLessThan(quick.variants.br.body.length)
    expect(small.variants.identity.body).toEqual(quick.variants.identity.body)
    expect(published.release()).toBe(release)
    expect(small.tag).toBe(quick.tag)
    const tagsOf = ({ variants }: Prepared) =>
      ENCODINGS.map(each => variants[each].headers.find(header => header.startsWith(`"`)))
    expect(new Set([...tagsOf(small), ...tagsOf(quick)]).size).toBe(2 * ENCODINGS.length)
  })

  it('compresses nothing small while a further set is on its way, and everything once it is there', async () => {
    const { astro, published, compressed, gate } = await heldUpAtSecond()
    astro.release = 3
    const further = published.publish()
    gate.open()
    await further
    await published.settled()
    const small = compressed.filter(page => page.includes(' 3<'))
    expect(small).toHaveLength(PAGES.length * LANGUAGES.length)
    expect(compressed.length - small.length).toBeLessThanOrEqual(1)
  })

  it('compresses nothing more of a set that a further one has replaced meanwhile', async () => {
    const { astro, published, compressed, gate } = await heldUpAtSecond()
    astro.release = 3
    await published.publish()
    gate.open()
    await published.settled()
    expect(compressed.filter(page => page.includes(' 2<'))).toHaveLength(1)
    expect(compressed.filter(page => page.includes(' 3<'))).toHaveLength(PAGES.length * LANGUAGES.length)
  })

  it('keeps a page that cannot be made smaller, and tries it again with the next set', async () => {
    const { astro, published, titleOf, gate, compressed } = publishing()
    await published.publish()
    astro.release = 2
    gate.fail('/intro/ngo-list 2<')
    await published.publish()
    await published.settled()
    expect(titleOf('/intro/ngo-list')).toBe('/intro/ngo-list 2')
    gate.open()
    compressed.splice(0)
    await published.publish()
    await published.settled()
    expect(compressed).toHaveLength(LANGUAGES.length)
  })

  it('gives a CDN, which keeps what it has, the smallest at once', async () => {
    const { astro, published, compressed } = publishing({ cdn: true })
    await published.publish()
    compressed.splice(0)
    astro.release = 2
    await published.publish()
    expect(compressed).toHaveLength(PAGES.length * LANGUAGES.length)
    const { headers } = published.find('es', '/')!.canonical.variants.br
    expect(headers.join('\n')).not.toContain('quick')
  })

  it('renders no page again that says of itself that it would come out the same', async () => {
    const astro = fakeAstro()
    const changed = new Set<string>()
    const published = createPublishedPages({
      pages: PAGES,
      languages: LANGUAGES,
      complete: true,
      render: async path => ({
        ...(await renderPath(astro.handler, path, {})),
        isUnchanged: () => !changed.has(path),
      }),
    })
    await published.publish()
    const before = published.find('es', '/')
    astro.asked.splice(0)
    astro.release = 2
    changed.add('/fr')
    expect(await published.publish()).toEqual({ ok: true, pages: PAGES.length * LANGUAGES.length })
    expect(astro.asked.map(({ url }) => url)).toEqual(['/fr'])
    expect(published.find('es', '/')).toBe(before)
    expect(String(published.find('fr', '/')?.canonical.variants.identity.body)).toContain('/ 2')
  })

  it('shares one further run among all who ask while it runs', async () => {
    const { astro, published, titleOf } = publishing()
    const first = published.publish()
    astro.release = 2
    const later = [published.publish(), published.publish(), published.publish()]
    await Promise.all([first, ...later])
    expect(astro.asked).toHaveLength(2 * PAGES.length * LANGUAGES.length)
    expect(titleOf('/')).toBe('/ 2')
  })
})

describe('readiness', () => {
  it('names every check that does not hold', async () => {
    const health = createHealth({
      database: () => Promise.reject(new Error('gone')),
      pages: () => false,
      mail: () => true,
    })
    expect(await health('/health/ready')).toMatchObject({ status: 503, body: 'not ready: database, pages\n' })
    expect(await health('/health/live')).toMatchObject({ status: 200 })
    expect(health('/health')).toBeUndefined()
  })
})
