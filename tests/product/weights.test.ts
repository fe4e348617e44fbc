import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { FIRST_KEY_VERSION } from '#domain/card/shown-links.ts'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import { LEGAL_PAGES } from '#domain/legal/legal-texts.ts'
import { RECEIVER_SCREENS } from '#domain/receiver/introductions.ts'
import { VOLUNTEERING_SCREENS } from '#domain/receiver/volunteering-introductions.ts'
import { MOST_MESSAGE } from '#domain/sender/message.ts'
import { THEMES } from '#domain/themes.ts'
import {
  cardPath,
  certificatePath,
  GIFT_LINK_PATH,
  giftLettersPath,
  IS_THIS_REAL_PATH,
  LOST_LINK_PATH,
  localizedPath,
  MANY_CARDS_PATH,
  manyPath,
  OWN_MONEY_THANKS_PATH,
  PUBLISHED_PAGES,
  receivedPath,
  renewalPath,
  STUDIO_LOGIN_PATH,
  sendingPath,
  unwantedPath,
  volunteeringCardPath,
  WITHDRAW_PATH,
  withdrawalPath,
} from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import { sellMany } from '#tests/builders/many.ts'
import {
  buyThroughApi,
  inviteThroughApi,
  invoiceThroughApi,
  redeemThroughApi,
} from '#tests/support/e2e/api.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { pageFiles } from '#tests/support/product/every-route.ts'
import { CARD_KEY_SECRET, TOKEN } from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

/** What a screen may weigh until it is loaded, in kB with headers, by what stands on it (docs/figures.md). */
const MOST_KILOBYTES = { text: 10, form: 12, island: 80 } as const
/** Of these, an island's code and React. */
const MOST_SCRIPT_KILOBYTES = 68

/** A page as a visitor asks for it. */
interface Asked {
  readonly path: string
  /** What a form without scripts sends. */
  readonly form?: Readonly<Record<string, string>>
  /** The file under src/pages that answers; the published pages have a table of their own. */
  readonly file?: string
}

const CARD = 'gift-card/[giftCardId]/[...screen].astro'
const INVITATION = 'gift-card-volunteering/[giftCardId]/[...screen].astro'
const LINK = 'g/[...words].astro'
const MANY = 'many/[orderId]/[key].astro'
const UNKNOWN_KEY = 'a'.repeat(32)

let environment: TestEnvironment
let product: Product

beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  product = await startProduct({ env: { ...environment.env, CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN } })
})
afterAll(async () => {
  await product?.kill()
  await environment?.close()
})

/** As long as a name commonly is at the most, and words as many as may stand there. */
const SENDER = 'Maximiliane von Hohenstauffen-Lichtenberg'
const WORDS = Array.from(
  { length: MOST_MESSAGE },
  (_, at) => 'abcdefghijklm nopqrstuvwxyz'[(at * at + (at >> 3)) % 27],
)
  .join('')
  .trim()

