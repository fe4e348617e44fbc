import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_MARKET, type Markets, perMarket } from '#domain/market.ts'
import { money } from '#domain/money/money.ts'
import type { GiftPackage, Offer, Prices } from '#domain/pricing/offer.ts'
import type { QuoteRequest } from '#domain/pricing/quote.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'
import { endGrace } from '#server/modules/offers/grace.ts'
import { createOffers, type OffersRoom, versionedOffer } from '#server/modules/offers/offers.ts'
import { titleOfBought } from '#server/modules/offers/titles.ts'
import type { Database } from '#server/platform/db/database.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'

const MINUTE = 60_000

let test: TestDatabase
let clock: FakeClock
let published: Offer
let offers: OffersRoom
const failures: string[] = []
let markets: Markets
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  published = firstOffer()
  markets = perMarket(() => DEFAULT_MARKET)
  offers = open()
  failures.length = 0
})
afterEach(() => test.close())

/** As a server that shows this offer. */
function open(shown: () => Offer = () => published, db: Database = test.db): OffersRoom {
  const log = { info() {}, error: (event: string) => void failures.push(event) }
  return createOffers({ db, clock, log, content: () => ({ offer: shown(), markets }) })
}

/** What came is written down, as when it is published. */
async function publish(offer: Offer): Promise<void> {
  published = offer
  await offers.keep()
}

const inEuros = (prices: Prices, ngoAmount: number): Prices => ({
  ...prices,
  EUR: { ...prices.EUR, ngoAmount },
})

/** The food of the Spanish list at another price in euros. */
function withFoodAt(ngoAmount: number, changes: Partial<GiftPackage> = {}): Offer {
  const { gifts, invitation } = firstOffer()
  return {
    invitation,
    gifts: gifts.map(gift =>
      gift.id === 'their food'
        ? {
            ...gift,
            ...changes,
            prices: { ...gift.prices, 'tiktok-sp': inEuros(gift.prices['tiktok-sp'], ngoAmount) },
          }
        : gift,
    ),
  }
}

const without = (id: string): Offer => {
  const { gifts, invitation } = firstOffer()
  return { invitation, gifts: gifts.filter(gift => gift.id !== id) }
}

const aRequest = (changes: Partial<QuoteRequest> = {}): QuoteRequest => ({
  packageId: 'their homes',
  ngoAmount: 7_000,
  supportAmount: 0,
  currency: 'EUR',
  ...changes,
})
const buy = (changes: Partial<QuoteRequest> = {}, room = offers, db = test.db) =>
  db.transaction(trx => room.quoteGift(trx, aRequest(changes)))
const food = (ngoAmount: number) => ({ packageId: 'their food', ngoAmount })
const refused = { code: 'price-not-listed' }

