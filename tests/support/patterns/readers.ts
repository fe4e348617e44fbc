import { acceptedRanges } from '#domain/accept-language.ts'
import { deviceClassOf, isBoundedMetadata, isEventName } from '#domain/analytics/events.ts'
import { masked, maskedData } from '#domain/analytics/masked.ts'
import { routeOf as analyticsRouteOf } from '#domain/analytics/route.ts'
import { isCampaignCode } from '#domain/campaign/campaigns.ts'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { isCrawler } from '#domain/campaign/crawler.ts'
import { isHandleShaped, readGiftLink } from '#domain/card/gift-links.ts'
import { isKeyShaped, readKey } from '#domain/card/keys.ts'
import { isTextHash, readConsent } from '#domain/consent/consent.ts'
import { isLinkTarget, isWebLink } from '#domain/content/links.ts'
import { isDay } from '#domain/days.ts'
import { isPictureAsset } from '#domain/images/picture.ts'
import { readLanguageTag } from '#domain/language-tags.ts'
import { languageFromTag } from '#domain/languages.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'
import { readAnswers } from '#domain/polls/polls.ts'
import { readTypedPoints } from '#domain/redemption/typed-points.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { cleanLine } from '#domain/text/clean-line.ts'
import { fillText } from '#domain/text/fill-text.ts'
import { calendarFile } from '#domain/volunteering/calendar.ts'
import { cleanMission, isMissionId } from '#domain/volunteering/mission.ts'
import { CARD_PATHS, parsePath, RENEWAL_PATHS, VOLUNTEERING_CARD_PATHS } from '#paths'
import { routeClass } from '#server/app/metrics.ts'
import { eventOf } from '#server/http/handlers/analytics-event.ts'
import { createBookDownload } from '#server/http/handlers/book-download.ts'
import { cardAskedBy } from '#server/http/handlers/card-read.ts'
import { readAttemptKey } from '#server/http/pipeline/guards.ts'
import { withReadKey } from '#server/http/pipeline/key-in-path.ts'
import { parseJson } from '#server/http/pipeline/parse.ts'
import { isAmbiguousPath, routeOf } from '#server/http/router/routes.ts'
import { visitorLanguage } from '#server/http/router/visitor-language.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import { preferredEncoding } from '#server/http/transport/encodings.ts'
import { createOwnHost } from '#server/http/transport/own-origin.ts'
import { isSignedNews } from '#server/modules/content/webhook.ts'
import { createHeldGifts } from '#server/modules/gifts/cards/gift-links.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createPictures } from '#server/modules/images/pictures.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { operatorCookie } from '#server/modules/operator/cookies.ts'
import { ownPath } from '#server/modules/operator/own-path.ts'
import { keyFor, readSigned } from '#server/modules/operator/signed.ts'
import { readSessionId } from '#server/modules/payments/session-id.ts'
import { csvCell } from '#server/platform/csv.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { createLog } from '#server/platform/log.ts'
import { createInbox } from '#stand-ins/inbox/inbox.ts'
import { isDocumentId } from '#stand-ins/local-lake/ids.ts'
import { createRouter } from '#stand-ins/local-lake/routes.ts'
import { search } from '#stand-ins/local-lake/search.ts'
import { readTransform } from '#stand-ins/local-lake/transforms.ts'
import { isCardNumber } from '#stand-ins/payments-double/cards.ts'
import { parseForm } from '#stand-ins/payments-double/form.ts'
import { readEntry } from '#stand-ins/payments-double/hosted/entry.ts'
import { escapeHtml } from '#stand-ins/payments-double/hosted/page.ts'
import { textsIn } from '#stand-ins/payments-double/hosted/texts.ts'
import { isEmail } from '#stand-ins/payments-double/session-rules.ts'
import { newEvent, newSession } from '#wire/analytics.ts'
import { sendConfirmation, settleDonation, startDonation } from '#wire/donation-payment.ts'
import { claimFreeCard } from '#wire/free-gift-card.ts'
import { redeemCard } from '#wire/gift-card.ts'
import { confirmSubscription, subscribe } from '#wire/newsletter.ts'
import { startVolunteering } from '#wire/volunteering.ts'

