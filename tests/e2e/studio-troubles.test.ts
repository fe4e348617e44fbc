import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import {
  DESK,
  expect,
  expectOnSite,
  input,
  openDocument,
  openNew,
  publish,
  publishButton,
  test,
  write,
} from '../support/e2e/studio.ts'

test.describe.configure({ timeout: 400_000 })

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
  await expect(page.getByText('Saved').first()).toBeVisible()

  await own.crashAndRestart()

  await write(page, 'description.en', 'Written after the cut.')
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain('Escrito antes del corte.'))
  await expectOnSite(own.url, list => expect(list).toContain('Written after the cut.'), '/en/intro/ngo-list')
})

/** The Studio reads a file, and asks whether the site has it, before it sends it. */
const SOON = { timeout: 30_000 }

test('a picture that is refused says why: too large a file, no picture, too many pixels', async ({
  desk: page,
  watch,
}, testInfo) => {
  watch.expectFault(/status of 400|upload|Image preprocessing failed/i)
  const choose = async (name: string, bytes: Buffer) => {
    const file = testInfo.outputPath(name)
    await writeFile(file, bytes)
    await openNew(page, 'memorialPhoto')
    await expect(page.locator('input[type=file]').first()).toBeAttached()
    await page.locator('input[type=file]').first().setInputFiles(file)
    return page.getByRole('alert').filter({ hasText: `“${name}” was not kept.` })
  }
  await expect(await choose('camera.png', Buffer.alloc(21 * 1024 * 1024))).toContainText(
    'larger than 20 MB',
    SOON,
  )
  await expect(await choose('letter.png', Buffer.from('Dear Ana'))).toContainText('not a picture', SOON)
  const side = 11_000
  const wide = sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
  const told = await choose('poster.png', await wide.png({ compressionLevel: 1 }).toBuffer())
  await expect(told).toContainText('more than 120 million pixels', SOON)
  await expect(publishButton(page)).toBeDisabled()
  await told.getByRole('button', { name: 'Close' }).click()
  await expect(told).toBeHidden()
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
  await expect(notice).toBeHidden()
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain('Escrito con el disco lleno.'))
})
