import { readFileSync } from 'node:fs'
import { newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { payWith, standAtManyReview } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { unseenRings } from '#tests/support/e2e/rings.ts'
import { action, atScreen, downloaded } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

test.use({ ...STILL, locale: LOCALES.es })

const FILE =
  'Nombre;Texto\nNúria Prats;Gracias por estos años\n"Vidal; Oriol";\n;Un abrazo, seas quien seas\n'
const aFile = (text: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

test('three cards are bought with names from a file, and each row stays with its card', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of (422|404)/)
  await page.goto('/es/many-cards')
  await atScreen(page, 'many-cards')
  await expectAccessible(page, 'the form')
  await page.locator('#amount').fill('25')
  await page.locator('#support').selectOption('10')
  await page.locator('#sender').fill('El equipo de Aina')
  await page.locator('#message').fill('Felices fiestas')
  await page.locator('#file').setInputFiles(aFile(FILE))
  await action(page, 'check-many').click()
  await expect(page.locator('main')).toHaveAttribute('data-step', 'review')
  await expectAccessible(page, 'the review')
  // The same sentences as before the payment of one card.
  await expect(page.locator('[data-notes]')).toHaveText(
    `${said('es', 'receipts-none')} ${said('es', 'fee-support')}`,
  )
  const rows = page.locator('.many-rows tbody tr')
  expect(await rows.allInnerTexts()).toEqual([
    '1\tNúria Prats\tGracias por estos años',
    `2\tVidal; Oriol\t${said('es', 'many-row-message')}`,
    `3\t${said('es', 'many-row-none')}\tUn abrazo, seas quien seas`,
  ])
  await expect(page.locator('[data-price="total"] dd')).toHaveText('81,00\u00a0€')
  // Nobody pays without having agreed.
  await action(page, 'pay').click()
  await expect(page.locator('#payment-problem')).toHaveText(said('es', 'prepayment-fulfilment-missing'))
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  await expect(page.locator('body')).toContainText('81,00')
  const email = newAddress()
  await payWith(page, '4242 4242 4242 4242', email)
  const cards = () => dump(site).cards?.filter(card => card.email === email) ?? []
  await expect.poll(() => cards().length).toBe(3)
  const order = cards()[0]?.order_id
  expect(
    dump(site)
      .batch_rows?.filter(row => row.order_id === order)
      .map(({ position, name, words }) => [position, name, words]),
  ).toEqual([
    [0, 'Núria Prats', 'Gracias por estos años'],
    [1, 'Vidal; Oriol', null],
    [2, null, 'Un abrazo, seas quien seas'],
  ])

  // The page after the payment leads to that of the order, which takes its place.
  await page.waitForURL(/\/many\/[^/]+\/[^/]+\?lang=es$/)
  const main = page.locator('main')
  await expect(main).toHaveAttribute('data-state', 'unseen')
  await expect(page.locator('h1')).toHaveText(said('es', 'many-page-title', { cards: 3 }))
  await expectAccessible(page, 'before the links')
  expect(await unseenRings(page, new Set())).toEqual([])
  await action(page, 'show-links').click()
  await expect(main).toHaveAttribute('data-state', 'shown')
  await expectAccessible(page, 'the links')
  const links = await page.locator('[data-link="gift"]').allInnerTexts()
  expect(links).toHaveLength(3)
  const table = readFileSync(await (await downloaded(page, 'table')).path(), 'utf8')
  for (const [n, link] of links.entries()) {
    const row = table.split('\r\n')[n + 1]
    expect(row).toContain(link)
    expect(row?.startsWith(`${n + 1},${['Núria Prats', 'Vidal; Oriol', ''][n]}`)).toBe(true)
  }
  const sheets = readPdf(readFileSync(await (await downloaded(page, 'sheets')).path()))
  expect(sheets.pages).toBe(1)
  for (const said of ['Núria Prats', 'Vidal; Oriol', 'Gracias por estos años', 'Felices fiestas'])
    expect(sheets.text).toContain(said)
  // A change of language is of the same showing; another visit is not.
  await page.locator('details.switch summary').click()
  await page.locator('[data-language="fr"]').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await page.waitForLoadState()
  expect(await page.locator('[data-link="gift"]').allInnerTexts()).toEqual(links)
  await page.goto(page.url())
  await expect(main).toHaveAttribute('data-state', 'seen')
  await expect(page.locator('[data-link="gift"]')).toHaveCount(0)

  // One went to the wrong person. By the keyboard alone.
  await action(page, 'renew').focus()
  await page.keyboard.press('Enter')
  await expectAccessible(page, 'new links')
  await page.locator('#card').selectOption('2')
  await action(page, 'renew-one').focus()
  await page.keyboard.press('Enter')
  await expect(main).toHaveAttribute('data-state', 'shown')
  await page.waitForLoadState()
  const [renewed] = await page.locator('[data-link="gift"]').allInnerTexts()
  expect(links).not.toContain(renewed)
  const keyIn = (link = '') => link.slice(link.indexOf('#') + 1)
  for (const [link, status] of [
    [links[0], 200],
    [links[1], 404],
    [renewed, 200],
  ] as const)
    expect((await fetch(`${site.url}/api/ajuda/giftcard/${keyIn(link)}/full`)).status).toBe(status)
  // Nothing that the browser keeps has a key.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  for (const link of [...links, renewed]) expect(kept).not.toContain(keyIn(link))
  expect(kept).not.toContain(new URL(page.url()).pathname.split('/')[3])
})

