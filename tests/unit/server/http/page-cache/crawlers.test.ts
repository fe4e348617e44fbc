import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { PUBLISHED_PAGES } from '#paths'
import { robotsTxt, sitemapXml } from '#server/http/page-cache/crawlers.ts'

const SITE = 'https://gifts.example'
const sitemap = sitemapXml(SITE, PUBLISHED_PAGES)
const locations = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(match => match[1])

describe('the sitemap', () => {
  it('lists every listed page in every language, and no other', () => {
    const listed = PUBLISHED_PAGES.filter(page => page.listed)
    expect(locations).toHaveLength(listed.length * LANGUAGES.length)
    expect(locations).toContain(`${SITE}/es`)
    expect(locations).toContain(`${SITE}/fr/intro/packages-donation`)
    expect(sitemap).not.toMatch(/no-refresh|prepayment|gift-card\/|\/error|cookies-settings/)
  })

  it('names all translations of each page and the address without a language', () => {
    for (const entry of sitemap.match(/<url>.*?<\/url>/g) ?? [])
      expect([...entry.matchAll(/hreflang="(.*?)"/g)].map(match => match[1])).toEqual([
        ...LANGUAGES,
        'x-default',
      ])
    expect(sitemap).toContain(`hreflang="x-default" href="${SITE}/intro/ngo-list"`)
  })

  it('lists no page that says noindex', () => {
    expect(PUBLISHED_PAGES.filter(page => page.listed && (page.noIndex || page.noStore))).toEqual([])
  })

  it('holds whatever the address of the site holds', () => {
    expect(sitemapXml('https://a.example/?x&y', [{ path: '/', listed: true }])).not.toMatch(/&(?!amp;)/)
  })
})

describe('robots.txt', () => {
  it('keeps crawlers off the calls, not off cards that friends unfold, and names the sitemap', () => {
    expect(robotsTxt(SITE, { sandbox: false })).toBe(
      `User-agent: *\nDisallow: /api/\n\nSitemap: ${SITE}/sitemap.xml\n`,
    )
  })

  it('names nothing of a sandbox, and lets crawlers read on each page that it is none to list', () => {
    expect(robotsTxt(SITE, { sandbox: true })).toBe('User-agent: *\nDisallow: /api/\n')
  })
})