/** Reads a text that somebody outside wrote. */
export interface Reader {
  readonly name: string
  readonly read: (text: string) => unknown
  /** Texts that are bad for this one, beside those that every reader is tried with. */
  readonly worst?: readonly string[]
}

const reader = (name: string, read: Reader['read'], ...worst: readonly string[]): Reader => ({
  name,
  worst,
  // Refusing a text is reading it too.
  read(text) {
    try {
      return read(text)
    } catch (error) {
      return error
    }
  },
})

const request = (headers: Record<string, string>) =>
  ({ socket: { remoteAddress: '127.0.0.1' }, headers }) as unknown as Parameters<
    ReturnType<typeof createClientAddress>
  >[0]
const headersOf = (name: string, value: string) =>
  ({ get: (asked: string) => (asked.toLowerCase() === name ? value : null) }) as Headers

/** A call’s body with the text in each of its fields; refused or not, it is read. */
const bodyReader = (name: string, contract: { request: Parameters<typeof parseJson>[0] }, fields: string[]) =>
  reader(`body of ${name}`, text =>
    parseJson(contract.request, JSON.stringify(Object.fromEntries(fields.map(field => [field, text])))),
  )

const clientAddress = createClientAddress(['127.0.0.1', '10.0.0.0/8'])
const ownHost = createOwnHost(new URL('https://gift.example'))
const sessionKey = keyFor('a secret', 'a purpose')
const cookie = operatorCookie('operator', false)
const tokens = createTokens('a secret')
const log = createLog(() => {})
const held = createHeldGifts({
  keys: createCardKeys('a secret of thirty-two letters or more'),
  clock: () => 0,
  secure: false,
})
const traded = {
  kind: 'donation',
  keyKind: 'private',
  key: '',
  handle: '0',
  cardId: '0',
  version: 1,
  place: undefined,
} as const
const nothing = () => Promise.reject(new Error('not asked'))
const pictures = createPictures({ dir: '/nowhere', readAsset: nothing, published: () => [], log })
const book = createBookDownload({} as Parameters<typeof createBookDownload>[0])
const inbox = createInbox({ dir: '/nowhere' })
const lakeRoutes = createRouter({
  'GET /data/query/:dataset': async () => new Response(),
  'GET /data/doc/:dataset/:ids': async () => new Response(),
})
const pages = new Map()
const document = { _id: 'a', _type: 'ngo', title: 'One title of several words' }

