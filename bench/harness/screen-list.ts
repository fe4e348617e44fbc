import { INTRODUCTION_SCREENS } from '#domain/receiver/introductions.ts'
import { VOLUNTEERING_SCREENS } from '#domain/receiver/volunteering-introductions.ts'
import { cardPath, localizedPath, senderPath, volunteeringCardPath } from '#paths'
import { inviteThroughApi } from '#tests/support/e2e/api.ts'
import { type BenchSite, paidSession } from './site.ts'

/** A screen, and the visitor in front of it. */
export interface Screen {
  /** The line of the table; screens that share one are shown by the greatest of their figures. */
  readonly name: string
  /** `data-screen` of what must have come in the end. */
  readonly word: string
  readonly kind: 'text' | 'island'
  readonly path: string
  readonly cookies?: Readonly<Record<string, string>>
  /** What the browser keeps of the visitor, and what waits in the tab, beside what it has of every visitor. */
  readonly kept?: Readonly<Record<string, string>>
  readonly session?: Readonly<Record<string, string>>
  /** A door: it counts alone, and the screen behind it on its own line. */
  readonly leadsOn?: true
}

const LANGUAGE = 'es'

/** What a buyer has chosen by the last step; earlier screens find the same. */
export const CHOICES: Readonly<Record<string, string>> = {
  'gift:package': 'their water',
  'gift:strategy': 'tiktok-sp',
  'gift:sender': JSON.stringify({ kind: 'own', name: 'Aina' }),
  'gift:support': '0',
  'gift:mission': JSON.stringify({ kind: 'decide-later', text: '' }),
  'gift:volunteering-sender': 'Aina',
  'gift:volunteering-support': '0',
}

/** A visitor in the middle of the story: the first load of a session would be led to its beginning. */
export const SESSION: Readonly<Record<string, string>> = { 'gift:opened': '1' }

const UNKNOWN_KEY = 'a'.repeat(52)

/** A visitor who came by the link of a campaign that gives cards away. */
const CAMPAIGN = {
  'gift:entry': JSON.stringify({ campaign: { kind: 'free', code: 'gift-seed', source: 'instagram' } }),
}

const text = (word: string, path: string): Screen => ({ name: word, word, kind: 'text', path })
const island = (word: string, path: string): Screen => ({ name: word, word, kind: 'island', path })
const sender = (screen: string): string => senderPath(LANGUAGE, screen)

/** Every screen of the main flow, in one language. */
export async function screensOf(site: BenchSite): Promise<readonly Screen[]> {
  const [key = ''] = site.keys.active
  const { consumed, preview } = site.keys
  const invitation = await inviteThroughApi({ ...site, logFile: '' })
  return [
    ...INTRODUCTION_SCREENS.map(word => ({
      ...text(word, cardPath(key, word)),
      name: 'introduction-1 to -9',
    })),
    {
      ...text('introduction-1', cardPath(preview, 'introduction-1', 'preview')),
      name: 'introduction-1, preview',
    },
    island('select-ngo', cardPath(key, 'select-ngo')),
    ...['draw', 'wish', 'own-money'].map(word => text(word, cardPath(key, word))),
    text('thanks', cardPath(preview, 'thanks', 'preview')),
    text('consumed', cardPath(consumed, 'consumed')),
    text('doesnt-exist', cardPath(UNKNOWN_KEY, 'doesnt-exist')),
    // Whoever was not asked yet is led to the question.
    { ...text('cookies-settings', localizedPath(LANGUAGE, '/')), name: 'entry', leadsOn: true },
    text('cookies-settings', sender('cookies-settings')),
    text('packages-donation', sender('packages-donation')),
    text('donation-sender-name', sender('donation-sender-name')),
    island('donation-packages-support-amount', sender('donation-packages-support-amount')),
    island('donation-prepayment', sender('donation-prepayment')),
    island(
      'donation-success',
      `${sender('no-refresh/donation-success')}?session_id=${await paidSession(site)}`,
    ),
    text('donation-cancel', sender('no-refresh/donation-cancel')),
    text('ngo-list', sender('ngo-list')),
    { ...text('free-gift-card-campaign', sender('free-gift-card-campaign')), session: CAMPAIGN },
    text('poll-ngo', sender('poll-ngo')),
    text('poll-2-intro', sender('poll-2-intro')),
    text('poll-2', sender('poll-2')),
    text('cookies-settings', sender('cookies-settings')),
    text('who-we-are', localizedPath(LANGUAGE, '/who-we-are')),
    text('cookies-policy', localizedPath(LANGUAGE, '/cookies-policy')),
    text('accessibility', localizedPath(LANGUAGE, '/accessibility')),
    text('transparency', localizedPath(LANGUAGE, '/transparency')),
    ...['ledger', 'developers', 'legal-notice', 'terms', 'privacy'].map(word =>
      text(word, localizedPath(LANGUAGE, `/${word}`)),
    ),
    ...VOLUNTEERING_SCREENS.map(word => ({
      ...text(word, volunteeringCardPath(invitation.key, word)),
      name: word === 'introduction-8' ? 'invitation, memorial' : 'invitation',
    })),
    text('gift-card-design-volunteering', sender('gift-card-design-volunteering')),
    text('how-it-works-volunteering', sender('how-it-works-volunteering')),
    text('memorial', sender('memorial')),
    text('mission', sender('mission')),
    text('volunteering-sender-name', sender('volunteering-sender-name')),
    text('packages-volunteering', sender('packages-volunteering')),
    island('volunteering-packages-support-amount', sender('volunteering-packages-support-amount')),
    island('volunteering-prepayment', sender('volunteering-prepayment')),
    island(
      'volunteering-success',
      `${sender('no-refresh/volunteering-success')}?session_id=${invitation.sessionId}`,
    ),
    text('error', localizedPath(LANGUAGE, '/error')),
  ]
}

