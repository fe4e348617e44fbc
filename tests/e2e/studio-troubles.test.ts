import { DESK, expect, expectOnSite, input, openDocument, publish, test } from '../support/e2e/studio.ts'

test.describe.configure({ timeout: 180_000 })

test('two windows see each other’s changes', async ({ desk, visitor }) => {
  const other = await visitor(DESK)
  await openDocument(desk, 'ngo', 'ngo-cerf')
  await openDocument(other, 'ngo', 'ngo-cerf')
  await input(desk, 'description.en').fill('First days, first money.')
  await expect(input(other, 'description.en')).toHaveValue('First days, first money.')
  await input(other, 'description.fr').fill('Les premiers jours, le premier argent.')
  await expect(input(desk, 'description.fr')).toHaveValue('Les premiers jours, le premier argent.')
})

test('the Studio goes on by itself after the server was killed', async ({ desk: page, own, watch }) => {
  watch.expectFault(/ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|WebSocket|Failed to fetch|NetworkError|503/)
  await openDocument(page, 'ngo', 'ngo-unrwa')
  await input(page, 'description.es').fill('Escrito antes del corte.')
  await expect(page.getByText('Saved').first()).toBeVisible({ timeout: 30_000 })

  await own.crashAndRestart()

  await input(page, 'description.en').fill('Written after the cut.')
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain('Escrito antes del corte.'))
  await expectOnSite(own.url, list => expect(list).toContain('Written after the cut.'), '/en/intro/ngo-list')
})