describe('a price', () => {
  it('is quoted from what is published, and the version of that is kept', async () => {
    const { quote, offerVersion } = await buy()
    expect(quote.total).toEqual({ amount: 7_000, currency: 'EUR' })
    expect(offerVersion).toBe(versionedOffer(published).version)
  })

  it('that was published until 59 minutes ago is paid, and one until 61 minutes ago is refused', async () => {
    await publish(withFoodAt(2_200))
    clock.advance(600 * MINUTE)
    await publish(withFoodAt(2_300))
    clock.advance(59 * MINUTE)
    const { quote, offerVersion } = await buy(food(2_200))
    expect(quote.ngo.amount).toBe(2_200)
    expect(offerVersion).toBe(versionedOffer(withFoodAt(2_200)).version)
    clock.advance(2 * MINUTE)
    await expect(buy(food(2_200))).rejects.toMatchObject(refused)
    await buy(food(2_300))
  })

  it('is paid within the hour also after a restart', async () => {
    await publish(withFoodAt(2_200))
    await publish(withFoodAt(2_300))
    clock.advance(30 * MINUTE)
    await buy(
      food(2_200),
      open(() => published, await test.another()),
    )
  })

  it('is paid at each of three that were published within the hour', async () => {
    for (const amount of [2_200, 2_300, 2_400]) {
      await publish(withFoodAt(amount))
      clock.advance(10 * MINUTE)
    }
    for (const amount of [2_200, 2_300, 2_400])
      expect((await buy(food(amount))).quote.ngo.amount).toBe(amount)
    await expect(buy(food(2_500))).rejects.toMatchObject(refused)
    clock.advance(45 * MINUTE)
    // Replaced 75, 65 and no minutes ago.
    await expect(buy(food(2_200))).rejects.toMatchObject(refused)
    await buy(food(2_400))
  })

  it('of a package that is gone is paid for an hour, and no longer', async () => {
    await publish(firstOffer())
    await publish(without('their homes'))
    clock.advance(59 * MINUTE)
    await buy()
    clock.advance(2 * MINUTE)
    await expect(buy()).rejects.toMatchObject(refused)
  })

  it('that comes back is paid as long as it is there', async () => {
    await publish(withFoodAt(2_200))
    clock.advance(MINUTE)
    await publish(withFoodAt(2_300))
    clock.advance(90 * MINUTE)
    await publish(withFoodAt(2_200))
    clock.advance(90 * MINUTE)
    await buy(food(2_200))
    await expect(buy(food(2_300))).rejects.toMatchObject(refused)
  })

  it('of a newer publish is paid at a server that has not heard of it', async () => {
    const late = open(() => withFoodAt(2_200))
    await publish(withFoodAt(2_200))
    clock.advance(MINUTE)
    await publish(withFoodAt(2_300))
    await buy(food(2_300), late)
  })

  it('of the invitation goes the same way', async () => {
    const { gifts, invitation } = firstOffer()
    await publish(firstOffer())
    await publish({ gifts, invitation: { ...invitation, prices: inEuros(invitation.prices, 12_000) } })
    const ask = (ngoAmount: number) =>
      test.db.transaction(trx =>
        offers.quoteInvitation(trx, aRequest({ packageId: 'inauguration package', ngoAmount })),
      )
    clock.advance(59 * MINUTE)
    await ask(10_000)
    await ask(12_000)
    clock.advance(2 * MINUTE)
    await expect(ask(10_000)).rejects.toMatchObject(refused)
  })
})

describe('the hour', () => {
  it('ends at once when the operator ends it, for what was replaced until then', async () => {
    await publish(withFoodAt(2_200))
    clock.advance(MINUTE)
    await publish(withFoodAt(2_300))
    await buy(food(2_200))
    await test.db.transaction(trx => endGrace(trx, clock()))
    await expect(buy(food(2_200))).rejects.toMatchObject(refused)
    await buy(food(2_300))
    clock.advance(MINUTE)
    await publish(withFoodAt(2_400))
    await buy(food(2_300))
    await expect(buy(food(2_200))).rejects.toMatchObject(refused)
  })

  it('is over at a server too that has not heard of the newer offer, and does not bring the earlier one back', async () => {
    const late = open(() => withFoodAt(2_200))
    await publish(withFoodAt(2_200))
    clock.advance(MINUTE)
    await publish(withFoodAt(2_300))
    await buy(food(2_200), late)
    await test.db.transaction(trx => endGrace(trx, clock()))
    await expect(buy(food(2_200), late)).rejects.toMatchObject(refused)
    await buy(food(2_300), late)
    await expect(buy(food(2_200))).rejects.toMatchObject(refused)
    const releases = await test.db.read(db => db.selectFrom('legal_releases').select('version').execute())
    expect(releases).toHaveLength(2)
  })

  it('does not keep an offer that came back from being sold where it could not be written down', async () => {
    await publish(withFoodAt(2_200))
    clock.advance(MINUTE)
    await publish(withFoodAt(2_300))
    clock.advance(90 * MINUTE)
    let isBroken = true
    const broken = {
      ...test.db,
      transaction: () => Promise.reject(new Error('the database is away')),
    } as unknown as Database
    const db = new Proxy(test.db, { get: (_, name: keyof Database) => (isBroken ? broken : test.db)[name] })
    published = withFoodAt(2_200)
    const room = open(undefined, db)
    await room.keep()
    isBroken = false
    await buy(food(2_200), room)
    expect(failures).toEqual(['offer-not-kept'])
  })

  it('ends also where the clock of the operator’s machine is behind', async () => {
    await publish(withFoodAt(2_200))
    await publish(withFoodAt(2_300))
    await test.db.transaction(trx => endGrace(trx, clock() - 10 * MINUTE))
    await expect(buy(food(2_200))).rejects.toMatchObject(refused)
  })
})