const NEWSLETTER_STEPS = [0, 1, 2, 3, 4, 5]
const UNKNOWN_SESSION = `cs_test_${'a'.repeat(58)}`

/** The screens beside the main flow, and those of it that have nothing to show or where something went wrong. */
export const OTHER_SCREENS: readonly Screen[] = [
  text('intro', sender('intro')),
  text('choose-theme', sender('choose-theme')),
  text('choose', sender('choose')),
  text('gift-card-design-donation', sender('gift-card-design-donation')),
  text('how-it-works-donation', sender('how-it-works-donation')),
  text('donate-us', sender('donate-us')),
  text('lost-link', sender('lost-link')),
  ...['withdraw', 'many-cards', 'is-this-real'].map(word => text(word, localizedPath(LANGUAGE, `/${word}`))),
  ...['many-cards-cancel', 'own-money-cancel'].map(word => text(word, sender(`no-refresh/${word}`))),
  text('donation-2-intro-poll-postpayment', sender('no-refresh/donation-2-intro-poll-postpayment')),
  text('donation-2-poll-postpayment', sender('no-refresh/donation-2-poll-postpayment')),
  text('volunteering-cancel', sender('no-refresh/volunteering-cancel')),
  text('newsletter-confirm', localizedPath(LANGUAGE, '/newsletter/confirm')),
  text('newsletter-unsubscribe', localizedPath(LANGUAGE, '/newsletter/unsubscribe')),
  text('unavailable', localizedPath(LANGUAGE, '/unavailable')),
  {
    ...text('free-gift-card-campaign', sender('free-gift-card-campaign')),
    name: 'free-gift-card-campaign, none',
  },
  ...NEWSLETTER_STEPS.map(step => ({
    ...text('share', localizedPath(LANGUAGE, '/share')),
    name: 'share',
    kept: { 'gift:newsletter': JSON.stringify({ step, email: 'a@example.org', name: 'Aina', returnTo: 3 }) },
  })),
  island('checkout', sender('no-refresh/checkout')),
  island('free-gift-card-campaign-checkout', sender('no-refresh/free-gift-card-campaign-checkout')),
  ...['donation-success', 'volunteering-success'].flatMap(word => [
    { ...island(word, sender(`no-refresh/${word}`)), name: `${word}, absent` },
    {
      ...island(word, `${sender(`no-refresh/${word}`)}?session_id=${UNKNOWN_SESSION}`),
      name: `${word}, failed`,
    },
  ]),
]

/** One screen of each kind first: the story, the choice, the shop, a form. */
const MOST_TELLING = [
  'introduction-1',
  'select-ngo',
  'packages-donation',
  'donation-prepayment',
  'donation-success',
  'thanks',
  'donation-sender-name',
  'doesnt-exist',
]

/** The most telling screens; those that differ in one sentence paint alike, so the first stands for them. */
export function mostTelling(screens: readonly Screen[], count: number): Screen[] {
  const different = screens.filter(
    ({ name, word, leadsOn }, index) =>
      !leadsOn &&
      screens.findIndex(other => other.name === name || (!other.leadsOn && other.word === word)) === index,
  )
  const rank = ({ word }: Screen): number => (MOST_TELLING.includes(word) ? MOST_TELLING.indexOf(word) : 99)
  return different.sort((a, b) => rank(a) - rank(b)).slice(0, count)
}
