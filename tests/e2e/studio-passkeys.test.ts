import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/e2e/axe.ts'
import { addDevice, expect, test } from '../support/e2e/studio.ts'
import { buyCard } from '../support/product/buy.ts'

/** A desk with passkeys, in a browser that has an authenticator made of code: a finger is always on it. */
test.describe.configure({ timeout: 400_000 })

const TOKEN = 'the-operators-long-token'

test.use({
  settings: { NODE_ENV: 'production', LOCAL_SERVICES: 'allow', RATE_LIMITS: '', OPERATOR_TOKEN: TOKEN },
})

const form = (page: Page, kind: string) => page.locator(`form[data-passkey="${kind}"]`)

test('the treasurer makes the first passkey, gives money back with it, and lets an editor in', async ({
  desk: page,
  own,
  visitor,
  watch,
}, info) => {
  watch.expectFault(/status of 40[139]/)
  watch.expectFault(/WebSocket connection .* failed/)
  watch.expectFault(/Session not found/)
  const { email } = await buyCard(own, { email: 'passkeys@example.org' })
  const finger = await addDevice(page)
  await page.goto('/studio-login?origin=/studio/operations')
  const first = form(page, 'first')
  await expect(form(page, 'sign-in')).toHaveCount(0)
  await page.screenshot({ path: info.outputPath('first-passkey.png'), fullPage: true })
  await expectAccessible(page, 'the first passkey', 'main')
  await page.locator('#token').fill('not-the-operators-token')
  await page.locator('[data-action="log-in"]').click()
  await expect(page.locator('#token-error')).toBeVisible()
  await first.getByLabel('Your name').fill('Ana')
  await first.getByLabel('Token').fill('not-the-operators-token')
  await first.getByRole('button').click()
  const refusal = first.locator('[data-passkey-said]')
  await expect(refusal).toContainText('No passkey was made')
  await expect(refusal).toBeFocused()
  await expect(refusal).toBeInViewport({ ratio: 1 })
  await expect(page).toHaveTitle(/^Error: /)
  // It alone is wrong now, and stands apart from the field above it.
  await expect(page.locator('#token-error')).toBeEmpty()
  await expect(page.locator('#token')).not.toHaveAttribute('aria-invalid')
  const field = (await first.locator('.field').last().boundingBox())!
  expect((await refusal.boundingBox())!.y).toBeGreaterThan(field.y + field.height)
  await page.keyboard.press('Tab')
  await expect(first.getByRole('button')).toBeFocused()
  await first.getByLabel('Token').fill(TOKEN)
  await first.getByRole('button').click()
  await expect(page).toHaveURL(/\/studio\/operations/)

  await expect(page.getByText('As of')).toBeVisible()
  const people = page.getByRole('region', { name: 'People' })
  await expect(people).toContainText('Ana, treasurer (you)')
  await page.getByRole('textbox', { name: 'E-mail address, card, order' }).fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Card · €50\.00/ }).click()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel(/^The amount/).fill('50')
  await page.getByRole('button', { name: 'Go on' }).click()
  await finger(false)
  await page.getByRole('button', { name: 'Give back €50.00' }).click()
  await expect(page.getByText('Your device made no signature.')).toBeVisible()
  await finger(true)
  await page.getByRole('button', { name: 'Give back €50.00' }).click()
  await expect(page.getByText('Done: refund.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(
    'refund, in the Studio by Ana, done',
  )

  await people.getByRole('button', { name: 'Invite somebody' }).click()
  await people.getByLabel('Their name').fill('Ben')
  await people.getByLabel('Their e-mail address').fill('ben@example.org')
  await expectAccessible(page, 'an invitation', 'main')
  await people.getByRole('button', { name: 'Invite', exact: true }).click()
  const said = people.getByText(/^The code, which is shown once: /)
  await expect(said).toBeVisible()
  const code = /once: ([\w-]+)/.exec((await said.textContent()) ?? '')?.[1] ?? ''
  await people.screenshot({ path: info.outputPath('people.png') })

  const editor = await visitor(page.viewportSize() ? { viewport: page.viewportSize()! } : {})
  await addDevice(editor)
  await editor.goto('/studio-login?origin=/studio/operations')
  await form(editor, 'invitation').getByLabel('Code').fill(code.toLowerCase())
  await form(editor, 'invitation').getByRole('button').click()
  await expect(editor).toHaveURL(/\/studio\/operations/)
  await expect(editor.getByText('As of')).toBeVisible()
  await expect(editor.getByRole('region', { name: 'People' })).toContainText('Ben, editor (you)')
  await expect(editor.getByRole('button', { name: 'Invite somebody' })).toBeHidden()

  // The next morning: the passkey alone, in the dialog above the Studio.
  await editor.context().clearCookies()
  await editor.goto('/studio-login?origin=/studio/operations')
  await form(editor, 'sign-in').getByRole('button').click()
  await expect(editor).toHaveURL(/\/studio\/operations/)

  await page.getByRole('button', { name: 'Look again' }).click()
  await people.getByRole('button', { name: 'End Ben' }).click()
  await people.getByRole('button', { name: 'Go on' }).click()
  await people.getByRole('button', { name: 'End Ben', exact: true }).last().click()
  await expect(people.getByText('Done: Ben is out.')).toBeVisible()
  // The Studio leaves for the login by itself, often before its page has loaded.
  await editor.reload({ waitUntil: 'commit' })
  await expect(editor).toHaveURL(/\/studio-login\?origin=/)
})