/** Everything that reads what visitors, neighbours and services write: the test grows each with its worst text. */
export const READERS: readonly Reader[] = [
  reader(
    'masked',
    masked,
    'a%40b.c',
    '%40a.',
    'a@b.c@',
    'cs_test_',
    'sk_live_',
    'abcdefghijklmnopqrstuvwxyz234567 ',
  ),
  reader('maskedData', text => maskedData({ [text]: [text] })),
  reader('log', text => log.error('x', new Error(text), { text })),
  reader('isEventName', isEventName),
  reader('isBoundedMetadata', text => isBoundedMetadata({ text })),
  reader('deviceClassOf', deviceClassOf, 'android', 'android mobil'),
  reader('analytics routeOf', text => analyticsRouteOf(`/${text}`), 'intro/', 'gift-card/'),
  reader('acceptedRanges', acceptedRanges, 'es;q=', 'es;q=0.', 'es,', ';q=1'),
  reader('readLanguageTag', readLanguageTag, 'es-', '-a', '_a'),
  reader('languageFromTag', languageFromTag, 'es-', '-a'),
  reader('isCampaignCode', isCampaignCode),
  reader('readClaimAddress', readClaimAddress, 'a.', '+a', 'a@b.'),
  reader('claim address with a domain', text => readClaimAddress(`${text}@gmail.com`), '+', '.'),
  reader('isCrawler', isCrawler, 'bot', 'xbot'),
  reader('readKey', readKey, 'abcd ', '«', '- '),
  reader('isKeyShaped', isKeyShaped),
  reader('isTextHash', isTextHash),
  reader('readConsent', readConsent),
  reader('isLinkTarget', isLinkTarget, '@', '\\'),
  reader('mailto', text => isLinkTarget(`mailto:${text} `), '@', 'a@'),
  reader('isWebLink', text => isWebLink(`https://${text}`), 'a.', 'a-', 'xn--'),
  reader('isPictureAsset', isPictureAsset),
  reader('isMailAddress', isMailAddress, 'a.', '.a', 'a@a.'),
  reader('maskAddress', maskAddress),
  reader('nameInLetter', nameInLetter, 'a.', 'www.', '.a', '｡'),
  reader('readAnswers', text => readAnswers('poll-1', { [text]: text, reason: text })),
  reader('readTypedPoints', text => readTypedPoints([['ngo', text]], ['ngo'], 50)),
  reader('cleanLine', text => cleanLine(text, 80)),
  reader('cleanSenderName', cleanSenderName),
  reader('cleanMission', cleanMission),
  reader('fillText', text => fillText(`for {{name}}`, { name: text }, 'fr'), '{{', '{{a', 'le '),
  reader('a mission in a calendar', text =>
    calendarFile({
      uid: 'x',
      day: '2027-05-01',
      stamp: 0,
      summary: text,
      description: text,
      url: 'https://x',
    }),
  ),
  reader('isDay', isDay),
  reader('isMissionId', isMissionId, 'mission-', '-0000'),

  reader('isAmbiguousPath', isAmbiguousPath, '/.', '%2f', '%2e', '%2', './'),
  reader('routeOf', text => routeOf(`/${text}`, pages), 'a/', 'es/', '%41', '%zz'),
  reader('routeOf of a card', text => routeOf(CARD_PATHS + text, pages), 'a/', 'a-/'),
  reader('routeOf of an invitation', text => routeOf(`${VOLUNTEERING_CARD_PATHS}${text}/`, pages), 'a/'),
  reader('routeOf of a gift’s link', text => routeOf(`/g/${text}`, pages), 'a/', 'a-'),
  reader('isHandleShaped', isHandleShaped, '0', 'a'),
  reader('readGiftLink', readGiftLink, '#a', '%20', 'a '),
  reader('cookies of gifts', text => held.keep(traded, text), 'gift-0=donation.private.', '; gift-', '1.'),
  reader('routeOf of new links', text => routeOf(RENEWAL_PATHS + text, pages), 'a/', '-'),
  reader('parsePath', text => parsePath(`/${text}`), 'es/', '/es'),
  reader('withReadKey', text => withReadKey(`${RENEWAL_PATHS}x/${text}`), '%20', '%C2%AB', 'a/'),
  reader('withReadKey of a card', text => withReadKey(CARD_PATHS + text), '%20', '.'),
  reader('withReadKey of new links', text => withReadKey(RENEWAL_PATHS + text), '/', 'a/'),
  reader('cardAskedBy', text => cardAskedBy(`/api/ajuda/giftcard/${text}`), 'a/', 'a-'),
  reader('eventOf', text => eventOf(`/api/analytics/general/new-event/${text}`)),
  reader('routeClass', text => routeClass(`/${text}`), '.a', 'a.', 'studio/'),
  reader(
    'language cookie',
    text => visitorLanguage({ cookieHeader: text }),
    'lang=',
    '; lang',
    ';lang=',
    '; ',
  ),
  reader('language header', text => visitorLanguage({ acceptLanguage: text }), 'es;q=0.1,', ',es-'),
  reader('language query', text => visitorLanguage({ query: `?lang=${text}` }), '&lang=', 'es-'),
  reader('Accept-Encoding', text => preferredEncoding(text), 'br;q=', 'gzip,', ';q=0'),
  reader(
    'X-Forwarded-For',
    text => clientAddress(request({ 'x-forwarded-for': text })),
    '10.0.0.1,',
    '::ffff:',
    ',',
  ),
  reader('Host', text => ownHost(text), 'a.', ':1'),
  reader('Idempotency-Key', text => readAttemptKey(headersOf('idempotency-key', text))),
  reader('operator cookie', text => cookie.read(headersOf('cookie', text)), 'operator=', '; operator', ';'),
  reader('signed text', text => readSigned(sessionKey, text), 'a.', '.'),
  reader('newsletter token', text => tokens.idOf(text)),
  reader('ownPath', text => ownPath(text, 'https://gift.example'), '/..', '//', 'https:', '\\', '%2e/'),
  reader('isSignedNews', text => isSignedNews('', text, { secret: 'a', now: 0 }), 't=1 ', 't=1,v1=', '='),
  reader('readSessionId', readSessionId, 'cs_test_', `"'`, '", '),
  reader('session id with what follows', text => readSessionId(`cs_test_aaaaaaaa${text}`), `"'`, ', '),
  reader('isIdShaped', isIdShaped),
  reader('csvCell', csvCell, `'"`, '\u200b='),
  reader('pictures', text => pictures.matches(`/images/${text}`), '0-', '-1', '0123456789abcdef'),
  reader('photo-book', text => book.matches(VOLUNTEERING_CARD_PATHS + text), '/photo-book.pdf', 'a/'),

  bodyReader('startDonation', startDonation, ['giftcard_theme', 'nom_producte', 'sender_name', 'currency']),
  bodyReader('startVolunteering', startVolunteering, ['giftcard_mission', 'sender_name', 'nom_producte']),
  bodyReader('settleDonation', settleDonation, ['stripe_session_id']),
  bodyReader('sendConfirmation', sendConfirmation, ['giftcard_id', 'giftcard_private_key', 'email', 'lang']),
  bodyReader('claimFreeCard', claimFreeCard, ['fromEmail', 'campaign_id', 'sender_name', 'currency']),
  bodyReader('redeemCard', redeemCard, ['selected_ngos']),
  bodyReader('subscribe', subscribe, ['email', 'name', 'phone', 'lang']),
  bodyReader('confirmSubscription', confirmSubscription, ['token']),
  bodyReader('newEvent', newEvent, ['sessionId', 'currentUrl', 'metadata']),
  bodyReader('newSession', newSession, ['localStorageId', 'deviceAttrs']),
  reader('a body that is no JSON', text => parseJson(newEvent.request, text), '[', '{"a":', '"\\u00'),

  reader(
    'local: search',
    text => search([document] as unknown as Parameters<typeof search>[0], text),
    '"',
    '"a" ',
    '-"',
    'a*',
  ),
  reader('local: paths', text => lakeRoutes('GET', `/data/query/${text}`), 'a/', ':a'),
  reader('local: document ids', isDocumentId, 'a.', 'drafts.'),
  reader('local: picture sizes', text =>
    readTransform(new URLSearchParams({ w: text, bg: text, fm: text }), text),
  ),
  reader('local: inbox', text => inbox.matches(`/_local/mail/${text}`), '/text', '/raw', 'a/'),
  reader('local: payment form', text => parseForm([[text, 'x']]), '[', '[a]', '[]', 'a['),
  reader('local: payment page', text =>
    readEntry(
      new URLSearchParams({ card_number: text, expiry: `1${text}x`, cvc: text, email: text }),
      { customer_email: null, payment_method_types: ['card'] } as unknown as Parameters<typeof readEntry>[1],
      textsIn('es'),
      0,
    ),
  ),
  reader('local: card numbers', isCardNumber, '4 ', '4-'),
  reader('local: addresses', isEmail, 'a@a.', '.a'),
  reader('local: texts in pages', escapeHtml, '&'),
]

/** What every reader is tried with, again and again: each is the worst of some pattern. */
export const BAD_PARTS: readonly string[] = [
  '%40',
  '@',
  'a@',
  'a.',
  '.',
  '/',
  '//',
  ';',
  '; ',
  ',',
  ' ',
  '\n',
  '-',
  '"',
  "'",
  '=',
  '<',
  '%',
  '%2f',
  'a',
  'A1',
  '1',
  'é',
  // A letter and marks that are to be sorted: the more there are, the longer it takes.
  '\u0301\u0323',
  '\u200b',
  '\ud800',
  '😀',
]
