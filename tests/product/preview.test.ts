import { describe, expect, it } from 'vitest'
import { perLanguage } from '#domain/languages.ts'
import { keyFor, signed } from '#server/modules/operator/signed.ts'
import { call } from '#tests/support/product/call.ts'
import { contentClientOf } from '#tests/support/product/content.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { expectRefusal } from '#tests/support/product/refusal.ts'

const PAGE = '/es/intro/ngo-list'
const DRAFT = 'Médicos en borrador'
const SECRET = 'a-secret-of-the-studio'

const { product } = await openProduct({ CARD_KEY_SECRET })
const drafts = contentClientOf(product, { perspective: 'raw' })
// As the Studio's preview writes it down.
await drafts.create({ _id: 'drafts.secret', _type: 'sanity.previewUrlSecret', secret: SECRET })
const published = await drafts.getDocument('ngo-msf')
await drafts.create({ ...published!, _id: 'drafts.ngo-msf', title: perLanguage(() => DRAFT) })

const enable = (query: Record<string, string>) =>
  call(`${product.url}/api/preview/enable?${new URLSearchParams(query)}`)
const look = (cookie?: string, path = PAGE) =>
  call(product.url + path, { headers: cookie === undefined ? {} : { Cookie: cookie } })
const cookieUntil = (end: number, secret = CARD_KEY_SECRET) =>
  `drafts=${signed(keyFor(secret, 'preview of drafts'), String(end))}`

async function cookieOfStudio(): Promise<string> {
  const { headers } = await enable({ 'sanity-preview-secret': SECRET, 'sanity-preview-pathname': PAGE })
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

describe('the operator’s look at drafts', () => {
  it('begins with a secret that the Studio wrote down, and goes on to the page', async () => {
    const answer = await enable({
      'sanity-preview-secret': SECRET,
      'sanity-preview-pathname': PAGE,
      'sanity-preview-perspective': 'drafts',
    })
    expect([answer.status, answer.headers.location]).toEqual([307, PAGE])
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^drafts=\d+\.[\w-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
  })

  it('shows the real page with the drafts in it, kept by nobody, and the Studio may frame it', async () => {
    const answer = await look(await cookieOfStudio())
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(DRAFT)
    expect(answer.text).toContain('data-drafts')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers['x-robots-tag']).toBe('noindex')
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    // The unprefixed address is the same page.
    expect((await look(`lang=es; ${await cookieOfStudio()}`, '/intro/ngo-list')).text).toContain(DRAFT)
  })

  it('is nobody else’s: visitors see what is published, before and after', async () => {
    await look(await cookieOfStudio())
    for (const path of [PAGE, '/en/intro/ngo-list', '/fr/intro/ngo-list']) {
      const { text, headers } = await look(undefined, path)
      expect(text).not.toContain(DRAFT)
      expect(text).not.toContain('data-drafts')
      expect(headers['cache-control']).toBe('public, no-cache')
    }
  })

  it('begins with no other secret, and with no old one', async () => {
    for (const secret of ['', 'wrong', `${SECRET}x`, '*'])
      expectRefusal(await enable({ 'sanity-preview-secret': secret }), [401, 'operator-only'], secret)
    expectRefusal(await enable({}), [401, 'operator-only'], 'none')
  })

  it('is not shown for a cookie that is over, forged or of another server', async () => {
    expect((await look(cookieUntil(Date.now() + 60_000))).text).toContain(DRAFT)
    for (const cookie of [
      cookieUntil(Date.now() - 1),
      cookieUntil(Date.now() + 60_000, 'another secret of another server'),
      cookieUntil(Date.now() + 60_000).replace(/=\d/, '=9'),
      'drafts=',
      'drafts=1',
    ]) {
      const { status, text, headers } = await look(cookie)
      expect([status, text.includes(DRAFT), headers['cache-control']], cookie).toEqual([
        200,
        false,
        'public, no-cache',
      ])
    }
  })

  it('leads to pages of the site alone', async () => {
    for (const path of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const { headers } = await enable({ 'sanity-preview-secret': SECRET, 'sanity-preview-pathname': path })
      expect(headers.location, path).toBe('/')
    }
  })

  it('ends on request, and for whoever asks for the published pages', async () => {
    const disabled = await call(`${product.url}/api/preview/disable?sanity-preview-pathname=${PAGE}`)
    const published = await enable({
      'sanity-preview-perspective': 'published',
      'sanity-preview-pathname': PAGE,
    })
    for (const { status, headers } of [disabled, published]) {
      expect([status, headers.location]).toEqual([307, PAGE])
      expect(headers['set-cookie']?.[0]).toMatch(/^drafts=; Max-Age=0;/)
    }
  })

  it('shows what visitors see, in a page that the Studio can hold, where that is asked for', async () => {
    const { headers } = await enable({
      'sanity-preview-secret': SECRET,
      'sanity-preview-perspective': 'published',
      'sanity-preview-pathname': PAGE,
    })
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const { text, headers: sent } = await look(cookie)
    expect(text).toContain('data-drafts="published"')
    expect(text).not.toContain(DRAFT)
    expect(sent['cache-control']).toBe('private, no-store')
    // No such cookie becomes one for drafts.
    expect((await look(cookie.replace('published.', ''))).text).not.toContain('data-drafts')
  })

  it('goes on within the frame of the Studio when the drafts are left, and only there', async () => {
    const leave = async (cookie: string, dest: string) => {
      const { headers } = await call(`${product.url}/api/preview/disable?sanity-preview-pathname=${PAGE}`, {
        headers: { Cookie: cookie, 'Sec-Fetch-Dest': dest },
      })
      return headers['set-cookie']?.[0]
    }
    expect(await leave(await cookieOfStudio(), 'iframe')).toMatch(
      /^drafts=published\.\d+\.[\w-]+; Max-Age=3600;/,
    )
    expect(await leave(await cookieOfStudio(), 'document')).toMatch(/^drafts=; Max-Age=0;/)
    expect(await leave('drafts=1', 'iframe')).toMatch(/^drafts=; Max-Age=0;/)
  })

  it('says what is missing when the pages could not show the draft', async () => {
    const client = contentClientOf(product)
    await client.patch('drafts.ngo-msf').unset(['title.fr']).commit()
    const answer = await look(await cookieOfStudio())
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('title.fr')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect((await look()).status).toBe(200)
  })
})