describe('whoever tampers with a purchase', () => {
  it.each([
    ['an amount that nobody published', { ngoAmount: 6_999 }],
    ['the price of another package', { ngoAmount: 12_000 }],
    ['an id that nobody published', { packageId: 'their yachts' }],
    ['the invitation as a card', { packageId: 'inauguration package', ngoAmount: 10_000 }],
    ['a support between two steps', { supportAmount: 750 }],
    ['a support below nothing', { supportAmount: -700 }],
    ['cents', { ngoAmount: 7_000.5 }],
    ['nothing', { ngoAmount: 0 }],
  ])('with %s is refused', async (_, changes) => {
    await publish(firstOffer())
    await publish(withFoodAt(2_200))
    await expect(buy(changes)).rejects.toMatchObject(refused)
  })

  it('pays no price of one currency in another', async () => {
    await publish(withFoodAt(2_300))
    await buy({ ...food(2_300), currency: 'EUR' })
    await expect(buy({ ...food(2_300), currency: 'USD' })).rejects.toMatchObject(refused)
  })

  it('pays no price of one publish for a package of another', async () => {
    await publish(withFoodAt(2_200))
    await publish(withFoodAt(2_300))
    await expect(buy({ packageId: 'their homes', ngoAmount: 2_200 })).rejects.toMatchObject(refused)
    await expect(buy({ packageId: 'their homes', ngoAmount: 2_300 })).rejects.toMatchObject(refused)
  })
})

describe('what was published', () => {
  it('is written down once, however many servers start with it', async () => {
    await Promise.all([offers.keep(), open().keep(), open().keep()])
    const kept = await test.db.read(db =>
      db.selectFrom('legal_releases').select('version').where('page', '=', 'offer').execute(),
    )
    expect(kept).toEqual([{ version: versionedOffer(published).version }])
    expect(failures).toEqual([])
  })

  it('takes the tax off as its market has it, and says which VAT is within, for new orders alone', async () => {
    const before = await buy(food(2_000))
    expect(before.quote).toMatchObject({ vatRate: 21 })
    markets = { ...markets, EUR: { ...markets.EUR, taxShare: 10, vatRate: 5.5 } }
    const { quote } = await buy({ ...food(2_000), supportAmount: 1_000 })
    expect(quote).toMatchObject({
      net: money(900, 'EUR'),
      tax: money(100, 'EUR'),
      // 5.5 parts of 105.5.
      vat: money(52, 'EUR'),
      vatRate: 5.5,
    })
    const inDollars = await buy({ ...food(2_000), supportAmount: 1_000, currency: 'USD' })
    expect(inDollars.quote).toMatchObject({ tax: money(210, 'USD'), vatRate: 21 })
  })

  it('keeps the name of a package for whoever bought it', async () => {
    const title = inLanguages({ es: 'Su pan', en: 'Their bread', fr: 'Leur pain' })
    await publish(withFoodAt(2_200, { title }))
    const { offerVersion } = await buy(food(2_200))
    await publish(without('their food'))
    const bought = { package_id: 'their food', offer_version: offerVersion }
    expect(await test.db.read(db => titleOfBought(db, bought))).toEqual(title)
  })

  it('is that of the first offer for orders from before', async () => {
    const before = { package_id: 'their food', offer_version: 'before-offers' }
    expect((await test.db.read(db => titleOfBought(db, before))).en).toBe('Their food')
    const unknown = { ...before, package_id: 'their yachts' }
    expect((await test.db.read(db => titleOfBought(db, unknown))).en).toBe('their yachts')
  })

  it('cannot be changed or taken out of the database', async () => {
    await publish(firstOffer())
    for (const change of ["update legal_texts set content = ''", 'delete from legal_releases'])
      await expect(test.db.transaction(trx => sql.raw(change).execute(trx))).rejects.toThrow('append-only')
  })
})

