import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { action } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.fr, javaScriptEnabled: false })

const NO_KEY = 'a'.repeat(32)

test('wherever somebody may be lost, there is one way to write to us, without scripts too', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of (404|5\d\d)/)
  const { privateKey } = await buyThroughApi(site)
  for (const path of [
    giftPath(NO_KEY, 'doesnt-exist'),
    `/gift-card-volunteering/${NO_KEY}/doesnt-exist`,
    '/fr/intro/packages-donation',
    '/fr/intro/packages-volunteering',
    giftPath(privateKey, 'select-ngo'),
    giftPath(privateKey, 'introduction-2'),
    '/fr/error',
    '/fr/unavailable',
  ]) {
    await page.goto(path)
    const contact = action(page, 'contact')
    await expect(contact, path).toHaveCount(1)
    await expect(contact, path).toBeVisible()
    await expect(contact, path).toHaveText(said('fr', 'common-contact'))
    // A mail that begins with nothing: no address of a card goes along.
    await expect(contact, path).toHaveAttribute('href', /^mailto:[^?]+@[^?]+$/)
  }
})
