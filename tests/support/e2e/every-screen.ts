import { expect, type Page } from '@playwright/test'
import { VOLUNTEERING_SCREENS } from '#domain/receiver/volunteering-introductions.ts'
import { unwantedPath, volunteeringCardPath } from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type BoughtCard, type BoughtInvitation, giftPath } from './api.ts'
import { senderPath } from './buyer.ts'
import { linksIn, openLetter } from './inbox.ts'
import { showList, splitAs } from './recipient.ts'
import { action, atScreen, holdModules, screenIs, tryAction } from './screens.ts'
import type { Language } from './words.ts'

/** A screen, as a visitor comes to it. */
export interface Screen {
  readonly name: string
  readonly open: (page: Page) => Promise<void>
  /** Opening it changes what those after it show: it is never left out alone. */
  readonly changes?: true
}

/** A buyer who has chosen everything, and has seen the start of stories before. */
export const wellKnownVisitor = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    sessionStorage.setItem('gift:opened', '1')
    localStorage.setItem('gift:package', 'their water')
    localStorage.setItem('gift:sender', '{"kind":"own","name":"Maximiliane von Hohenstauffen-Lichtenberg"}')
    localStorage.setItem('gift:support', '30')
    localStorage.setItem('gift:mission', '{"kind":"listed","id":"mission-medical","text":""}')
    localStorage.setItem('gift:volunteering-sender', 'Maximiliane von Hohenstauffen-Lichtenberg')
    localStorage.setItem('gift:volunteering-support', '20')
  })

/** The entry leads on by itself; without its script it stays, as it does for a visitor without scripts. */
const entry = (language: Language): Screen => ({
  name: 'entry',
  open: async page => {
    const home = `**/${language}`
    await holdModules(page, home)
    await page.goto(`/${language}`)
    await atScreen(page, 'entry')
    await page.unroute(home)
  },
})

/** Every screen of the buyer's side. @param theme of a link to a gift, which shows its own */
export function senderScreens(language: Language, theme = 'ukraine'): Screen[] {
  const page = (path: string, screen: string): Screen => ({
    name: screen,
    open: async page => {
      await page.goto(`/${language}${path}`)
      await screenIs(page, screen)
    },
  })
  const step = (screen: string) => page(`/intro/${screen}`, screen)
  return [
    entry(language),
    page('/intro', 'intro'),
    step('choose-theme'),
    step('choose'),
    step('gift-card-design-donation'),
    step('how-it-works-donation'),
    step('donate-us'),
    step('packages-donation'),
    step('donation-sender-name'),
    step('donation-packages-support-amount'),
    step('donation-prepayment'),
    step('ngo-list'),
    step('gift-card-design-volunteering'),
    step('how-it-works-volunteering'),
    step('memorial'),
    step('mission'),
    step('volunteering-sender-name'),
    step('packages-volunteering'),
    step('volunteering-packages-support-amount'),
    step('volunteering-prepayment'),
    page('/intro/no-refresh/volunteering-cancel', 'volunteering-cancel'),
    {
      name: 'free-gift-card-campaign',
      open: async page => {
        await page.addInitScript(() =>
          sessionStorage.setItem(
            'gift:entry',
            '{"campaign":{"kind":"free","code":"gift-seed","source":"instagram"}}',
          ),
        )
        await page.goto(senderPath(language, 'free-gift-card-campaign'))
        await screenIs(page, 'free-gift-card-campaign')
      },
    },
    page('/newsletter/confirm', 'newsletter-confirm'),
    page('/newsletter/unsubscribe', 'newsletter-unsubscribe'),
    step('poll-ngo'),
    step('poll-2-intro'),
    step('poll-2'),
    page('/intro/no-refresh/donation-2-intro-poll-postpayment', 'donation-2-intro-poll-postpayment'),
    page('/intro/no-refresh/donation-2-poll-postpayment', 'donation-2-poll-postpayment'),
    page('/intro/no-refresh/free-gift-card-campaign-checkout', 'free-gift-card-campaign-checkout'),
    page('/who-we-are', 'who-we-are'),
    page('/cookies-policy', 'cookies-policy'),
    page('/accessibility', 'accessibility'),
    page('/transparency', 'transparency'),
    page('/ledger', 'ledger'),
    page('/developers', 'developers'),
    page('/legal-notice', 'legal-notice'),
    page('/terms', 'terms'),
    page('/privacy', 'privacy'),
    page('/withdraw', 'withdraw'),
    page('/is-this-real', 'is-this-real'),
    {
      name: 'is-this-real, unknown',
      open: async page => {
        await page.goto(`/${language}/is-this-real`)
        await page.locator('#word').fill('BCDF-GHJK-LMNP')
        await action(page, 'check-word').click()
        await expect(page.locator('#word')).toHaveValue(/bcdf/i)
      },
    },
    page('/many-cards', 'many-cards'),
    {
      name: 'open-gift',
      open: async page => {
        await page.goto(`/g/${theme}/${language}?lang=${language}`)
        await atScreen(page, 'open-gift')
      },
    },
    step('lost-link'),
    page('/share', 'share'),
    page('/intro/cookies-settings', 'cookies-settings'),
    page('/error', 'error'),
    page('/unavailable', 'unavailable'),
    page('/offline', 'offline'),
    page('/intro/no-refresh/donation-cancel', 'donation-cancel'),
    page('/intro/no-refresh/many-cards-cancel', 'many-cards-cancel'),
    page('/intro/no-refresh/own-money-cancel', 'own-money-cancel'),
    {
      name: 'own-money-thanks',
      open: async page => {
        await page.goto(`/own-money-thanks?lang=${language}`)
        await screenIs(page, 'own-money-thanks')
      },
    },
    page('/intro/no-refresh/checkout', 'checkout'),
  ]
}

