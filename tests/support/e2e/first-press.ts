import { expect, type Page } from '@playwright/test'
import { VOLUNTEERING_SCREENS } from '#domain/receiver/volunteering-introductions.ts'
import { volunteeringCardPath } from '#paths'
import { type BoughtCard, type BoughtInvitation, giftPath } from './api.ts'
import { senderPath } from './buyer.ts'
import { atScreen } from './screens.ts'

/** What a screen is for: its control, and what a press of it does. */
export interface FirstPress {
  /** As the tables of every screen call it. */
  readonly name: string
  readonly path: string
  readonly control: string
  readonly effect: (page: Page) => Promise<unknown>
  /** Kept for this screen, beyond what every visitor of these tests has chosen. */
  readonly kept?: Readonly<Record<string, string>>
  /** Where the control is pressed, from 0 at its left to 1 at its right; in the middle without it. */
  readonly across?: number
}

/** A finger or a mouse. */
export const POINTERS = ['touch', 'mouse'] as const
export type Pointer = (typeof POINTERS)[number]

/** Presses what is at this place, whatever it is: nothing waits until a control would take it. */
export async function pressAt(page: Page, pointer: Pointer, { x, y }: { x: number; y: number }) {
  await (pointer === 'touch' ? page.touchscreen.tap(x, y) : page.mouse.click(x, y))
}

