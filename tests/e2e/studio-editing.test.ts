import type { Page } from '@playwright/test'
import { CURRENCIES } from '#domain/money/currency.ts'
import { buyThroughApi, giftPath, newAddress } from '../support/e2e/api.ts'
import { goToPrepayment, payWith, pressPay } from '../support/e2e/buyer.ts'
import {
  addReference,
  chooseAction,
  expect,
  expectOnSite,
  field,
  input,
  moveUp,
  openDocument,
  openNew,
  publish,
  publishButton,
  rows,
  test,
  write,
} from '../support/e2e/studio.ts'
import { LANGUAGES, LOCALES } from '../support/e2e/words.ts'

/** The operator's work in the real Studio, on this machine alone. Each test has documents of its own. */
test.describe.configure({ timeout: 400_000 })

const PICTURE = 'studio/seed/images/memorialPhoto-01.jpg'

async function fillLines(page: Page, name: string, text: string): Promise<void> {
  for (const language of LANGUAGES) await write(page, `${name}.${language}`, `${text} ${language}`)
}

test('an organisation is added to the list and moved, and the next visitor reads it', async ({
  desk: page,
  own,
}) => {
  await openNew(page, 'ngo')
  await fillLines(page, 'title', 'Casa Abierta')
  await fillLines(page, 'description', 'Una casa para quien llega')
  for (const language of LANGUAGES) await write(page, `links.${language}`, 'https://example.org/')
  await page.getByRole('button', { name: 'For the office' }).click()
  await page.getByRole('radio', { name: 'Given', exact: true }).click()
  await publish(page)

  await openDocument(page, 'ngoList', 'ngoList-2026')
  await addReference(page, 'ngos', 'Casa', /Casa Abierta/)
  await expect(field(page, 'ngos').getByText('Casa Abierta en')).toBeVisible()

  await moveUp(page, 1)
  await expect(rows(page).first()).toContainText('CERF')
  await publish(page)
  await expectOnSite(own.url, list => {
    expect(list).toContain('Casa Abierta es')
    expect(list.indexOf('CERF')).toBeLessThan(list.indexOf('Médicos Sin Fronteras'))
  })
})

test('a price is changed: the next visitor sees it, and who saw the earlier one pays that', async ({
  desk: page,
  own,
  visitor,
}) => {
  const buyer = await visitor({ locale: LOCALES.es })
  await goToPrepayment(buyer, { language: 'es', packageId: 'their food', support: 0 })
  const total = buyer.locator('[data-price="total"]')
  await expect(total).toContainText('20')

  await openDocument(page, 'giftPackage', 'giftPackage-their-food')
  await write(page, 'spain.EUR.amount', '20.5')
  await expect(field(page, 'spain.EUR.amount').getByTestId('input-validation-icon-error')).toBeVisible()
  await expect(publishButton(page)).toBeDisabled()
  await write(page, 'spain.EUR.amount', '23')
  await publish(page)
  const listed = /data-package="their food"[\s\S]*?data-amount[^>]*>\s*([^<]*?)\s*</
  await expectOnSite(
    own.url,
    cards => expect(listed.exec(cards)?.[1]).toContain('23'),
    '/es/intro/packages-donation',
  )

  const next = await visitor({ locale: LOCALES.es })
  await goToPrepayment(next, { language: 'es', packageId: 'their food', support: 0 })
  await expect(next.locator('[data-price="total"]')).toContainText('23')

  await buyer.reload()
  await expect(total).toContainText('20')
  await pressPay(buyer)
  await payWith(buyer, '4242 4242 4242 4242', newAddress())
  await expect(buyer.locator('.checkout')).toHaveAttribute('data-state', 'ready')
  await expect(buyer.locator('[data-bought="their food"]')).toContainText('20')
})