/** The share page with the newsletter's form at each of its steps. */
export function newsletterScreens(language: Language): Screen[] {
  return [0, 1, 2, 3, 4, 5].map(step => ({
    name: `share, newsletter ${step}`,
    open: async page => {
      await page.goto(`/${language}/share`)
      await page.evaluate(kept => localStorage.setItem('gift:newsletter', JSON.stringify(kept)), {
        step,
        email: 'maximiliane.von.hohenstauffen@example.org',
        name: 'Maximiliane',
        returnTo: 3,
      })
      await page.reload()
      await screenIs(page, 'share')
      await expect(page.locator(`[data-newsletter] [data-step="${step}"]`)).toBeVisible()
    },
  }))
}

/** choose-theme as a visitor finds it who accepted everything: with the button for the position. */
export function positionScreen(language: Language): Screen {
  return {
    name: 'choose-theme, position',
    open: async page => {
      const consent = { choice: 'all', version: 1, at: 0, told: true }
      await page.goto(senderPath(language, 'choose-theme'))
      await page.evaluate(kept => localStorage.setItem('gift:consent', JSON.stringify(kept)), consent)
      await page.reload()
      await expect(action(page, 'position')).toBeVisible()
    },
  }
}

/** The panels that open above a screen. */
export function panelScreens(language: Language): Screen[] {
  return ['who-we-are', 'share'].map(name => ({
    name: `${name}, panel`,
    open: async page => {
      await page.goto(senderPath(language, 'ngo-list'))
      await page.locator(`.page-foot [data-panel="${name}"]`).click()
      await expect(page.locator('dialog.panel')).toBeVisible()
    },
  }))
}

/** A card that is used up. */
export function usedScreen({ privateKey }: Pick<BoughtCard, 'privateKey'>): Screen {
  return {
    name: 'consumed',
    open: async page => {
      await page.goto(giftPath(privateKey, 'consumed'))
      await atScreen(page, 'consumed')
    },
  }
}

/** The thanks for a card that is given away on coming there, as whoever gives it sees them. */
export function givenScreen({ privateKey }: Pick<BoughtCard, 'privateKey'>): Screen {
  return {
    name: 'thanks, given',
    changes: true,
    open: async page => {
      await page.goto(giftPath(privateKey, 'select-ngo'))
      await splitAs(page, { 'ngo-msf': 20, 'ngo-unrwa': 10 })
      await action(page, 'confirm').click()
      await atScreen(page, 'thanks')
    },
  }
}

/** The page after the payment with its links, the gift's own revealed. */
export function successScreen(language: Language, sessionId: string): Screen {
  return {
    name: 'donation-success',
    open: async page => {
      await page.goto(`${senderPath(language, 'no-refresh/donation-success')}?session_id=${sessionId}`)
      await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
      await action(page, 'reveal').click()
    },
  }
}

