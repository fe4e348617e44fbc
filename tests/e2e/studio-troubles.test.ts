import {
  DESK,
  expect,
  expectOnSite,
  input,
  openDocument,
  publish,
  publishButton,
  test,
  write,
} from '../support/e2e/studio.ts'

test.describe.configure({ timeout: 180_000 })

test('two windows see each other’s changes', async ({ desk, visitor }) => {
  const other = await visitor(DESK)
  await openDocument(desk, 'ngo', 'ngo-cerf')
  await openDocument(other, 'ngo', 'ngo-cerf')
  await write(desk, 'description.en', 'First days, first money.')
  await expect(input(other, 'description.en')).toHaveValue('First days, first money.')
  await write(other, 'description.fr', 'Les premiers jours, le premier argent.')
  await expect(input(desk, 'description.fr')).toHaveValue('Les premiers jours, le premier argent.')
})

test('the Studio goes on by itself after the server was killed', async ({ desk: page, own, watch }) => {
  watch.expectFault(
    /ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|WebSocket|Failed to fetch|NetworkError|503/,
  )
  await openDocument(page, 'ngo', 'ngo-unrwa')
  await write(page, 'description.es', 'Escrito antes del corte.')
  await expect(page.getByText('Saved').first()).toBeVisible({ timeout: 30_000 })

  await own.crashAndRestart()

  await write(page, 'description.en', 'Written after the cut.')
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain('Escrito antes del corte.'))
  await expectOnSite(own.url, list => expect(list).toContain('Written after the cut.'), '/en/intro/ngo-list')
})

test('a full disk is told of until there is room, and what was typed is kept', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/507/)
  await openDocument(page, 'ngo', 'ngo-undp')
  const full = { error: { type: 'actionError', description: 'The action failed: The disk is full.' } }
  await page.route('**/data/actions/**', route => route.fulfill({ status: 507, json: full }))
  await write(page, 'description.es', 'Escrito con el disco lleno.')
  const notice = page.getByRole('alert').filter({ hasText: 'The site’s disk is full: nothing is saved.' })
  await expect(notice).toBeVisible()
  // Nor does it cover what is said of the saving where there is little room.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(async () => {
    const [told, foot] = [await notice.boundingBox(), await publishButton(page).boundingBox()]
    expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
  }).toPass()
  await page.setViewportSize(DESK.viewport)
  await page.unroute('**/data/actions/**')
  await expect(notice).toBeHidden({ timeout: 30_000 })
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain('Escrito con el disco lleno.'))
})