const send = ({ path, form }: Asked, language: Language, method = 'GET'): Promise<Answer> =>
  call(product.url + path, {
    method: form ? 'POST' : method,
    headers: {
      'Accept-Language': language,
      ...(method === 'HEAD' && { 'Accept-Encoding': 'br' }),
      ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
  })

/** The bytes of an answer as a browser gets it, with its headers. */
async function weightOf(asked: Asked, language: Language): Promise<number> {
  const { headers } = await send(asked, language, 'HEAD')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Number(headers['content-length']) + lines.join('').length
}

/** What a page weighs with the files that its island asks for at once, where it is more than it may. */
async function excessOf(asked: Asked, language: Language): Promise<string[]> {
  const { status, text: page } = await send(asked, language)
  if (!page.includes('<main')) return [`${asked.path}: ${status} is no page`]
  const island = [...page.matchAll(/(?:component|renderer)-url="([^"]+)"/g)].map(([, file = '']) => file)
  const scripts = await Promise.all(island.map(path => weightOf({ path }, language)))
  const script = scripts.reduce((sum, bytes) => sum + bytes, 0) / 1_000
  const kilobytes = (await weightOf(asked, language)) / 1_000 + script
  const kind = page.includes('<astro-island') ? 'island' : /<(form|input)\b/.test(page) ? 'form' : 'text'
  const most = MOST_KILOBYTES[kind]
  return [
    ...(kilobytes > most ? [`${language} ${asked.path}: ${kilobytes} kB, at most ${most}`] : []),
    ...(script > MOST_SCRIPT_KILOBYTES ? [`${language} ${asked.path}: ${script} kB of script`] : []),
  ]
}

async function excesses(asked: readonly Asked[], language: Language): Promise<string[]> {
  return (await Promise.all(asked.map(each => excessOf(each, language)))).flat()
}

/** The card that was made last, and its order. */
const newest = (): Promise<{ id: string; order_id: string | null }> =>
  environment.database.db.read(db =>
    db.selectFrom('cards').select(['id', 'order_id']).orderBy('created_at', 'desc').executeTakeFirstOrThrow(),
  )

/** Every page that is no published one, with as much on it as a giver may write. */
async function ownPages(language: Language): Promise<Asked[]> {
  const site = { ...product, dataDir: environment.dataDir, logFile: '' }
  const order = { language, sender: SENDER, message: WORDS }
  const used = await buyThroughApi(site, order)
  await redeemThroughApi(site, used.privateKey, { 'ngo-msf': 20, 'ngo-cerf': 20, 'ngo-irc': 10 })
  const invitation = await inviteThroughApi(site, order)
  const card = await buyThroughApi(site, order)
  const { id, order_id } = await newest()
  const keys = createCardKeys(CARD_KEY_SECRET)
  const many = await environment.database.db.transaction(trx =>
    sellMany(trx, 20, { keys, rows: Array.from({ length: 20 }, () => ({ name: SENDER, words: WORDS })) }),
  )
  const withdrawal = keys.withdrawalKey(order_id!, FIRST_KEY_VERSION)
  const statement = { name: 'Aina', email: 'aina@example.org', order: '' }
  return [
    ...RECEIVER_SCREENS.filter(
      screen => !['doesnt-exist', 'introduction', 'consumed'].includes(screen),
    ).flatMap(screen => [
      ...(screen === 'thanks' ? [] : [{ file: CARD, path: cardPath(card.privateKey, screen) }]),
      ...(screen === 'message' ? [] : [{ file: CARD, path: cardPath(card.publicKey, screen, 'preview') }]),
      ...(['message', 'own-money'].includes(screen)
        ? []
        : [{ file: CARD, path: cardPath(TRY_CARD_ID, screen) }]),
    ]),
    { file: CARD, path: cardPath(used.privateKey, 'consumed') },
    { file: CARD, path: cardPath(UNKNOWN_KEY, 'doesnt-exist') },
    {
      file: CARD,
      path: cardPath(card.privateKey, 'select-ngo'),
      form: { 'points-ngo-msf': '20', 'points-ngo-cerf': '30', step: 'review' },
    },
    ...[...VOLUNTEERING_SCREENS, 'message'].map(screen => ({
      file: INVITATION,
      path: volunteeringCardPath(invitation.key, screen),
    })),
    { file: INVITATION, path: volunteeringCardPath(UNKNOWN_KEY, 'doesnt-exist') },
    ...Object.keys(THEMES).map(theme => ({ file: LINK, path: `${GIFT_LINK_PATH}/${theme}/${language}` })),
    { file: LINK, path: GIFT_LINK_PATH },
    { file: LINK, path: `${GIFT_LINK_PATH}/ukraine/${language}/invitation` },
    { file: LINK, path: GIFT_LINK_PATH, form: { link: UNKNOWN_KEY } },
    { file: 'lost-link.astro', path: LOST_LINK_PATH, form: { email: 'nobody' } },
    { file: 'lost-link.astro', path: LOST_LINK_PATH, form: { email: 'nobody@example.org' } },
    { file: 'is-this-real.astro', path: IS_THIS_REAL_PATH, form: { word: checkWordOf(card.privateKey) } },
    { file: 'is-this-real.astro', path: IS_THIS_REAL_PATH, form: { word: 'nothing' } },
    { file: 'many-cards.astro', path: MANY_CARDS_PATH, form: {} },
    { file: 'own-money-thanks.astro', path: OWN_MONEY_THANKS_PATH },
    { file: 'own-money-thanks.astro', path: OWN_MONEY_THANKS_PATH, form: { session: 'nothing' } },
    { file: 'withdraw.astro', path: WITHDRAW_PATH, form: {} },
    { file: 'withdraw.astro', path: WITHDRAW_PATH, form: statement },
    { file: 'withdraw/[orderId]/[key].astro', path: withdrawalPath(order_id!, withdrawal) },
    { file: 'certificate/[orderId]/[key].astro', path: certificatePath(order_id!, withdrawal) },
    {
      file: 'invoice/[orderId]/[key].astro',
      path: await invoiceThroughApi(product, 'Aina\nBiel', { language }),
    },
    { file: MANY, path: manyPath(many.orderId, many.manyKey) },
    { file: MANY, path: manyPath(many.orderId, many.manyKey), form: { act: 'show', press: 'a'.repeat(40) } },
    { file: 'gift-letters/[cardId]/[key].astro', path: giftLettersPath(id, keys.lettersKey(id)) },
    {
      file: 'send-for-me/[cardId]/[key].astro',
      path: sendingPath(id, keys.sendingKey(id, FIRST_KEY_VERSION)),
    },
    {
      file: 'send-for-me/[cardId]/[key].astro',
      path: sendingPath(id, keys.sendingKey(id, FIRST_KEY_VERSION)),
      form: { address: 'nobody', day: 'never', zone: 'nowhere' },
    },
    {
      file: 'not-for-me/[mailbox]/[key].astro',
      path: unwantedPath('0'.repeat(64), keys.unwantedKey(`hmac:${'0'.repeat(64)}`)),
    },
    {
      file: 'new-links/[cardId]/[key].astro',
      path: renewalPath(id, keys.renewalKey(id, FIRST_KEY_VERSION)),
    },
    // No payout was made: the page says so.
    { file: 'received/[adviceId]/[key].astro', path: receivedPath(order_id!, withdrawal) },
    { file: 'studio-login.astro', path: STUDIO_LOGIN_PATH },
  ]
}

/** The texts of the law as they are kept for ever, each under its version. */
async function versionsOf(language: Language): Promise<Asked[]> {
  const pages = await Promise.all(
    LEGAL_PAGES.map(page => call(product.url + localizedPath(language, `/${page}`))),
  )
  return pages.map(({ text }) => ({ path: /href="([^"]+)" data-action="version"/.exec(text)?.[1] ?? '' }))
}

describe.each(LANGUAGES)('in %s', language => {
  it('each published page weighs no more than its kind may', async () => {
    const versions = await versionsOf(language)
    expect(versions.map(({ path }) => path).filter(Boolean)).toHaveLength(LEGAL_PAGES.length)
    const pages = PUBLISHED_PAGES.map(({ path }) => ({ path: localizedPath(language, path) }))
    expect(await excesses([...pages, ...versions], language)).toEqual([])
  })

  it('so does each page of a card, of an invitation and of an order', async () => {
    const pages = await ownPages(language)
    // Those of the operator's editor, and what the server renders for itself.
    const others = /^(api|internal)\//
    expect([...new Set(pages.map(({ file }) => file))].sort()).toEqual(
      pageFiles().filter(file => file.endsWith('.astro') && !others.test(file)),
    )
    expect(await excesses(pages, language)).toEqual([])
  })
})

describe.each(Object.keys(THEMES))('a card in %s', theme => {
  it('weighs no more, from its envelope to its list', async () => {
    const site = { ...product, dataDir: environment.dataDir, logFile: '' }
    const card = await buyThroughApi(site, { theme, language: 'fr', sender: SENDER })
    const invitation = await inviteThroughApi(site, {
      theme,
      language: 'fr',
      sender: SENDER,
    })
    const pages = [
      ...['introduction-1', 'introduction-4', 'select-ngo'].map(screen => cardPath(card.privateKey, screen)),
      ...['introduction', 'introduction-8', 'introduction-10'].map(screen =>
        volunteeringCardPath(invitation.key, screen),
      ),
    ].map(path => ({ path }))
    expect(await excesses(pages, 'fr')).toEqual([])
  })
})