describe('publishes while many pay', () => {
  it('let each of them pay what was shown, from the offer in which it stood', async () => {
    await publish(withFoodAt(1_900))
    const second = await test.another()
    const late = open(() => withFoodAt(1_900), second)
    let isOver = false
    const publishing = async () => {
      for (const amount of [2_100, 2_200, 2_300, 2_400, 2_500]) await publish(withFoodAt(amount))
      isOver = true
    }
    const bought: Awaited<ReturnType<typeof buy>>[] = []
    const paying = async (room: OffersRoom, db: Database) => {
      while (!isOver) {
        const shown = published.gifts.find(({ id }) => id === 'their food')!
        const { ngoAmount } = shown.prices['tiktok-sp'].EUR
        bought.push(await buy(food(ngoAmount), room, db), await buy(food(1_900), room, db))
      }
    }
    await Promise.all([publishing(), paying(offers, test.db), paying(open(undefined, second), second)])
    await buy(food(2_500), late, second)
    for (const { quote, offerVersion } of bought) {
      const kept = await test.db.read(db =>
        db
          .selectFrom('legal_texts')
          .select('content')
          .where('version', '=', offerVersion)
          .executeTakeFirstOrThrow(),
      )
      const sold = (JSON.parse(kept.content) as Offer).gifts.find(({ id }) => id === quote.packageId)
      expect(sold?.prices['tiktok-sp'].EUR.ngoAmount).toBe(quote.ngo.amount)
    }
    expect(bought.length).toBeGreaterThan(3)
    expect(failures).toEqual([])
  })
})

describe('an amount of the buyer’s own', () => {
  const own = (ngoAmount: number, change: Partial<QuoteRequest> = {}) =>
    test.db.transaction(trx =>
      offers.quoteGift(trx, {
        packageId: 'own',
        ngoAmount,
        supportAmount: 0,
        currency: 'EUR',
        ...change,
      }),
    )
  const refused = { code: 'price-not-listed' }

  it('is sold in whole units, from the lowest package to the limit of its market', async () => {
    for (const amount of [200, 3_700, 50_000])
      expect((await own(amount)).quote.total).toEqual(money(amount, 'EUR'))
    for (const amount of [100, 3_750, 50_100]) await expect(own(amount)).rejects.toMatchObject(refused)
    markets = { ...markets, EUR: { ...markets.EUR, mostOwn: 40 }, GBP: { ...markets.GBP, mostOwn: 0 } }
    await expect(own(4_100)).rejects.toMatchObject(refused)
    await expect(own(3_700, { currency: 'GBP' })).rejects.toMatchObject(refused)
    expect((await own(4_100, { currency: 'USD' })).quote.ngo).toEqual(money(4_100, 'USD'))
  })

  it('takes the support that the slider gives, and no other', async () => {
    expect((await own(3_700, { supportAmount: 3_700 })).quote.total).toEqual(money(7_400, 'EUR'))
    await expect(own(3_700, { supportAmount: 3_600 })).rejects.toMatchObject(refused)
    await expect(own(3_700, { packageId: 'their food' })).rejects.toMatchObject(refused)
  })

  it('has a name of its own on the receipt', async () => {
    const { quote, offerVersion } = await own(3_700)
    const bought = { package_id: quote.packageId, offer_version: offerVersion }
    expect(await test.db.read(db => titleOfBought(db, bought))).toEqual({
      es: 'Otro importe',
      en: 'Another amount',
      fr: 'Un autre montant',
    })
  })
})
