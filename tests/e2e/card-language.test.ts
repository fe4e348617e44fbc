import { buyThroughApi, giftPath, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { type Language, said } from '#tests/support/e2e/words.ts'

test('a visitor of whose languages none is ours reads a card in the one it was bought in', async ({
  site,
}) => {
  const { privateKey } = await buyThroughApi(site, { language: 'fr' })
  const invitation = await inviteThroughApi(site, { language: 'es' })
  const reads = async (path: string, acceptLanguage: string) => {
    const answer = await fetch(site.url + path, { headers: { 'Accept-Language': acceptLanguage } })
    const html = await answer.text()
    const [, lang = 'none'] = /<html lang="(\w+)"/.exec(html) ?? []
    // The whole page speaks it.
    expect(html).toContain(said(lang as Language, 'receiver-skip'))
    expect(html).toContain(said(lang as Language, 'receiver-continue-hint'))
    return lang
  }
  const card = giftPath(privateKey, 'introduction-1')
  const invited = `/gift-card-volunteering/${invitation.key}/introduction`
  // Twice: the second comes from what is kept.
  for (let n = 0; n < 2; n++) {
    expect(await reads(card, 'ca-ES,ca;q=0.9')).toBe('fr')
    expect(await reads(card, 'en-US')).toBe('en')
    expect(await reads(invited, 'ca-ES,ca;q=0.9')).toBe('es')
    expect(await reads(invited, 'fr')).toBe('fr')
  }
})
