import { LANGUAGES, type Language } from '#domain/languages.ts'
import { API_PATHS, localizedPath, type PublishedPage } from '#paths'
import { makeContent, type Prepared, prepare } from '#server/http/transport/prepared.ts'

/**
 * What search engines are told. Cards are not forbidden here: a link sent to a friend unfolds through a crawler
 * that asks this file first, and their pages say `noindex` themselves. So does every page of a sandbox, which names no
 * others: a crawler that may not read them would list their addresses all the same.
 */
export function robotsTxt(siteUrl: string, { sandbox }: { readonly sandbox: boolean }): string {
  const rules = `User-agent: *\nDisallow: ${API_PATHS}\n`
  return sandbox ? rules : `${rules}\nSitemap: ${siteUrl}/sitemap.xml\n`
}

/** Every listed page in every language at its canonical address, each naming all its translations. */
export function sitemapXml(siteUrl: string, pages: readonly PublishedPage[]): string {
  const at = (language: Language, path: string): string => escapeXml(siteUrl + localizedPath(language, path))
  const urls = pages
    .filter(({ listed }) => listed)
    .flatMap(({ path }) => {
      const alternates = [
        ...LANGUAGES.map(other => [other, at(other, path)] as const),
        ['x-default', escapeXml(siteUrl + path)] as const,
      ]
      const links = alternates.map(
        ([code, href]) => `<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>`,
      )
      return LANGUAGES.map(language => `<url><loc>${at(language, path)}</loc>${links.join('')}</url>`)
    })
  const namespaces =
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespaces}>\n${urls.join('\n')}\n</urlset>\n`
}

/** Both files, ready to be served beside the static ones. */
export async function crawlerFiles(
  siteUrl: string,
  pages: readonly PublishedPage[],
  { sandbox }: { readonly sandbox: boolean },
): Promise<ReadonlyMap<string, Prepared>> {
  const file = async (text: string, type: string): Promise<Prepared> =>
    prepare(await makeContent(Buffer.from(text), `${type}; charset=utf-8`), {
      cacheControl: 'public, max-age=3600',
    })
  return new Map([
    ['/robots.txt', await file(robotsTxt(siteUrl, { sandbox }), 'text/plain')],
    ['/sitemap.xml', await file(sitemapXml(siteUrl, sandbox ? [] : pages), 'application/xml')],
  ])
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
