import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { TEST_CARD_SECRET } from '../../builders/server.ts'
import { type RunningSite, startSite } from './server.ts'
import { test as base, expect as usual } from './test.ts'

/** Settings of the product, where they are not those of a fresh machine. */
type Settings = Readonly<Record<string, string>>

/** The Studio is a large program, for a machine that is busy with all of this. */
const OPENS_WITHIN_MS = 120_000

/** What a failure shows of the server's output, characters. */
const MOST_OF_LOG = 10_000

/** Tests that share a product of their own, with its Studio. */
export const test = base.extend<{ desk: Page }, { own: RunningSite; settings: Settings }>({
  // It draws a form anew while it learns of a document, and nothing that moves can be pressed.
  actionTimeout: OPENS_WITHIN_MS,
  navigationTimeout: OPENS_WITHIN_MS,
  settings: [{}, { option: true, scope: 'worker' }],
  own: [
    async ({ settings }, use) => {
      // The secret of the builders, whose cards are sold in its database: with another one it would not start again.
      const own = await startSite({ STUDIO: 'on', CARD_KEY_SECRET: TEST_CARD_SECRET, ...settings })
      await studioReady(own.url)
      await use(own)
      await own.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  site: [async ({ own }, use) => use(own), { scope: 'worker' }],
  /** The operator's window. */
  desk: async ({ visitor, watch, own }, use, info) => {
    // Presence says goodbye while its page is left, when its socket may be gone already.
    watch.expectFault(/WebSocket is already in CLOSING/)
    // The Studio says so of its own checks where the machine is busy with all of this.
    watch.expectFault(/Custom validator at \w+ has taken more than 5000ms/)
    await use(await visitor(DESK))
    // The product of these tests is gone with what it said, before anybody can ask why.
    if (info.status !== info.expectedStatus)
      console.log(readFileSync(own.logFile, 'utf8').slice(-MOST_OF_LOG))
  },
})

/** As patient as with its opening: what is looked at first after a page has come is that. */
export const expect = usual.configure({ timeout: OPENS_WITHIN_MS })

/** A window that shows the Studio's three columns. */
export const DESK = { viewport: { width: 1280, height: 900 } }

/** The Studio is prepared behind a running site; it may still be reading its files. */
async function studioReady(url: string): Promise<void> {
  await expect(async () => {
    expect(await (await fetch(`${url}/studio`)).text()).toContain('id="sanity"')
  }).toPass({ timeout: 170_000 })
}

/** Opens a document, and waits until it can be edited. */
export async function openDocument(page: Page, type: string, id: string): Promise<void> {
  await page.goto(`/studio/structure/${type};${id}`)
  await expect(publishButton(page)).toBeVisible()
}

/** Opens a new document of this kind. */
export async function openNew(page: Page, type: string): Promise<void> {
  await page.goto(`/studio/intent/create/template=${type};type=${type}`)
  await expect(publishButton(page)).toBeVisible()
}

/** The field of this path: `title.es`. */
export const field = (page: Page, path: string): Locator => page.getByTestId(`field-${path}`)

export const input = (page: Page, path: string): Locator =>
  field(page, path).locator('input, textarea').first()

/**
 * Types into a field as an operator does, who types again what did not stay: while the Studio comes back from a
 * lost connection, its fields take nothing for a moment.
 */
export async function write(page: Page, path: string, text: string): Promise<void> {
  await expect(async () => {
    await input(page, path).fill(text, { timeout: 10_000 })
    await expect(input(page, path)).toHaveValue(text, { timeout: 1_000 })
  }).toPass({ timeout: 90_000 })
}

export const publishButton = (page: Page): Locator => page.getByTestId('action-publish')

/**
 * Publishes what is open, as an operator does, who presses again where a press had no effect. Resolves once the content
 * has it. A press that comes while the Studio draws its footer anew is lost; a second one cannot publish twice.
 */
export async function publish(page: Page): Promise<void> {
  await expect(publishButton(page)).toBeEnabled({ timeout: 30_000 })
  const published = page.waitForResponse(
    response =>
      response.url().includes('/data/actions/') &&
      /action\.document\.publish/.test(sentIn(response.request())),
    { timeout: 60_000 },
  )
  const sent = published.then(() => true).catch(() => false)
  await expect(async () => {
    if (await publishButton(page).isEnabled()) await publishButton(page).click({ timeout: 2_000 })
    expect(await soon(sent), `the Studio sends what is to be published: ${await footer(page)}`).toBe(true)
  }).toPass({ timeout: 90_000 })
  expect((await published).status()).toBe(200)
}

/** Whether this happens within five seconds. */
const soon = (what: Promise<boolean>): Promise<boolean> =>
  Promise.race([what, new Promise<boolean>(resolve => setTimeout(resolve, 5_000, false))])

/** What the Studio says of the open document: its name on the button, and what hinders. */
const footer = (page: Page): Promise<string | null> => page.getByTestId('pane-footer').textContent()

const sentIn = (request: { postData(): string | null }): string => request.postData() ?? ''

/**
 * Chooses in the menu beside Publish, as an operator does, who opens it again where it has closed: what the Studio still
 * learns of a document draws the menu anew.
 */
export async function chooseAction(page: Page, name: string | RegExp): Promise<void> {
  const item = page.getByRole('menuitem', { name })
  await expect(async () => {
    if (!(await item.isVisible())) await page.getByTestId('action-menu-button').click({ timeout: 10_000 })
    await item.click({ timeout: 2_000 })
  }).toPass({ timeout: 90_000 })
}

/**
 * Adds to a list the document that a search for these words finds. The Studio puts the focus into the new row by itself,
 * and forgets what was searched when the focus arrives later than the words; so the words wait for the focus.
 */
export async function addReference(page: Page, list: string, words: string, found: RegExp): Promise<void> {
  await field(page, list).getByRole('button', { name: 'Add item' }).click({ timeout: 30_000 })
  await expect(field(page, list).getByRole('combobox')).toBeFocused({ timeout: 30_000 })
  await page.keyboard.type(words)
  await page.getByRole('option', { name: found }).click({ timeout: 30_000 })
}

/** The rows of the open list, as far as they are drawn. */
export const rows = (page: Page): Locator => field(page, 'ngos').getByTestId('default-preview')

/** Moves a row of the open list up by one, with the keyboard as an operator without a mouse would. */
export async function moveUp(page: Page, row: number): Promise<void> {
  const handle = field(page, 'ngos').locator('[data-ui="DragHandleButton"]').nth(row)
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(handle).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowUp')
  const overAnother = page.getByText(/item (\S+) was moved over droppable area (?!\1\.)/)
  await expect(overAnother).toBeAttached()
  await page.keyboard.press('Space')
  await expect(page.getByText(/item \S+ was dropped over/)).toBeAttached()
}

/**
 * The next visitor of the list reads this. That it is within two seconds is measured where the server does not share
 * the machine with two browsers (tests/product/publish.test.ts). A new theme changes every page: each is rendered and
 * compressed anew, four seconds of processor time, of which such a machine gives the server a small part.
 */
export async function expectOnSite(url: string, what: (page: string) => void, path = '/es/intro/ngo-list') {
  await expect(async () => what(await (await fetch(`${url}${path}`)).text())).toPass({
    timeout: 100_000,
    intervals: [250],
  })
}

/** A device with a passkey of its own. @returns a switch: does its person put a finger on it? */
export async function addDevice(page: Page): Promise<(isThere: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return isUserVerified =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => {})
}
