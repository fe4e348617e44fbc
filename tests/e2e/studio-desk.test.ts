import type { Page } from '@playwright/test'
import { openDatabase } from '#server/platform/db/database.ts'
import { sellCards } from '../builders/server.ts'
import { expectAccessible } from '../support/e2e/axe.ts'
import { DESK, expect, test } from '../support/e2e/studio.ts'
import { buyCard, cardApi, selectionOf } from '../support/product/buy.ts'
import { post } from '../support/product/call.ts'

test.describe.configure({ timeout: 400_000 })
// A product of its own, in which no other test has sold anything.
test.use({ settings: { TZ: 'Europe/Madrid' } })

const search = (page: Page) => page.getByRole('textbox', { name: 'E-mail address, card, order' })

/**
 * By keyboard alone: to the search from wherever the focus is, and words in place of those that stand there. They are
 * typed again where the Studio, which is still opening, has drawn the field anew.
 */
async function find(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(search(page)).toBeFocused({ timeout: 2_000 })
    await page.keyboard.type(words)
    await expect(search(page)).toHaveValue(words, { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await page.keyboard.press('Enter')
}

test('the operator finds a gift by keyboard alone, reads its timeline, and hears why nothing is found', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/401|429|500|ERR_FAILED|ERR_ABORTED/)
  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  const [, sold] = await sellCards(db, 2)
  await db.close()
  await openDeskAt(page, 'buyer@example.org')
  await expect(page.getByText('2 results. The arrow keys walk through them')).toBeVisible()
  const results = page.getByRole('button', { name: /^Card · €50\.00 · active · / })
  await page.keyboard.press('ArrowDown')
  await expect(results.first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(search(page)).toBeFocused()

  await find(page, sold!.orderId)
  await expect(page.getByText('1 result.')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: `Card ${sold!.cardId}` })
  await expect(heading).toBeFocused()
  await expect(page.getByText('its mails go to b…r@example.org')).toBeVisible()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem').first()).toContainText('ordered')
  await expect(timeline).toContainText('booked: sale')
  await expect(timeline.getByRole('listitem').filter({ hasText: /paid/ }).first()).toContainText('€55.00')
  await expectAccessible(page, 'the desk', 'main')
  await page.setViewportSize({ width: 390, height: 844 })
  const tool = page.getByRole('main')
  expect(await tool.evaluate(main => main.scrollWidth - main.clientWidth)).toBe(0)
  await page.setViewportSize(DESK.viewport)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(search(page)).toBeFocused()
  await expect(heading).toBeHidden()

  for (const [words, says] of [
    ['nobody@example.org', 'Nothing is found by that.'],
    [sold!.privateKey, 'That is a key, or a link that holds one: it opens the gift.'],
    ['65 EUR', 'An amount alone finds too much: the day is missing.'],
  ] as const) {
    await find(page, words)
    await expect(page.getByText(says)).toBeVisible()
  }

  const call = '**/api/operator/find'
  for (const [status, code, says, way] of [
    [401, 'operator-only', 'The site asks who you are.', 'Log in'],
    [429, 'too-many-requests', 'The site was asked too often.', 'Try again'],
    [500, 'something-went-wrong', 'The site could not answer.', 'Try again'],
    [0, '', 'The site did not answer.', 'Try again'],
  ] as const) {
    await page.route(call, route =>
      status === 0
        ? route.abort()
        : route.fulfill({
            status,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status, code }),
          }),
    )
    await find(page, 'buyer@example.org')
    await expect(page.getByText(says)).toBeVisible()
    await expect(page.getByRole(status === 401 ? 'link' : 'button', { name: way })).toBeVisible()
    await page.unroute(call)
  }
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(page.getByText('2 results.')).toBeVisible()
})

/** Opens the desk, and finds what these words mean. */
async function openDeskAt(page: Page, words: string): Promise<void> {
  await page.goto('/studio/operations')
  await expect(page.getByText('As of')).toBeVisible()
  await find(page, words)
}