/** The middle of a control, as it stands now. */
export async function middleOf(page: Page, control: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await page.locator(control).first().boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/**
 * Waits until `ms` after the first paint of the page that is under way to `path`.
 * @returns the place of its control then
 */
async function placeAfterPaint(
  page: Page,
  path: string,
  { control, across = 0.5 }: Pick<FirstPress, 'control' | 'across'>,
  ms: number,
): Promise<{ x: number; y: number }> {
  await page.waitForURL(url => url.pathname === path, { waitUntil: 'commit' })
  const look = () => page.evaluate(whenPainted, [control, ms] as const)
  // The page before may be asked, and go meanwhile.
  const place = await look().catch(look)
  return { x: place.x + place.width * across, y: place.y + place.height / 2 }
}

/** Runs in the page: waits for its first paint, for the control, and for the moment. */
async function whenPainted([control, ms]: readonly [string, number]) {
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
  const paint = () => performance.getEntriesByName('first-contentful-paint')[0]
  const find = () => document.querySelector(control)
  while (!paint() || !find()) await frame()
  const wait = paint()!.startTime + ms - performance.now()
  if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
  // A press that begins on a control may otherwise end beside it, and one may meet its neighbour.
  const moves = (keyframe: ComputedKeyframe) =>
    ['transform', 'translate', 'scale', 'rotate', 'top', 'height', 'margin'].some(name => name in keyframe)
  for (const { effect } of document.getAnimations())
    if (
      effect instanceof KeyframeEffect &&
      !effect.pseudoElement &&
      effect.target?.contains(find()) &&
      effect.getKeyframes().some(moves)
    )
      throw new Error(`${control} is still moved by an animation ${ms} ms after the first paint`)
  const { x, y, width, height } = find()!.getBoundingClientRect()
  return { x, y, width, height }
}

/** A visitor who has chosen everything, and has seen the starts of stories and the packages before. */
const CHOSEN: Readonly<Record<string, string>> = {
  'gift:package': 'their water',
  'gift:sender': '{"kind":"own","name":"Ana"}',
  'gift:support': '30',
  'gift:mission': '{"kind":"listed","id":"mission-medical","text":""}',
  'gift:volunteering-sender': 'Ana',
  'gift:volunteering-support': '20',
  'gift:packages-visited': 'yes',
}

/** Comes to a screen from the page that the visitor is on, by a press on a link there, all choices as at first. */
async function follow(page: Page, { path, kept }: FirstPress, pointer: Pointer): Promise<void> {
  await page.evaluate(
    ([path, kept]) => {
      localStorage.clear()
      sessionStorage.clear()
      sessionStorage.setItem('gift:opened', '1')
      for (const [key, value] of Object.entries(kept))
        for (const storage of [localStorage, sessionStorage]) storage.setItem(key, value)
      const link = document.createElement('a')
      link.href = path
      link.textContent = '→'
      // Above all else; the site's policy forbids styles in the markup only.
      Object.assign(link.style, { position: 'fixed', inset: '0 auto auto 0', zIndex: '9', padding: '20px' })
      document.body.append(link)
    },
    [path, { ...CHOSEN, ...kept }] as const,
  )
  await pressAt(page, pointer, { x: 20, y: 20 })
}

const ENTRY = /^\/(?:es\/?)?$/

/** Comes to a screen, and presses its control at its place `ms` after the screen's first paint. */
export async function comeAndPress(page: Page, press: FirstPress, pointer: Pointer, ms: number) {
  // The entry leads on by itself, and would break off what is asked for meanwhile.
  await page.waitForURL(({ pathname }) => !ENTRY.test(pathname))
  // Only a page of the site's own leads on as its pages do, and none leads to itself so.
  const isOurs = (await page.locator('body[data-content]').count()) > 0
  const here = new URL(page.url()).pathname
  if (!isOurs || here === press.path)
    await page.goto(senderPath('es', here.endsWith('/lost-link') ? 'ngo-list' : 'lost-link'))
  await page.waitForLoadState()
  await follow(page, press, pointer)
  await pressAt(page, pointer, await placeAfterPaint(page, press.path.replace(/[?#].*/, ''), press, ms))
  await press.effect(page)
}

/** Presses one control after the other, each `ms` after the first paint of the screen that it stands on. */
export async function walk(
  page: Page,
  steps: readonly (readonly [path: string, ...controls: string[]])[],
  pointer: Pointer,
  ms: number,
): Promise<void> {
  for (const [path, ...controls] of steps)
    for (const control of controls)
      await pressAt(page, pointer, await placeAfterPaint(page, path, { control }, ms))
}

const goes = (screen: string) => (page: Page) => atScreen(page, screen)
const leaves = (screen: string) => (page: Page) =>
  expect(page.locator('main')).not.toHaveAttribute('data-screen', screen)
const checks = (control: string) => (page: Page) => expect(page.locator(control).first()).toBeChecked()
const focuses = (control: string) => (page: Page) => expect(page.locator(control)).toBeFocused()
const shows = (control: string) => (page: Page) => expect(page.locator(control)).toBeVisible()

const speaks = (page: Page) => expect(page.locator('main [data-said]')).not.toBeEmpty()

/** The payment says what a buyer in euros has to agree to. */
const lacksConsent = (page: Page) => expect(page.locator('#payment-problem')).not.toBeEmpty()
const CONTINUE = '[data-action="continue"]'
const SKIP = '[data-action="skip"]'
const HOME = '.site-name'

/** The first press of every screen of the buyer's side. */
export function senderPresses(): FirstPress[] {
  const step = (
    name: string,
    control: string,
    effect: FirstPress['effect'],
    more: Partial<FirstPress> = {},
  ) => ({
    name,
    path: senderPath('es', name),
    control,
    effect,
    ...more,
  })
  const after = (
    name: string,
    control: string,
    effect: FirstPress['effect'],
    more: Partial<FirstPress> = {},
  ) => step(name, control, effect, { path: senderPath('es', `no-refresh/${name}`), ...more })
  const page = (
    name: string,
    control: string,
    effect: FirstPress['effect'],
    path = `/es/${name}`,
  ): FirstPress => ({ name, path, control, effect })
  return [
    { name: 'intro', path: '/es/intro', control: SKIP, effect: goes('choose-theme') },
    step('choose-theme', '[data-theme-choice="lebanon"] label', shows('[data-theme="lebanon"] main')),
    step('choose', '[data-gift-kind="volunteering"] label', checks('[value="volunteering"]')),
    step('gift-card-design-donation', SKIP, goes('how-it-works-donation')),
    step('how-it-works-donation', CONTINUE, goes('packages-donation')),
    step('donate-us', '[data-action="back"]', leaves('donate-us')),
    step('packages-donation', '[data-kind]:not([hidden]) label:not(:has(:checked))', page =>
      expect(page.locator('[name="package"]:checked')).not.toHaveValue('their water'),
    ),
    step('donation-sender-name', '[data-sender="anonymous"] label', checks('[value="anonymous"]')),
    step(
      'donation-packages-support-amount',
      '#support',
      page => expect(page.locator('.support-amount')).toHaveText('40 €'),
      { across: 0.8 },
    ),
    // In euros, where something has to be agreed to first.
    step('donation-prepayment', '[data-action="pay"]', lacksConsent),
    step('ngo-list', '[data-action="back"]', goes('packages-donation')),
    step('gift-card-design-volunteering', SKIP, goes('how-it-works-volunteering')),
    step('how-it-works-volunteering', CONTINUE, goes('memorial')),
    step('memorial', '[data-action="next"]', shows('[data-photo]:nth-of-type(2)')),
    step('mission', '[value="other"]', focuses('textarea')),
    step('volunteering-sender-name', 'main input', focuses('main input')),
    step('packages-volunteering', CONTINUE, goes('volunteering-packages-support-amount')),
    step(
      'volunteering-packages-support-amount',
      '#support',
      page => expect(page.locator('.support-amount')).not.toHaveText(/^(0|800)\D/),
      { across: 0.8 },
    ),
    step('volunteering-prepayment', '[data-action="pay"]', lacksConsent),
    after('volunteering-cancel', CONTINUE, goes('packages-volunteering')),
    step('free-gift-card-campaign', 'main input', focuses('main input'), {
      kept: { 'gift:entry': '{"campaign":{"kind":"free","code":"gift-seed","source":"instagram"}}' },
    }),
    page('newsletter-confirm', '[data-action="confirm"]', speaks, '/es/newsletter/confirm'),
    page('newsletter-unsubscribe', '[data-action="confirm"]', speaks, '/es/newsletter/unsubscribe'),
    step('poll-ngo', 'main label:has([type="radio"])', checks('main [type="radio"]')),
    step('poll-2-intro', '[data-wants="yes"]', goes('cookies-settings')),
    step('poll-2', 'main label:has([type="radio"])', checks('main [type="radio"]')),
    after('donation-2-intro-poll-postpayment', '[data-wants="no"]', goes('cookies-settings')),
    after('donation-2-poll-postpayment', 'main label:has([type="radio"])', checks('main [type="radio"]')),
    after('free-gift-card-campaign-checkout', 'main [data-action="home"]', goes('cookies-settings')),
    page('who-we-are', HOME, goes('cookies-settings')),
    page('cookies-policy', HOME, goes('cookies-settings')),
    page('transparency', HOME, goes('cookies-settings')),
    page('ledger', HOME, goes('cookies-settings')),
    page('developers', HOME, goes('cookies-settings')),
    page('legal-notice', HOME, goes('cookies-settings')),
    page('terms', HOME, goes('cookies-settings')),
    page('privacy', HOME, goes('cookies-settings')),
    page('withdraw', '#name', focuses('#name')),
    page('is-this-real', '#word', focuses('#word')),
    page('many-cards', '#amount', focuses('#amount')),
    page('open-gift', '#link', focuses('#link'), '/g/ukraine/es'),
    page('accessibility', HOME, goes('cookies-settings')),
    page('share', '[data-action="buy"]', goes('cookies-settings')),
    step('cookies-settings', '[data-action="reject"]', goes('intro')),
    page('error', '[data-action="restart"]', goes('cookies-settings')),
    page('unavailable', HOME, goes('cookies-settings')),
    page('offline', HOME, goes('cookies-settings')),
    after('donation-cancel', CONTINUE, goes('packages-donation')),
    after('many-cards-cancel', CONTINUE, goes('many-cards')),
    after('own-money-cancel', CONTINUE, goes('cookies-settings')),
    page('own-money-thanks', CONTINUE, goes('cookies-settings'), '/own-money-thanks?lang=es'),
    // What is in it comes with an answer.
    after('checkout', HOME, goes('cookies-settings')),
    step('lost-link', 'main input', focuses('main input')),
  ]
}

/** The first press of every screen of a card that is not used up. */
export function receiverPresses({ privateKey, publicKey }: BoughtCard): FirstPress[] {
  const introductions = { 1: 2, 2: 4, 3: 4, 4: 5, 5: 6, 6: 7, 7: 0, 8: 9, 9: 0 }
  return [
    ...Object.entries(introductions).map(([number, next]) => ({
      name: `introduction-${number}`,
      path: giftPath(privateKey, `introduction-${number}`),
      control: SKIP,
      effect: goes(next === 0 ? 'select-ngo' : `introduction-${next}`),
    })),
    {
      name: 'introduction-1, a preview',
      path: giftPath(publicKey, 'introduction-1', 'preview'),
      control: SKIP,
      effect: goes('introduction-2'),
    },
    {
      name: 'select-ngo, list',
      path: giftPath(privateKey, 'select-ngo'),
      control: '.split-hint h1',
      effect: (page: Page) => expect(page.locator('.split-hint')).toBeHidden(),
    },
    {
      name: 'draw',
      path: giftPath(privateKey, 'draw'),
      control: '[data-tick]',
      effect: (page: Page) => expect(page.locator('[data-tick]')).toBeChecked(),
    },
    {
      name: 'wish',
      path: giftPath(privateKey, 'wish'),
      control: '#name',
      effect: focuses('#name'),
    },
    {
      name: 'own-money',
      path: giftPath(privateKey, 'own-money'),
      control: '#amount',
      effect: focuses('#amount'),
    },
    {
      name: 'thanks',
      path: giftPath(publicKey, 'thanks', 'preview'),
      control: CONTINUE,
      effect: leaves('thanks'),
    },
    {
      name: 'doesnt-exist',
      path: giftPath('a'.repeat(32), 'doesnt-exist'),
      control: CONTINUE,
      effect: goes('cookies-settings'),
    },
  ]
}

/** The first press of a card that is used up. */
export const usedPress = ({ privateKey }: Pick<BoughtCard, 'privateKey'>): FirstPress => ({
  name: 'consumed',
  path: giftPath(privateKey, 'consumed'),
  control: CONTINUE,
  effect: goes('cookies-settings'),
})

/** The first press of the pages after a payment: once what was bought has come. @param gift @param invitation just paid for */
export function successPresses({
  gift,
  invitation,
}: {
  readonly gift: Pick<BoughtCard, 'sessionId'>
  readonly invitation: Pick<BoughtInvitation, 'sessionId'>
}): FirstPress[] {
  const after = (name: string, { sessionId }: { readonly sessionId: string }): FirstPress => ({
    name,
    path: `${senderPath('es', `no-refresh/${name}`)}?session_id=${sessionId}`,
    control: '[data-action="copy"]',
    effect: page => expect(page.locator('.copied').first()).not.toBeEmpty(),
  })
  return [after('donation-success', gift), after('volunteering-success', invitation)]
}

/** The first press of the pages of an order that a mail leads to. @param invoice @param many their paths */
export function orderPresses({
  invoice,
  many,
}: {
  readonly invoice: string
  readonly many: string
}): FirstPress[] {
  // An invoice opens by the key of withdrawals.
  const withdraw = invoice.replace('/invoice/', '/withdraw/')
  return [
    {
      name: 'an invoice',
      path: invoice,
      control: HOME,
      effect: goes('cookies-settings'),
    },
    { name: 'withdrawal of an order', path: withdraw, control: '#name', effect: focuses('#name') },
    {
      name: 'an order of many, unseen',
      path: many,
      control: '[data-action="show-links"]',
      effect: page => expect(page.locator('main')).toHaveAttribute('data-state', 'shown'),
    },
  ]
}

/** The first press of every screen of an invitation. */
export function invitationPresses({ key }: BoughtInvitation): FirstPress[] {
  return [
    ...VOLUNTEERING_SCREENS.map((screen, index) => {
      const next = VOLUNTEERING_SCREENS[index + 1]
      return {
        name: `invitation, ${screen}`,
        path: volunteeringCardPath(key, screen),
        control: next ? SKIP : '[data-choice="later"] label',
        effect: next ? goes(next) : checks('[data-choice="later"] input'),
      }
    }),
    {
      name: 'invitation, doesnt-exist',
      path: volunteeringCardPath('a'.repeat(32), 'doesnt-exist'),
      control: CONTINUE,
      effect: goes('cookies-settings'),
    },
  ]
}