test('a package is added: the next visitor buys it', async ({ desk: page, own, visitor }) => {
  await openNew(page, 'giftPackage')
  await write(page, 'code', 'Their Schools')
  await expect(field(page, 'code').getByTestId('input-validation-icon-error')).toBeVisible()
  await write(page, 'code', 'their schools')
  for (const [name, text] of [
    ['title', 'Sus escuelas'],
    ['subtitleStart', 'Un pupitre donde no lo hay.'],
    ['subtitleKeep', 'Un pupitre más.'],
    ['description', 'Quien lo abre elige a quién llega.'],
  ] as const)
    await fillLines(page, name, text)
  await expect(publishButton(page)).toBeDisabled()
  for (const list of ['spain', 'english', 'france'])
    for (const currency of CURRENCIES) {
      await write(page, `${list}.${currency}.amount`, '35')
      await write(page, `${list}.${currency}.support`, '5')
    }
  await write(page, 'place', '6')
  await publish(page)
  await expectOnSite(
    own.url,
    cards => expect(cards).toContain('data-package="their schools"'),
    '/es/intro/packages-donation',
  )

  const buyer = await visitor({ locale: LOCALES.es })
  await goToPrepayment(buyer, { language: 'es', packageId: 'their schools', support: 0 })
  // With the support that it suggests at first.
  await expect(buyer.locator('[data-price="total"]')).toContainText('40')
  await pressPay(buyer)
  await payWith(buyer, '4242 4242 4242 4242', newAddress())
  await expect(buyer.locator('[data-bought="their schools"]')).toContainText('Sus escuelas es')
})

test('the terms are changed: the next visitor accepts the new ones, who had the earlier ones those', async ({
  desk: page,
  own,
  visitor,
}) => {
  const sentence = 'Contestamos cada carta en dos días.'
  const summary = async () => {
    const buyer = await visitor({ locale: LOCALES.es })
    await goToPrepayment(buyer, { language: 'es', packageId: 'their water', support: 0 })
    return buyer
  }
  /** The version that this buyer accepts by paying. */
  const accepted = async (buyer: Page): Promise<unknown> => {
    const asked = buyer.waitForRequest(request => request.url().includes('/gateway'))
    await pressPay(buyer)
    await payWith(buyer, '4242 4242 4242 4242', newAddress())
    await expect(buyer.locator('.checkout')).toHaveAttribute('data-state', 'ready')
    return (await asked).postDataJSON().terms_version
  }
  const early = await summary()

  await openDocument(page, 'pages', 'page-terms')
  // Spanish stands first. The editor wakes at the first press, and takes words after it.
  const text = page.getByTestId('pt-editor').first()
  await text.click()
  await expect(text.locator('[contenteditable="true"]').first()).toBeVisible()
  await text.getByText('Qué es una tarjeta').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type(sentence)
  await publish(page)
  const shown = async (version: string) => (await fetch(`${own.url}/es/terms${version}`)).text()
  await expectOnSite(own.url, terms => expect(terms).toContain(sentence), '/es/terms')

  const before = await accepted(early)
  const now = await accepted(await summary())
  expect(now).not.toBe(before)
  expect(await shown(`/${now}`)).toContain(sentence)
  expect(await shown(`/${before}`)).not.toContain(sentence)
})

test('a theme is added and one changed: the next visitor sees both, and a card from before keeps its look', async ({
  desk: page,
  own,
}) => {
  const early = await buyThroughApi(own, { theme: 'lebanon' })
  const seeded = '[data-theme=lebanon]{--paper:#ffffff;--ink:#083e20}'
  const giftPage = async (key: string) => (await fetch(own.url + giftPath(key, 'introduction-1'))).text()
  expect(await giftPage(early.privateKey)).toContain(seeded)

  await openNew(page, 'theme')
  await fillLines(page, 'names', 'Amanecer')
  await write(page, 'word', 'dawn')
  await write(page, 'place', '15')
  await write(page, 'paper', '#fff4e8')
  await write(page, 'ink', '#c9b8a6')
  await expect(field(page, 'ink').getByTestId('input-validation-icon-error')).toBeVisible()
  await expect(publishButton(page)).toBeDisabled()
  await write(page, 'ink', '#5a1f3d')
  await publish(page)
  const tiles = '/es/intro/choose-theme'
  await expectOnSite(own.url, html => expect(html).toContain('data-theme-choice="dawn"'), tiles)

  await openDocument(page, 'theme', 'theme-lebanon')
  await write(page, 'ink', '#10316b')
  await publish(page)
  const changed = '[data-theme=lebanon]{--paper:#ffffff;--ink:#10316b}'
  await expectOnSite(own.url, html => expect(html).toContain(changed), tiles)
  expect(await giftPage(early.privateKey)).toContain(seeded)
  const late = await buyThroughApi(own, { theme: 'lebanon' })
  expect(await giftPage(late.privateKey)).toContain(changed)
  const dawn = await buyThroughApi(own, { theme: 'dawn' })
  expect(await giftPage(dawn.privateKey)).toContain('--ink:#5a1f3d')
})

