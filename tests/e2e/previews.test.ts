import sharp from 'sharp'
import { VOLUNTEERING_SCREENS } from '#domain/receiver/volunteering-introductions.ts'
import { buyThroughApi, giftPath, inviteThroughApi, readCard } from '#tests/support/e2e/api.ts'
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

test('every kind × theme × language has a picture of 1200 × 630 in at most 200 kB, in the theme’s own paper', async ({
  site,
}) => {
  const seen = new Set<string>()
  for (const theme of THEMES)
    for (const language of LANGUAGES) {
      for (const kind of ['', 'invitation-']) {
        const answer = await fetch(`${site.url}/og/${kind}${theme}-${language}.png`)
        expect(answer.headers.get('content-type')).toBe('image/png')
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(bytes.length).toBeLessThanOrEqual(200_000)
        const { width, height, format } = await sharp(bytes).metadata()
        expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
        seen.add(bytes.toString('base64'))
      }
    }
  expect(seen.size).toBe(2 * THEMES.length * LANGUAGES.length)
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

/** The name of a page as the browser shows it, without the site's. */
async function titleOf(site: Site, path: string, language: string): Promise<string> {
  const html = await (await fetch(site.url + path, { headers: { 'Accept-Language': language } })).text()
  return /<title>(.*?) · /.exec(html)?.[1] ?? ''
}

for (const language of LANGUAGES) {
  test(`an invitation unfolds as one in its theme and its ${language}, and tells nothing of the card`, async ({
    site,
  }) => {
    const email = `giver-${language}@example.org`
    const { key } = await inviteThroughApi(site, { language, theme: 'ukraine', sender: 'Íñigo Añón', email })
    const screens = ['introduction', 'introduction-5', 'introduction-10']
    for (const [screen, asked] of screens.flatMap(screen =>
      [undefined, ...LANGUAGES].map(asked => [screen, asked] as const),
    )) {
      const tags = await tagsOf(site, `/gift-card-volunteering/${key}/${screen}`, asked)
      expect(tags).toMatchObject({
        'og:locale': said(language, 'preview-locale'),
        'og:title': said(language, 'invitation-heading-anonymous'),
        'og:description': said(language, 'invitation-description'),
        'og:image': `${site.url}/og/invitation-ukraine-${language}.png`,
        'og:image:alt': `${said(language, 'preview-invitation-line')} ${said(language, 'preview-invitation-note')}`,
      })
      expect(tags).not.toHaveProperty('og:url')
      const everything = JSON.stringify(tags).replaceAll(site.url, '')
      for (const secret of [key, 'Íñigo', 'Añón', email]) expect(everything, secret).not.toContain(secret)
    }
    // In the browser each screen of the story has a title of its own, in the reader's language, without a name.
    const titles = new Set<string>()
    for (const screen of VOLUNTEERING_SCREENS) {
      const title = await titleOf(site, `/gift-card-volunteering/${key}/${screen}`, language)
      expect(title).not.toContain('Íñigo')
      expect(title).not.toBe(said(language, 'receiver-heading-anonymous'))
      titles.add(title)
    }
    expect(titles.size).toBe(VOLUNTEERING_SCREENS.length)
    expect(titles).toContain(said(language, 'invitation-heading-anonymous'))
  })

  test(`a card that does not exist is called no gift and no invitation (${language})`, async ({ site }) => {
    const key = 'a'.repeat(32)
    for (const [path, title, lead] of [
      [`/gift-card/${key}/doesnt-exist/final`, 'doesnt-exist-title', 'doesnt-exist-lead'],
      [`/gift-card-volunteering/${key}/doesnt-exist`, 'invitation-missing-title', 'invitation-missing-lead'],
    ] as const) {
      expect(await titleOf(site, path, language)).toBe(said(language, title))
      const tags = await tagsOf(site, path, language)
      expect(tags).toMatchObject({
        'og:locale': said(language, 'preview-locale'),
        'og:title': said(language, title),
        'og:description': said(language, lead),
      })
    }
  })
}

test('the try card’s link says that it is one, in the language of who looks', async ({ site }) => {
  for (const language of LANGUAGES) {
    const tags = await tagsOf(site, giftPath('giftcard-try', 'introduction-1'), language)
    expect(tags['og:locale']).toBe(said(language, 'preview-locale'))
    expect(tags['og:description']).toBe(said(language, 'preview-description-try'))
  }
})
