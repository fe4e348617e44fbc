import sharp from 'sharp'
import { buyThroughApi, giftPath, readCard } from '#tests/support/e2e/api.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, said } from '#tests/support/e2e/words.ts'

const THEMES = ['palestine', 'lebanon', 'ukraine', 'christmas', 'blueText', 'greenText'] as const

/** A messenger that unfolds a link: reads the page without running it. */
async function tagsOf(site: Site, path: string, language?: string): Promise<Record<string, string>> {
  const answer = await fetch(site.url + path, {
    headers: { 'User-Agent': 'WhatsApp/2.24', ...(language && { 'Accept-Language': language }) },
  })
  const html = await answer.text()
  const head = html.slice(0, html.indexOf('</head>'))
  return Object.fromEntries(
    [...head.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g)].map(
      ([, name = '', content = '']) => [name, content],
    ),
  )
}

test('every theme × language has a picture of 1200 × 630 in at most 200 kB, in the theme’s own paper', async ({
  site,
}) => {
  const seen = new Set<string>()
  for (const theme of THEMES)
    for (const language of LANGUAGES) {
      const answer = await fetch(`${site.url}/og/${theme}-${language}.png`)
      expect(answer.headers.get('content-type')).toBe('image/png')
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.length).toBeLessThanOrEqual(200_000)
      const { width, height, format } = await sharp(bytes).metadata()
      expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
      seen.add(bytes.toString('base64'))
    }
  expect(seen.size).toBe(THEMES.length * LANGUAGES.length)
})

for (const language of LANGUAGES) {
  test(`a buyer’s page unfolds in ${language}, under its canonical address`, async ({ site }) => {
    for (const path of ['', '/intro/packages-donation', '/intro/ngo-list', '/who-we-are']) {
      const tags = await tagsOf(site, `/${language}${path}`)
      expect(tags).toMatchObject({
        'og:type': 'website',
        'og:locale': said(language, 'preview-locale'),
        'og:url': `${site.url}/${language}${path}`,
        'og:image': `${site.url}/og/palestine-${language}.png`,
        'og:image:width': '1200',
        'og:image:height': '630',
        'twitter:card': 'summary_large_image',
      })
      for (const tag of ['og:title', 'og:description', 'og:site_name', 'og:image:alt'])
        expect(tags[tag], tag).toMatch(/\S/)
    }
  })

  test(`a card’s link unfolds as a gift in its theme and its ${language}, and tells nothing of the card`, async ({
    site,
  }) => {
    const email = `someone-${language}@example.org`
    const card = await buyThroughApi(site, {
      language,
      theme: 'lebanon',
      sender: 'Íñigo Añón',
      ngoAmount: 7_000,
      packageId: 'their homes',
      email,
    })
    const paths = [
      giftPath(card.privateKey),
      giftPath(card.privateKey, 'introduction-1'),
      giftPath(card.privateKey, 'select-ngo'),
      giftPath(card.publicKey, 'introduction-1', 'preview'),
    ]
    for (const [path, asked] of paths.flatMap(path =>
      [undefined, ...LANGUAGES].map(asked => [path, asked] as const),
    )) {
      const tags = await tagsOf(site, path, asked)
      expect(tags['og:locale']).toBe(said(language, 'preview-locale'))
      expect(tags['og:image']).toBe(`${site.url}/og/lebanon-${language}.png`)
      expect(tags['og:title']).toBe(said(language, 'receiver-heading-anonymous'))
      expect(tags['og:description']).toBe(said(language, 'preview-description-gift'))
      expect(tags).not.toHaveProperty('og:url')
      // Without the site's own address, whose port is any number.
      const everything = JSON.stringify(tags).replaceAll(site.url, '')
      for (const secret of [card.privateKey, card.publicKey, 'Íñigo', 'Añón', '70', email])
        expect(everything, secret).not.toContain(secret)
    }
    expect((await readCard(site, card.privateKey)).giftcard?.consumed).toBe(false)
  })
}

test('the try card’s link says that it is one, in the language of who looks', async ({ site }) => {
  for (const language of LANGUAGES) {
    const tags = await tagsOf(site, giftPath('giftcard-try', 'introduction-1'), language)
    expect(tags['og:locale']).toBe(said(language, 'preview-locale'))
    expect(tags['og:description']).toBe(said(language, 'preview-description-try'))
  }
})