/** From the focus on: to the button of this name, by Tab alone, and Enter. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await expect(async () => {
    for (let n = 0; n < 12 && !(await button.evaluate(it => it === document.activeElement)); n++)
      await page.keyboard.press('Tab')
    await expect(button).toBeFocused({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await page.keyboard.press('Enter')
}

test('the operator freezes a card, corrects its address and refunds it, by keyboard alone', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/409/)
  // An address of its own: the tests of this file share one product.
  const bought = await buyCard(own, { email: 'keyboard@example.org' })
  await openDeskAt(page, bought.email)
  await expect(page.getByText('1 result.')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: /^Card / })
  const done = (says: string) => expect(page.getByText(says, { exact: true })).toBeVisible()
  await expect(heading).toBeFocused()

  await press(page, 'Freeze the card')
  await press(page, 'Freeze it')
  await done('Done: freeze the card.')
  await expect(page.getByRole('button', { name: /^Card · €50\.00 · frozen · / })).toBeVisible()
  await expect(page.getByText('An operator holds it')).toBeVisible()
  await expect(heading).toBeFocused()
  await press(page, 'Release the card')
  await press(page, 'Release it')
  await done('Done: release the card.')

  await expect(heading).toBeFocused()
  await press(page, 'Correct the address')
  await expect(page.getByRole('textbox', { name: 'The right e-mail address' })).toBeFocused()
  await page.keyboard.type('no address')
  await page.keyboard.press('Enter')
  await expect(page.getByText('That is not an e-mail address.')).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('corrected@example.org')
  await page.keyboard.press('Enter')
  await done('Done: correct the address.')
  await expect(page.getByText('its mails go to c…d@example.org')).toBeVisible()

  await expect(heading).toBeFocused()
  await press(page, 'Refund')
  await page.keyboard.type('50')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('€50.00 go back to the buyer, and the card can be used no more. Nobody can undo it.'),
  ).toBeVisible()
  await expectAccessible(page, 'a refund', 'main')
  await page.keyboard.press('Enter')
  await done('Done: refund.')
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('refund, in the Studio, done')
  await expect(page.getByText('revoked', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Card · €50\.00 · revoked · / })).toBeVisible()
})

test('a refund of a card that was used meanwhile is refused, and a press shows the card as it is', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/409/)
  const bought = await buyCard(own, { email: 'meanwhile@example.org' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openDeskAt(page, bought.email)
  await page.getByRole('button', { name: /^Card · €50\.00 · active · / }).press('Enter')
  const heading = page.getByRole('heading', { name: `Card ${bought.cardId}` })
  await expect(heading).toBeFocused()
  await press(page, 'Refund')
  await page.keyboard.type('50')
  await page.keyboard.press('Enter')
  await expect(page.getByText('the card can be used no more. Nobody')).toBeVisible()
  const given = await post(own.url + cardApi(bought.privateKey), selectionOf({ 'ngo-msf': 50 }))
  expect(given.status).toBe(200)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Something happened to the card since you looked.')
  await expectAccessible(page, 'a refusal', 'main')
  const again = page.getByRole('alert').getByRole('button', { name: 'Look again' })
  await expect(again).toBeInViewport({ ratio: 1 })
  const { x, y, width, height } = (await again.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  await expect(heading).toBeFocused()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(page.getByText('consumed', { exact: true })).toBeVisible()
  await press(page, 'Refund')
  await expect(page.getByText('The card was used, or left to the draw')).toBeVisible()
  await page.keyboard.type('50')
  await page.keyboard.press('Enter')
  await expect(page.getByText('€50.00 go back to the buyer. Nobody can undo it.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Done: refund.', { exact: true })).toBeVisible()
})

test('the operator finds a disputed payment by the buyer’s address alone, with its last day and what an answer needs', async ({
  desk: page,
  own,
}) => {
  // The test card whose payment the buyer's bank disputes a few seconds later.
  const { email } = await buyCard(own, {
    email: 'disputing@example.org',
    cardNumber: '4000 0000 0000 0259',
  })
  await page.goto('/studio/operations')
  await expect(search(page)).toBeVisible()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expect(async () => {
    await find(page, email)
    await page.getByRole('button', { name: /^Card · €50\.00 · frozen · / }).click({ timeout: 2_000 })
    await expect(timeline).toContainText(/answer in the payment account until \d{4}-\d\d-\d\d/, {
      timeout: 2_000,
    })
  }).toPass({ timeout: 60_000 })
  await expect(timeline.getByRole('listitem').filter({ hasText: 'disputed' })).toContainText(/du_\w+/)
  await expect(timeline).toContainText('by a dispute')
  await expect(timeline).toContainText('accepted')
  // Whoever gives back what the bank is taking pays twice.
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeHidden()
})

test('the operator marks a mail that was given up as dealt with, from its timeline and from what needs them', async ({
  desk: page,
  own,
}) => {
  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  const cards = [await buyCard(own, { email: 'gone@example.org' }), await buyCard(own)]
  await db.transaction(async trx => {
    for (const { cardId } of cards)
      await trx
        .updateTable('jobs')
        .set({ done_at: Date.now(), lease_until: null, failed_reason: 'smtp-550' })
        .where('subject', '=', cardId)
        .execute()
  })
  await db.close()
  await page.goto('/studio/operations')
  const wanted = page.getByRole('region', { name: 'What needs you' })
  await expect(wanted).toContainText('2 mails could not be sent')
  const [first, second] = cards.map(({ cardId }) => new RegExp(`of card ${cardId}`))
  const openGift = (about: RegExp) =>
    wanted.getByRole('button', { name: new RegExp(`^Open the gift: .*${about.source}`) })
  const mark = (about: RegExp) =>
    wanted.getByRole('button', { name: new RegExp(`^Mark as dealt with: .*${about.source}`) })

  await openGift(first!).press('Enter')
  await expect(page.getByRole('heading', { name: `Card ${cards[0]!.cardId}` })).toBeFocused()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'Mark as dealt with: confirmation, smtp-550' }).press('Enter')
  await expectAccessible(page, 'a mail to be dealt with', 'main')
  await page.getByRole('button', { name: 'I have dealt with it' }).press('Enter')
  await expect(page.getByText('Marked as dealt with.')).toBeVisible()
  await expect(timeline).toContainText('dealt-with, in the Studio, done')
  await expect(timeline.getByRole('button', { name: /^Mark as dealt with/ })).toBeHidden()

  await expect(wanted).toContainText('One mail could not be sent')
  await mark(second!).press('Enter')
  await wanted.getByRole('button', { name: 'I have dealt with it' }).press('Enter')
  await expect(wanted).toContainText('Marked as dealt with.')
  await expect(wanted).not.toContainText('could not be sent')
})

test('a phone shows whole what is found, and what is due above the list', async ({ desk: page, own }) => {
  const { email } = await buyCard(own, { email: 'somebody.with.a.long.name@example.org' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openDeskAt(page, email)
  const hit = page.getByRole('button', { name: /^Card · €50\.00 · active · / })
  await expect(hit).toBeVisible()
  const isCut = await hit.evaluate(button =>
    [button, ...button.querySelectorAll('*')].some(
      each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0,
    ),
  )
  expect(isCut).toBe(false)
  const due = await page.getByRole('region', { name: 'What is due' }).boundingBox()
  expect(due!.y).toBeLessThan((await hit.boundingBox())!.y)
})