test('content with a missing language is refused before it reaches a page', async ({ desk: page, own }) => {
  await openDocument(page, 'ngo', 'ngo-irc')
  await write(page, 'title.fr', '')
  await expect(publishButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Validation' }).click()
  await expect(page.getByRole('button', { name: /The French text is missing/ })).toBeVisible()

  // Nor does it when a program writes it past the Studio.
  const answer = await page.request.post('/v2026-05-04/data/mutate/production', {
    data: { mutations: [{ patch: { id: 'ngo-irc', unset: ['title.fr'] } }] },
  })
  expect(answer.status()).toBe(200)
  await page.request.post('/v2026-05-04/data/mutate/production', {
    data: { mutations: [{ patch: { id: 'ngo-undp', set: { 'title.es': 'PNUD, con otro nombre' } } }] },
  })
  const list = await (await fetch(`${own.url}/fr/intro/ngo-list`)).text()
  expect(list).toContain('International Rescue Committee (IRC)')

  await page.request.post('/v2026-05-04/data/mutate/production', {
    data: { mutations: [{ patch: { id: 'ngo-irc', set: { 'title.fr': 'IRC, de nouveau' } } }] },
  })
  await expectOnSite(own.url, again => expect(again).toContain('IRC, de nouveau'), '/fr/intro/ngo-list')
})

test('a document that is unpublished leaves the site', async ({ desk: page, own }) => {
  const [path, mission] = ['/es/intro/mission', 'Voluntariado de las Naciones Unidas']
  expect(await (await fetch(own.url + path)).text()).toContain(mission)
  await openDocument(page, 'mission', 'mission-united-nations')
  await page.getByRole('button', { name: 'Published' }).first().click()
  await page.getByRole('button', { name: 'Unpublish' }).click()
  const unpublished = page.waitForResponse(response =>
    /action\.document\.unpublish/.test(response.request().postData() ?? ''),
  )
  await page.getByTestId('confirm-button').click()
  expect((await unpublished).status()).toBe(200)
  await expectOnSite(own.url, shown => expect(shown).not.toContain(mission), path)
})

test('a photo is uploaded and published', async ({ desk: page }) => {
  await openNew(page, 'memorialPhoto')
  await page.locator('input[type=file]').first().setInputFiles(PICTURE)
  await expect(page.locator('img[src*="/images/local/production/"]').first()).toBeVisible()
  await fillLines(page, 'caption', 'La plaza')
  for (const language of LANGUAGES) await write(page, `alt.${language}`, 'Una plaza vacía')
  await write(page, 'author', 'A. Author')
  await write(page, 'licence', 'CC BY 4.0')
  await write(page, 'place', '41')
  await publish(page)
})

test('next year’s list starts as a copy whose reviews begin anew', async ({ desk: page }) => {
  await openDocument(page, 'ngoList', 'ngoList-2026')
  await chooseAction(page, /Start the list for 2027/)
  await page.getByRole('button', { name: 'Start the list for 2027' }).click()
  await expect(page).toHaveURL(/ngoList-2027/)
  await expect(input(page, 'year')).toHaveValue('2027')
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByTestId('pane-footer').getByText('Never reviewed')).toBeVisible()
  await expect(publishButton(page)).toBeDisabled()

  await page.getByRole('link', { name: 'Review due' }).first().click()
  await expect(page.getByText('UNICEF').first()).toBeVisible()

  await openDocument(page, 'ngo', 'ngo-unicef')
  await chooseAction(page, 'Mark as reviewed')
  await expect(page.getByText(/^Reviewed \d{4}-\d\d-\d\d$/)).toBeVisible()
  await publish(page)
})

test('an older version comes back', async ({ desk: page, own }) => {
  await openDocument(page, 'ngo', 'ngo-wfp')
  await expect(input(page, 'title.es')).toHaveValue(/\S/)
  const before = await input(page, 'title.es').inputValue()
  await write(page, 'title.es', 'Otro nombre para el PMA')
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain('Otro nombre para el PMA'))
  await page
    .getByTestId('pane-footer')
    .getByText(/published/i)
    .first()
    .click()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByTestId('timeline-item-button').last().click()
  await expect(input(page, 'title.es')).toHaveValue(before)
  await page
    .getByRole('button', { name: /revert/i })
    .first()
    .click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).not.toHaveURL(/rev=/)
  await expect(input(page, 'title.es')).toHaveValue(before)
  await publish(page)
  await expectOnSite(own.url, list => expect(list).toContain(before))
})
