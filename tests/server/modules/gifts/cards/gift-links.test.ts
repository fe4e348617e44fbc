import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HELD_MS, isHandleShaped, MOST_HELD } from '#domain/card/gift-links.ts'
import type { KeyKind } from '#domain/card/keys.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createGiftLinks, createHeldGifts } from '#server/modules/gifts/cards/gift-links.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { openCardKeys } from '#server/modules/gifts/cards/secrets.ts'
import type { TradedKey } from '#server/modules/gifts/interface.ts'
import {
  CREATED_AT,
  inviteFor,
  type SoldCard,
  sellCard,
  sellCards,
  TEST_CARD_SECRET,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let sold: SoldCard
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock('2026-03-10T09:00:00Z')
  sold = await test.db.transaction(trx => sellCard(trx, { email: 'buyer@example.org' }))
})
afterEach(() => test.close())

const links = () => createGiftLinks({ db: test.db, keys: testKeys })
const browser = (keys = testKeys, secure = false) => createHeldGifts({ keys, clock, secure })
/** What a browser sends of the cookies that it was given. */
const sent = (lines: readonly string[]): string => lines.map(line => line.split(';', 1)[0]).join('; ')
const tradeAndKeep = async (link: string) => {
  const traded = await links().trade(link)
  return { traded, cookies: sent(browser().keep(traded, undefined)) }
}

