import type { LinkPlace } from '#domain/card/gift-links.ts'
import { type Picture, type PictureFormat, type PictureWidth, pictureName } from '#domain/images/picture.ts'
import { isLanguage, type Language } from '#domain/languages.ts'
import type { LegalPage } from '#domain/legal/legal-texts.ts'
import { type GiftKind, isGiftKind } from '#domain/sender/gift-kinds.ts'
import { hexOf, THEMES, type Theme, themeIn } from '#domain/themes.ts'

/**
 * Every URL the application links to or answers at, without an origin. Pure and safe in the browser: the pages,
 * the islands, the mails and the HTTP front read the same table.
 */

/** A page without personal data: rendered once per content release in every language, served from memory. */
export interface PublishedPage {
  /** Without a language: `/es` + path is the canonical URL. */
  readonly path: string
  /** Never kept by a browser or a cache (product.md#addresses). */
  readonly noStore?: true
  readonly noIndex?: true
  /** Search engines may list it: it reads alike for everybody, and stands in the sitemap. */
  readonly listed?: true
  /** May ask where the visitor is, when they press the button for it. */
  readonly asksPosition?: true
  /** Its form is sent to the path without a language, where a page of its own answers it. */
  readonly takesForm?: true
}

export const PUBLISHED_PAGES: readonly PublishedPage[] = [
  { path: '/', listed: true },
  { path: '/who-we-are', listed: true },
  { path: '/cookies-policy', listed: true },
  { path: '/accessibility', listed: true },
  { path: '/transparency', listed: true },
  { path: '/ledger', listed: true },
  { path: '/developers', listed: true },
  { path: '/legal-notice', listed: true },
  { path: '/terms', listed: true },
  { path: '/privacy', listed: true },
  { path: '/withdraw', takesForm: true },
  { path: '/is-this-real', takesForm: true },
  { path: '/many-cards', listed: true, takesForm: true },
  { path: '/share', noIndex: true },
  { path: '/intro/cookies-settings', noIndex: true },
  { path: '/intro', listed: true },
  { path: '/intro/choose-theme', asksPosition: true },
  { path: '/intro/choose' },
  { path: '/intro/gift-card-design-donation' },
  { path: '/intro/how-it-works-donation', listed: true },
  { path: '/intro/ngo-list', listed: true },
  { path: '/intro/packages-donation', listed: true },
  { path: '/intro/donation-sender-name' },
  { path: '/intro/free-gift-card-campaign' },
  { path: '/newsletter/confirm', noStore: true, noIndex: true },
  { path: '/newsletter/unsubscribe', noStore: true, noIndex: true },
  { path: '/intro/poll-ngo', noIndex: true },
  { path: '/intro/poll-2-intro', noIndex: true },
  { path: '/intro/poll-2', noIndex: true },
  { path: '/intro/donation-packages-support-amount' },
  { path: '/intro/donation-prepayment' },
  { path: '/intro/gift-card-design-volunteering' },
  { path: '/intro/how-it-works-volunteering', listed: true },
  { path: '/intro/memorial' },
  { path: '/intro/mission' },
  { path: '/intro/volunteering-sender-name' },
  { path: '/intro/packages-volunteering', listed: true },
  { path: '/intro/volunteering-packages-support-amount' },
  { path: '/intro/volunteering-prepayment' },
  { path: '/intro/no-refresh/volunteering-success', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/volunteering-cancel', noStore: true, noIndex: true },
  { path: '/intro/donate-us', listed: true },
  { path: '/intro/lost-link' },
  { path: '/intro/no-refresh/donation-success', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/checkout', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/donation-cancel', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/many-cards-cancel', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/own-money-cancel', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/donation-2-intro-poll-postpayment', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/donation-2-poll-postpayment', noStore: true, noIndex: true },
  { path: '/intro/no-refresh/free-gift-card-campaign-checkout', noStore: true, noIndex: true },
  { path: '/error', noStore: true, noIndex: true },
  { path: '/unavailable', noStore: true, noIndex: true },
  { path: '/offline', noIndex: true },
]

/**
 * Shows the links of a free card; `key` opens it, and is taken out of the address bar once read. It stands behind `#`,
 * which no browser sends; in the query it is read too.
 */
export function freeCheckoutPath(language: Language, key: string): string {
  return `${senderPath(language, 'no-refresh/free-gift-card-campaign-checkout')}#privateKey=${key}`
}

/** Where a mail program posts to when its user leaves the newsletter (RFC 8058); a person who opens it gets a page. */
export const ONE_CLICK_PATH = '/api/newsletter/unsubscribe'

export function oneClickPath(token: string): string {
  return `${ONE_CLICK_PATH}?token=${token}`
}

/** The pages that the newsletter's mails lead to; the token is taken out of the address bar once read. */
export function newsletterPath(language: Language, page: 'confirm' | 'unsubscribe', token: string): string {
  return `${localizedPath(language, `/newsletter/${page}`)}?token=${token}`
}

/** The error screen, also the body of a failed page. */
export const ERROR_PATH = '/error'
/** The same for a page that could not be made just now. */
export const UNAVAILABLE_PATH = '/unavailable'
/** What the service worker shows where there is no connection. */
export const OFFLINE_PATH = '/offline'
/** Its own file: a worker answers for what lies beside and below it. */
export const SERVICE_WORKER_PATH = '/sw.js'
export const HOME_PATH = '/'

/** What a phone needs to put the site on its home screen, made at build; sizes in px. */
export const ICONS = [
  { path: '/favicon.ico', size: 32 },
  { path: '/apple-touch-icon.png', size: 180 },
  { path: '/icon-192.png', size: 192 },
  { path: '/icon-512.png', size: 512 },
  { path: '/icon-maskable-512.png', size: 512, maskable: true },
] as const satisfies readonly { path: string; size: number; maskable?: true }[]

/** What the site is called on a home screen, and how it opens from there. */
export function manifestPath(language: Language): string {
  return `/manifest-${language}.webmanifest`
}

/** The prefix of a receiver's page; what follows is the card's key. */
export const CARD_PATHS = '/gift-card/'
export const VOLUNTEERING_CARD_PATHS = '/gift-card-volunteering/'
/** The page behind a gift's link; what follows `#` in the link is the gift's key, which no browser sends. */
export const GIFT_LINK_PATH = '/g'
/** Where the form for lost links is sent. */
export const LOST_LINK_PATH = '/lost-link'
/** Where a buyer replaces the links of a card; what follows is the card's id and the key that allows it. */
export const RENEWAL_PATHS = '/new-links/'
/** Where a giver says whether a letter is wanted when a card is used; what follows is its id and the key that allows it. */
export const GIFT_LETTERS_PATHS = '/gift-letters/'
/** Where a giver has a gift mailed on a day; what follows is the card's id and the key that allows it. */
export const SENDING_PATHS = '/send-for-me/'
/** Where whoever gets such a mail stops them; what follows is the digest of their mailbox and the key that allows it. */
export const UNWANTED_PATHS = '/not-for-me/'
/** Where the form of a withdrawal without a link stands (with a language before it), and is sent. */
export const WITHDRAW_PATH = '/withdraw'
/** Where the form by which many cards are bought stands (with a language before it), and is sent. */
export const MANY_CARDS_PATH = '/many-cards'
/** Where the provider sends whoever paid own money; what became of it is asked for by a form. */
export const OWN_MONEY_THANKS_PATH = '/own-money-thanks'
/** Where the form for a check word stands (with a language before it), and is sent. */
export const IS_THIS_REAL_PATH = '/is-this-real'
/** Where a buyer withdraws from an order; what follows is its id and the key that allows it. */
export const WITHDRAWAL_PATHS = '/withdraw/'
/** Where a buyer gets a certificate for the tax office; what follows is the order's id and the key of withdrawals. */
export const CERTIFICATE_PATHS = '/certificate/'
/** Where the invoice for many cards stands; what follows is the order's id and the key of withdrawals. */
export const INVOICE_PATHS = '/invoice/'
/** Where the buyer of many cards gets their links and sees what became of them; what follows is the order's id and a key of it. */
export const MANY_PATHS = '/many/'
/** Where an organisation confirms a payout; what follows is the advice's id and its key. */
export const RECEIVED_PATHS = '/received/'
/** All of these: an id follows, and a key of it. */
export const ID_AND_KEY_PATHS = [
  RENEWAL_PATHS,
  GIFT_LETTERS_PATHS,
  SENDING_PATHS,
  UNWANTED_PATHS,
  WITHDRAWAL_PATHS,
  CERTIFICATE_PATHS,
  INVOICE_PATHS,
  MANY_PATHS,
  RECEIVED_PATHS,
] as const
export const API_PATHS = '/api/'
/** The content's pictures, in sizes of our own. */
export const PICTURE_PATHS = '/images/'
/** Pages that only the server itself renders (mails); never answered from outside. */
export const INTERNAL_PATHS = '/internal/'

/** The operator's editor, and the page that asks who he is. */
export const STUDIO_PATH = '/studio'
export const STUDIO_LOGIN_PATH = '/studio-login'
/** What follows in the address after `#`, so that no proxy's log has it: what the desk looks for as it opens. */
export const FIND_HASH = '#find='
/** The operator's desk in the Studio. */
export const DESK_PATH = `${STUDIO_PATH}/operations`
/** The desk with the timeline of this order or card. */
export const deskPath = (about: string): string => `${DESK_PATH}${FIND_HASH}${encodeURIComponent(about)}`
/** What stands at `STUDIO_PATH` until the editor is there; rendered by the server itself. */
export const STUDIO_WAITING_PAGE = '/internal/studio'
/** Calls that only the operator may make. */
export const OPERATOR_PATHS = '/api/operator/'

/** What stands at a published page whose draft cannot be shown; rendered by the server itself. */
export const BROKEN_DRAFT_PAGE = '/internal/draft'
/** Where the operator's browser is shown what visitors see again. */
export const PREVIEW_OFF_PATH = '/api/preview/disable'
/** Where the content service says that something was published. */
export const CMS_NEWS_PATH = '/api/cms/published'

/** Where the payment provider delivers its events. */
export const PROVIDER_EVENTS_PATH = '/api/stripe/webhook'

/** Where a form with a card's private key is answered with a sheet to print, and what the form calls the key. */
export const PRINT_PATH = '/api/gift-card/print'
export const LAST_DAY_PATH = '/api/gift-card/calendar'
export const PRINT_KEY_FIELD = 'key'

/** The canonical URL of a published page: `localizedPath('es', '/')` is `/es`. */
export function localizedPath(language: Language, path: string): string {
  return path === '/' ? `/${language}` : `/${language}${path}`
}

/** The path of a screen of the sender's flow without a language; `intro`, the splash, stands at its root. */
export function introPath(screen: string): string {
  return screen === 'intro' ? '/intro' : `/intro/${screen}`
}

/** A screen of the sender's flow, `senderPath('es', 'packages-donation')`; screens after payment carry `no-refresh/`. */
export function senderPath(language: Language, screen: string): string {
  return localizedPath(language, introPath(screen))
}

/** What an address says of a screen that was opened from the summary of a gift, to change what is chosen there. */
const CHANGE = 'change'

/** A screen of the sender's flow, to change what is chosen there: Continue leads back to the gift's summary. */
export function changePath(language: Language, screen: string, kind: GiftKind): string {
  return `${senderPath(language, screen)}?${CHANGE}=${kind}`
}

/** The gift whose summary a screen was opened from, if it was; `search` as the address has it. */
export function changedGift(search: string): GiftKind | undefined {
  const kind = new URLSearchParams(search).get(CHANGE)
  return isGiftKind(kind) ? kind : undefined
}

/** A text of the law as it is in force; with a version, that one for ever. */
export function legalPath(language: Language, page: LegalPage, version?: string): string {
  return localizedPath(language, version === undefined ? `/${page}` : `/${page}/${version}`)
}

/** Is this screen of the sender's flow a page of the site? What leads to one that is not is left out. */
export function hasScreen(screen: string): boolean {
  return PUBLISHED_PAGES.some(({ path }) => path === introPath(screen))
}

/** A screen of the receiver's flow. Previews end in `/preview`, the others in `/final` (product.md#addresses). */
export function cardPath(key: string, screen = 'introduction', mode: 'preview' | 'final' = 'final'): string {
  return `${CARD_PATHS}${key}/${screen}/${mode}`
}

/** The last word of the page behind an invitation's link: the link unfolds as one. */
export const INVITATION_WORD = 'invitation'

/** What the link of a gift says of it to whatever unfolds it. */
export interface UnfoldsAs {
  readonly themeId: string
  /** The language that it was bought in. */
  readonly language: Language
  readonly kind?: GiftKind
}

/**
 * The link of a gift, as it is sent: its key stands behind `#`.
 * @param place where the link leads, other than to the beginning
 */
export function giftLinkPath(
  { themeId, language, kind = 'donation' }: UnfoldsAs,
  key: string,
  place?: LinkPlace,
): string {
  const words = [GIFT_LINK_PATH, themeId, language, ...(kind === 'volunteering' ? [INVITATION_WORD] : [])]
  return `${words.join('/')}#${key}${place === undefined ? '' : `/${place}`}`
}

/** Where the money of a card is, at the end of its preview: opened there, by the place in the page. */
export function passportPath(publicKey: string): string {
  return `${cardPath(publicKey, 'thanks', 'preview')}#${PASSPORT_PLACE}`
}

/** The place in a page by which the passport is opened. */
export const PASSPORT_PLACE = 'passport'

/** The page with the button that replaces a card's links. */
export function renewalPath(cardId: string, renewalKey: string): string {
  return `${RENEWAL_PATHS}${cardId}/${renewalKey}`
}

/** The page with the button that stops the letters about a card's use. */
export function giftLettersPath(cardId: string, lettersKey: string): string {
  return `${GIFT_LETTERS_PATHS}${cardId}/${lettersKey}`
}

/** The page on which a giver has a gift mailed on a day. */
export function sendingPath(cardId: string, key: string): string {
  return `${SENDING_PATHS}${cardId}/${key}`
}

/** The page with the button that stops all gifts by mail. */
export function unwantedPath(mailbox: string, key: string): string {
  return `${UNWANTED_PATHS}${mailbox}/${key}`
}

/** The page with the button by which a buyer withdraws from an order. */
export function withdrawalPath(orderId: string, key: string): string {
  return `${WITHDRAWAL_PATHS}${orderId}/${key}`
}

/** The page with the form for a certificate, and with the certificate. */
export function certificatePath(orderId: string, key: string): string {
  return `${CERTIFICATE_PATHS}${orderId}/${key}`
}

/** The page of an invoice. */
export function invoicePath(orderId: string, key: string): string {
  return `${INVOICE_PATHS}${orderId}/${key}`
}

/** The page of an order of many cards. */
export function manyPath(orderId: string, key: string): string {
  return `${MANY_PATHS}${orderId}/${key}`
}

/** The page on which an organisation says that a payout has arrived. */
export function receivedPath(adviceId: string, key: string): string {
  return `${RECEIVED_PATHS}${adviceId}/${key}`
}

/** One of the sizes and formats of a picture. */
export function picturePath(picture: Picture, width: PictureWidth, format: PictureFormat): string {
  return `${PICTURE_PATHS}${pictureName(picture)}-${width}.${format}`
}

/** A screen of a volunteering card's recipient. */
export function volunteeringCardPath(key: string, screen = 'introduction'): string {
  return `${VOLUNTEERING_CARD_PATHS}${key}/${screen}`
}

/** The photo-book, for whoever holds the card's key. */
export function photoBookPath(key: string, language: Language): string {
  return `${volunteeringCardPath(key, 'photo-book.pdf')}?lang=${language}`
}

/** What a link can unfold as: each has a picture of its own. */
export const PREVIEW_KINDS = ['gift', 'invitation'] as const

export type PreviewKind = (typeof PREVIEW_KINDS)[number]

/**
 * The picture that a link unfolds with, 1200 × 630. For the product's own themes it is made at build for each kind and
 * language; for the operator's the address says what is drawn, so that a theme that is changed has a new one.
 */
export function previewImagePath(theme: Theme, language: Language, kind: PreviewKind = 'gift'): string {
  const own = themeIn(Object.values<Theme>(THEMES), theme.id)
  const look = lookInPath(theme)
  const name = own && lookInPath(own) === look ? theme.id : `${theme.id}-${look}`
  return `/og/${kind === 'gift' ? '' : `${kind}-`}${name}-${language}.png`
}

const lookInPath = ({ background, text, motif }: Theme): string =>
  `${hexOf(background)}${hexOf(text)}-${motif}`.replaceAll('#', '')

export interface ParsedPath {
  /** The language prefix, when there is one. */
  readonly language?: Language
  /** The path without it, always starting with a slash. */
  readonly rest: string
}

/** Takes the language prefix off a path: `/es/intro/ngo-list` → es, `/intro/ngo-list`. */
export function parsePath(pathname: string): ParsedPath {
  const [, language] = pathname.split('/', 2)
  if (pathname[0] !== '/' || !isLanguage(language)) return { rest: pathname }
  return { language, rest: pathname.slice(1 + language.length) || '/' }
}