/**
 * The pages that the first mail to the buyer of a card leads to, and the certificate for the tax office.
 * @param email an address that has had no other mail
 */
export function mailedScreens(language: Language, email: string): Screen[] {
  const linked = (name: string, part: string, change = (href: string) => href): Screen => ({
    name,
    open: async page => {
      // A browser of its own reads the mail: what a visitor has kept cannot be set in the frame of a letter.
      const reader = await page
        .context()
        .browser()
        ?.newPage({ baseURL: new URL(page.url()).origin })
      if (!reader) throw new Error('The page belongs to no browser')
      const [href = ''] = await linksIn(await openLetter(reader, email), part)
      await reader.close()
      await page.goto(change(href))
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    },
  })
  const sending = (name: string, then: (page: Page) => Promise<void>): Screen => {
    const { open } = linked(name, '/send-for-me/')
    return {
      name,
      changes: true,
      open: async page => {
        await open(page)
        await then(page)
      },
    }
  }
  const planned = async (page: Page) => {
    await page.locator('#address').fill('maximiliane.von.hohenstauffen@example.org')
    await page.locator('#day').fill((await page.locator('#day').getAttribute('max')) ?? '')
    await action(page, 'plan-sending').click()
    await expect(page.locator('main')).toHaveAttribute('data-state', 'planned')
  }
  return [
    linked('withdrawal of an order', '/withdraw/'),
    linked('certificate', '/withdraw/', href => href.replace('/withdraw/', '/certificate/')),
    linked('letters about a gift', '/gift-letters/'),
    linked('a gift sent on a day', '/send-for-me/'),
    sending('a gift sent on a day, planned', planned),
    sending('a gift sent on a day, changed', page => action(page, 'change-sending').click()),
    sending('a gift sent on a day, stopped', async page => {
      await action(page, 'stop-sending').click()
      await expect(page.locator('main')).toHaveAttribute('data-state', 'stopped')
    }),
  ]
}

/**
 * Many cards before the payment with the form of the other way to pay, the page of an invoice that waits for a transfer, and
 * of one whose buyer has withdrawn. @param path without a language
 */
export function invoiceScreens(language: Language, path: string): Screen[] {
  return [
    {
      name: 'many cards by invoice',
      open: async page => {
        await page.goto(`/${language}/many-cards`)
        await page.locator('#amount').fill('25')
        await page.locator('#list').fill('Maximiliane\nAna')
        await action(page, 'check-many').click()
        await action(page, 'by-invoice').click()
        await page.locator('#invoice-name').waitFor()
      },
    },
    {
      name: 'an invoice',
      open: async page => {
        await page.goto(`${path}?lang=${language}`)
        await expect(page.locator('main')).toHaveAttribute('data-state', 'open')
      },
    },
    {
      name: 'an invoice, withdrawn',
      open: async page => {
        await page.goto(`${path}?lang=${language}`)
        await page.locator('main [data-action="withdraw"]').click()
        await page.locator('#name').fill('Maximiliane')
        await page.locator('#email').fill('maximiliane@example.org')
        await action(page, 'confirm-withdrawal').click()
        await page.locator('main[data-state="waiting"]').waitFor()
        await page.goto(`${path}?lang=${language}`)
        await expect(page.locator('main')).toHaveAttribute('data-state', 'withdrawn')
      },
    },
  ]
}

/** The page of an order of many before its links are shown, while they are, and later. @param path without a language */
export function manyScreens(language: Language, path: string): Screen[] {
  const at = (state: string, then: (page: Page) => Promise<void>): Screen => ({
    name: `an order of many, ${state}`,
    changes: true,
    open: async page => {
      await page.goto(`${path}?lang=${language}`)
      await then(page)
      await expect(page.locator('main')).toHaveAttribute('data-state', state)
    },
  })
  const back = (state: string, then: (page: Page) => Promise<void>): Screen => ({
    name: `some of many given back, ${state}`,
    changes: true,
    open: async page => {
      await page.goto(`${path}?lang=${language}`)
      await action(page, 'withdraw').first().click()
      await then(page)
    },
  })
  const chosen = async (page: Page) => {
    await page.locator('.withdraw-which [type="checkbox"]').first().check()
    await action(page, 'state-withdrawal').click()
    await action(page, 'confirm-withdrawal').waitFor()
  }
  return [
    at('unseen', async () => {}),
    at('shown', page => action(page, 'show-links').click()),
    at('seen', page => action(page, 'renew').click()),
    back('offered', page => page.locator('.withdraw-which').waitFor()),
    back('looked at', chosen),
    back('done', async page => {
      await chosen(page)
      await action(page, 'confirm-withdrawal').click()
      await page.locator('[data-withdrawal]').waitFor()
    }),
  ]
}