describe('the trade of a link', () => {
  it('gives a handle for either key of a card and for the key of an invitation', async () => {
    const { key: invitation } = await test.db.transaction(trx => inviteFor(trx))
    const traded = await Promise.all(
      [sold.privateKey, sold.publicKey, invitation].map(key =>
        links().trade(`https://gifts.example/g#${key}`),
      ),
    )
    expect(traded.map(({ kind, keyKind, key }) => [kind, keyKind, key])).toEqual([
      ['donation', 'private', sold.privateKey],
      ['donation', 'public', sold.publicKey],
      ['volunteering', 'private', invitation],
    ])
    const handles = traded.map(({ handle }) => handle)
    expect(new Set(handles).size).toBe(3)
    for (const handle of handles) {
      expect(isHandleShaped(handle)).toBe(true)
      for (const { key } of traded) expect(handle.slice(-8)).not.toBe(key.slice(-8))
    }
    // Opened again, the gift has the address that it had.
    expect((await links().trade(sold.privateKey)).handle).toBe(handles[0])
  })

  it.each(['', 'no link', 'a'.repeat(32), `https://gifts.example/g#${'a'.repeat(32)}`])(
    'refuses %j, as every wrong key',
    async link => {
      await expect(links().trade(link)).rejects.toMatchObject({ code: 'card-not-found' })
    },
  )

  it('refuses a frozen card, and a handle', async () => {
    const { traded } = await tradeAndKeep(sold.privateKey)
    await expect(links().trade(traded.handle)).rejects.toMatchObject({ code: 'card-not-found' })
    await test.plant("update cards set status = 'frozen'")
    await expect(links().trade(sold.privateKey)).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('writes nothing', async () => {
    const before = await test.dump()
    await tradeAndKeep(sold.privateKey)
    expect(await test.dump()).toBe(before)
  })
})

describe('a browser', () => {
  it('holds the key for thirty days, by a cookie that no script reads and no other site sends', async () => {
    const traded = await links().trade(sold.privateKey)
    const [line = ''] = browser(testKeys, true).keep(traded, undefined)
    expect(line).toMatch(/^__Host-gift-0/)
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/', 'Max-Age=2592000'])
      expect(line).toContain(attribute)
    expect(browser().keep(traded, undefined)[0]).not.toContain('Secure')
    expect(browser(testKeys, true).keyOf(traded.handle, sent([line]))).toBe(sold.privateKey)

    const cookies = sent(browser().keep(traded, undefined))
    for (const secret of [sold.privateKey, sold.publicKey]) expect(cookies).not.toContain(secret)
    clock.advance(HELD_MS - 1)
    expect(browser().keyOf(traded.handle, cookies)).toBe(sold.privateKey)
    clock.advance(1)
    expect(browser().keyOf(traded.handle, cookies)).toBeUndefined()
  })

  it('is not given a key by a handle alone, or by a cookie that somebody wrote', async () => {
    const { traded, cookies } = await tradeAndKeep(sold.publicKey)
    const { handle } = traded
    const { keyOf } = browser()
    expect(keyOf(handle, cookies)).toBe(sold.publicKey)
    for (const none of [undefined, '', 'lang=es', `gift-${handle}=`, `gift-${handle}=x`])
      expect(keyOf(handle, none)).toBeUndefined()
    // The other key, another version, another card, a later day.
    const other = await test.db.transaction(trx => sellCard(trx))
    const forged = [
      cookies.replace('.public.', '.private.'),
      cookies.replace(`.${traded.version}.`, `.${traded.version + 1}.`),
      cookies.replace(sold.cardId, other.cardId),
      cookies.replace(String(clock()), String(clock() + 1)),
      cookies.replace('donation.', 'volunteering.'),
      cookies.slice(0, -1),
    ]
    for (const each of forged) {
      expect(each).not.toBe(cookies)
      expect(keyOf(handle, each), each).toBeUndefined()
    }
    // The cookie of one handle under the name of another.
    const theirs = (await links().trade(other.privateKey)).handle
    expect(keyOf(theirs, cookies.replace(handle, theirs))).toBeUndefined()
    // Another server's.
    const stranger = browser(createCardKeys('another secret, also long enough to keep'))
    expect(stranger.keyOf(handle, cookies)).toBeUndefined()
    expect(keyOf(handle, sent(stranger.keep(traded, undefined)))).toBeUndefined()
  })

  it('holds a key that opens nothing any more once the links were replaced', async () => {
    const { traded, cookies } = await tradeAndKeep(sold.privateKey)
    const lost = createLostLinks({ db: test.db, keys: testKeys, clock })
    const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
    expect(await cards.open(browser().keyOf(traded.handle, cookies)!, 'full')).toMatchObject({
      authority: 'full',
    })
    await lost.renew(sold.cardId, testKeys.renewalKey(sold.cardId, 1))
    const held = browser().keyOf(traded.handle, cookies)!
    await expect(cards.open(held, 'full')).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(cards.redeem(held, [{ ngoId: 'msf', points: 50 }])).rejects.toMatchObject({
      code: 'card-not-found',
    })
    const next = await links().trade(testKeys.privateKey(sold.cardId, 2))
    expect(next.handle).not.toBe(traded.handle)
  })

  it('keeps its cards when the secret changes, and an earlier secret proves nothing of later keys', async () => {
    const { traded, cookies } = await tradeAndKeep(sold.privateKey)
    await openCardKeys(test.db, { current: TEST_CARD_SECRET, earlier: [] }, CREATED_AT)
    const keys = await openCardKeys(
      test.db,
      { current: 'the secret that came after it, as long', earlier: [TEST_CARD_SECRET] },
      CREATED_AT,
    )
    expect(browser(keys).keyOf(traded.handle, cookies)).toBe(sold.privateKey)
    // Whoever has the old secret writes what a version of the new one would say.
    const version = keys.nextVersion(1)
    const said = `donation.private.${sold.cardId}.${version}.${clock()}`
    const forged = testKeys.handleProof(`${traded.handle}.${said}`, 1)
    expect(browser(keys).keyOf(traded.handle, `gift-${traded.handle}=${said}.${forged}`)).toBeUndefined()
  })

  it('holds several gifts apart, and with one too many gives up the oldest', async () => {
    const cards = await sellCards(test.db, MOST_HELD + 1)
    let jar = 'lang=es; gift-0notours=x'
    const traded: (TradedKey & { readonly keyKind: KeyKind })[] = []
    for (const { privateKey } of cards) {
      clock.advance(1_000)
      const next = await links().trade(privateKey)
      const [kept = '', ...gone] = browser().keep(next, jar)
      traded.push(next)
      jar = [jar, sent([kept])].join('; ')
      for (const line of gone) {
        expect(line).toContain('Max-Age=0')
        const name = line.split('=', 1)[0]!
        jar = jar
          .split('; ')
          .filter(pair => !pair.startsWith(`${name}=`))
          .join('; ')
      }
    }
    const held = traded.map(({ handle }) => browser().keyOf(handle, jar))
    expect(held).toEqual([undefined, ...cards.slice(1).map(({ privateKey }) => privateKey)])
    // Opened once more, a gift has one cookie.
    const again = browser().keep(traded.at(-1)!, jar)
    expect(again).toHaveLength(1)
    expect(jar).toContain('lang=es')
    expect(jar).not.toContain('notours')
  })

  it('tells by a cookie of the page before whether it takes cookies', () => {
    const { probe, takesCookies } = browser(testKeys, true)
    expect(takesCookies(undefined)).toBe(false)
    expect(takesCookies('lang=es')).toBe(false)
    expect(takesCookies(sent([probe]))).toBe(true)
    expect(probe).toContain('HttpOnly')
    expect(probe).not.toContain('Max-Age')
  })
})