test('Back from the payment page shows the cards again, as they stood', async ({ page }) => {
  await standAtManyReview(page, ['Núria', 'Oriol'])
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  await page.goBack()
  await expect(page.locator('main')).toHaveAttribute('data-step', 'review')
  await expect(page.locator('.many-rows tbody tr')).toHaveCount(2)
  await action(page, 'change').click()
  await expect(page.locator('#list')).toHaveValue(/Núria\s+Oriol/)
})

test('what was paid is said once, also after Back and Change, in another language and with other words', async ({
  page,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  await standAtManyReview(page, ['Núria', 'Oriol'])
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  await page.goBack()
  await page.locator('details summary').first().click()
  await page.locator('[data-language="fr"]').click()
  await expect(page.locator('h1')).toHaveText(said('fr', 'many-review-title'))
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  await payWith(page, '4242 4242 4242 4242', newAddress())
  await page.waitForURL(/\/many\//)
  await page.goBack()
  await atScreen(page, 'hosted-payment')
  await page.goBack()
  await expect(page.locator('main')).toHaveAttribute('data-step', 'review')
  await action(page, 'change').click()
  await page.locator('#message').fill('Felices fiestas')
  await action(page, 'check-many').click()
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await expect(page.locator('main')).toContainText(said('fr', 'payment-spent'))
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
})

test('the packages lead to the form', async ({ page }) => {
  await page.goto('/es/intro/packages-donation')
  await action(page, 'many-cards').click()
  await atScreen(page, 'many-cards')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('every line to mend is named, all that was typed stays, and the payment opens', async ({
    page,
    watch,
  }) => {
    watch.expectFault(/status of 422/)
    await page.goto('/en/many-cards')
    const above = () =>
      page.locator('.field:has(> #message)').evaluate(field => getComputedStyle(field).marginTop)
    const before = await above()
    const list = 'Ana,Hello\nLuis,see www.example.com\nMarta,"not closed\nJoan\n'
    await page.locator('#list').fill(list)
    await page.locator('#amount').fill('1')
    await page.locator('#sender').fill('Class 4b')
    await page.locator('#message').fill('  With  love ')
    await page.locator('#theme').selectOption('ukraine')
    await page.locator('#currency').selectOption('USD')
    await action(page, 'check-many').click()
    await expect(page.locator('main')).toHaveAttribute('data-step', 'form')
    const lines = page.locator('.bad-lines li')
    await expect(lines).toHaveCount(2)
    expect(await lines.evaluateAll(all => all.map(each => [each.dataset.line, each.dataset.fault]))).toEqual([
      ['2', 'words-link'],
      ['3', 'quotes'],
    ])
    await expect(page.locator('#amount-error')).toHaveText(said('en', 'many-amount-range'))
    // The form stands as it stood.
    expect(await above()).toBe(before)
    for (const [field, value] of [
      ['list', list],
      ['amount', '1'],
      ['sender', 'Class 4b'],
      ['message', '  With  love '],
      ['theme', 'ukraine'],
      ['currency', 'USD'],
    ] as const)
      await expect(page.locator(`#${field}`)).toHaveValue(value)
    // In another language it is all still there.
    await page.locator('details summary').first().click()
    await page.locator('[data-language="fr"]').click()
    await expect(page.locator('h1')).toHaveText(said('fr', 'many-title'))
    await expect(page.locator('#list')).toHaveValue(list)

    await page.locator('#list').fill('Ana,Hello\nLuis\n')
    await page.locator('#count').fill('3')
    await page.locator('#amount').fill('20')
    await action(page, 'check-many').click()
    await expect(page.locator('.many-rows tbody tr')).toHaveCount(3)
    await action(page, 'change').click()
    await expect(page.locator('#list')).toHaveValue('Ana,Hello\nLuis\n')
    await action(page, 'check-many').click()
    await action(page, 'pay').click()
    await atScreen(page, 'hosted-payment')
    await expect(page.locator('body')).toContainText('60')
  })
})