/** Where whoever got a gift by mail stops such mails. @param secret with which the site makes its keys */
export function unwantedScreen(language: Language, secret: string): Screen {
  const mailbox = 'a'.repeat(64)
  const key = createCardKeys(secret).unwantedKey(`hmac:${mailbox}`)
  return {
    name: 'no gifts by mail',
    open: async page => {
      await page.goto(`${unwantedPath(mailbox, key)}?lang=${language}`)
      await expect(page.locator('main')).toHaveAttribute('data-state', 'on')
    },
  }
}

/** Every screen of a card that is not used up yet, and what its list turns into. */
export function receiverScreens({
  privateKey,
  publicKey,
}: Pick<BoughtCard, 'privateKey' | 'publicKey'>): Screen[] {
  const screen = (name: string, path: string, then = async (_: Page) => {}): Screen => ({
    name,
    open: async page => {
      await page.goto(path)
      await atScreen(page, name.replace(/,.*/, ''))
      await then(page)
    },
  })
  return [
    ...Array.from({ length: 9 }, (_, index) =>
      screen(`introduction-${index + 1}`, giftPath(privateKey, `introduction-${index + 1}`)),
    ),
    screen('introduction-1, a preview', giftPath(publicKey, 'introduction-1', 'preview')),
    screen('select-ngo, list', giftPath(privateKey, 'select-ngo'), async page => {
      await showList(page)
      await tryAction(page, 'clear')
      await page.locator('[data-ngo="ngo-msf"] input').fill('20')
    }),
    screen('select-ngo, confirm', giftPath(privateKey, 'select-ngo'), page =>
      splitAs(page, { 'ngo-msf': 20, 'ngo-cerf': 20, 'ngo-irc': 10 }),
    ),
    screen('draw', giftPath(privateKey, 'draw')),
    screen('wish', giftPath(privateKey, 'wish')),
    screen('wish, noted', giftPath(privateKey, 'wish'), async page => {
      await page.locator('#name').fill('Maximiliane')
      await action(page, 'send-wish').click()
      await expect(page.locator('[data-noted]')).toBeVisible()
    }),
    screen('own-money', giftPath(privateKey, 'own-money')),
    screen('own-money, review', giftPath(privateKey, 'own-money'), async page => {
      await page.locator('#amount').fill('37')
      await page.locator('[data-ngo="ngo-msf"] input').fill('1')
      await action(page, 'check').click()
      await expect(action(page, 'pay')).toBeVisible()
    }),
    screen('thanks', giftPath(publicKey, 'thanks', 'preview')),
  ]
}

/** Every screen of an invitation: the buyer's with its link and the book, then the recipient's, the answer given. */
export function invitationScreens(language: Language, { key, sessionId }: BoughtInvitation): Screen[] {
  return [
    {
      name: 'volunteering-success',
      open: async page => {
        await page.goto(`${senderPath(language, 'no-refresh/volunteering-success')}?session_id=${sessionId}`)
        await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
        await expect(page.locator('[data-book]')).toHaveAttribute('data-book', /making|ready/)
      },
    },
    ...VOLUNTEERING_SCREENS.map(screen => ({
      name: `invitation, ${screen}`,
      open: async (page: Page) => {
        await page.goto(volunteeringCardPath(key, screen))
        await atScreen(page, screen)
      },
    })),
    {
      name: 'invitation, accepted',
      open: async page => {
        await page.goto(volunteeringCardPath(key, 'introduction-10'))
        await atScreen(page, 'introduction-10')
        await page.locator('[data-choice="accept"] label').click()
        await action(page, 'answer').click()
        await expect(page.locator('[data-accepted]')).toBeVisible()
      },
    },
    {
      name: 'invitation, doesnt-exist',
      open: async page => {
        await page.goto(volunteeringCardPath('a'.repeat(32), 'doesnt-exist'))
        await atScreen(page, 'doesnt-exist')
      },
    },
  ]
}
