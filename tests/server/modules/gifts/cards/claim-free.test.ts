import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { LINKS_SHOWN_MS } from '#domain/card/shown-links.ts'
import { isProblem } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import type { FreeCampaign } from '#server/modules/content/snapshot.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { type ClaimTools, createClaim } from '#server/modules/gifts/cards/claim-free.ts'
import { createOffersOnShow } from '#server/modules/gifts/cards/free-offers.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { CLAIMANTS_TIME_MS, retrieveFree } from '#server/modules/gifts/cards/retrieve-free.ts'
import type { ClaimFree } from '#server/modules/gifts/interface.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Database } from '#server/platform/db/database.ts'
import { anyTheme, sellCards, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { mailsOf, oneEach } from '#tests/support/told-once.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let said: string[]
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  said = []
})
afterEach(() => test.close())

const CAMPAIGNS: readonly FreeCampaign[] = [
  { tag: 'gift-seed', language: 'en', source: 'instagram', active: true, stock: 3 },
  { tag: 'regalo-semilla', language: 'es', source: 'tiktok', active: true, stock: 100 },
  { tag: 'cadeau-graine', language: 'fr', source: 'tiktok', active: false, stock: 100 },
]

const toolsOver = (db: Database = test.db, campaigns = CAMPAIGNS): ClaimTools => ({
  db,
  keys: testKeys,
  clock,
  log: { info() {}, error: event => void said.push(event) },
  campaigns: () => campaigns,
  themes: anyTheme,
})

/** One server's door. */
const doorOf = (db?: Database, campaigns?: readonly FreeCampaign[]) => createClaim(toolsOver(db, campaigns))
const claimFree = (tools: ClaimTools, claim: ClaimFree) => createClaim(tools)(claim)

function claimOf(typed: string, changes: Partial<ClaimFree> = {}): ClaimFree {
  const address = readClaimAddress(typed)
  if (typeof address === 'string') throw new Error(`${typed} is refused: ${address}`)
  return {
    campaignCode: 'regalo-semilla',
    address,
    currency: 'EUR',
    themeId: 'palestine',
    sender: { kind: 'anonymous' },
    language: 'es',
    ...changes,
  }
}

const answerOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'given',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

const tally = (answers: readonly string[]) => {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
  return counts
}

const rows = () =>
  test.db.read(async db => ({
    cards: (await db.selectFrom('cards').select('id').execute()).length,
    claims: (await db.selectFrom('free_claims').select('card_id').execute()).length,
    counted: (await db.selectFrom('free_campaigns').select('claimed').execute()).map(row => row.claimed),
    mails: (await db.selectFrom('jobs').select('id').where('kind', '=', 'confirmation').execute()).length,
  }))

describe('what pages offer', () => {
  it('follows what was claimed, here or on another server, and says when it changes', async () => {
    let campaigns = CAMPAIGNS
    const offers = createOffersOnShow({ db: test.db, log: toolsOver().log, campaigns: () => campaigns })
    expect(await offers.refresh()).toBe(false)
    expect(offers.current()).toEqual({ 'gift-seed': 'offered', 'regalo-semilla': 'offered' })
    let soldOut = 0
    const tools = { ...toolsOver(), onSoldOut: () => soldOut++ }
    const claims = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, n) =>
          answerOf(claimFree(tools, claimOf(`a${from + n}@example.org`, { campaignCode: 'gift-seed' }))),
        ),
      )
    await claims(0, 2)
    expect([await offers.refresh(), soldOut]).toEqual([false, 0])
    await claims(2, 5)
    expect([await offers.refresh(), soldOut]).toEqual([true, 1])
    expect(offers.current()['gift-seed']).toBe('sold-out')
    // More cards, or fewer campaigns: the content's own change.
    campaigns = CAMPAIGNS.map(each => ({ ...each, stock: each.stock * 2 }))
    expect(offers.current()['gift-seed']).toBe('offered')
  })

  it('stays as it was while the database does not answer', async () => {
    const away = { ...test.db, read: () => Promise.reject(new Error('away')) } as Database
    const offers = createOffersOnShow({ db: away, log: toolsOver().log, campaigns: () => CAMPAIGNS })
    expect(await offers.refresh()).toBe(false)
    expect(said).toEqual(['offers-not-read'])
    expect(offers.current()['gift-seed']).toBe('offered')
  })
})

describe('a claim', () => {
  it('gives a card of 5 that the campaign pays for, with its mail', async () => {
    const claim = claimOf('Ana@Example.org', {
      currency: 'CAD',
      themeId: 'ukraine',
      sender: { kind: 'own', name: 'Ana' },
    })
    const { key } = await claimFree(toolsOver(), claim)
    const view = await createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => [] }).open(
      key,
      'full',
    )
    expect(view).toMatchObject({
      free: true,
      credit: { amount: 500, currency: 'CAD' },
      theme: THEMES.ukraine,
      senderName: 'Ana',
    })
    expect(await rows()).toEqual({ cards: 1, claims: 1, counted: [1], mails: 1 })
    expect(await checkLedger(test.db)).toEqual([])
    const campaign = await test.db.read(db =>
      db
        .selectFrom('ledger_entries')
        .select(['amount', 'currency'])
        .where('account', '=', 'campaign')
        .execute(),
    )
    expect(campaign).toEqual([{ amount: -500, currency: 'CAD' }])
  })

  it('keeps no readable address beside the claim', async () => {
    await claimFree(toolsOver(), claimOf('ana@example.org'))
    const [claim] = await test.db.read(db => db.selectFrom('free_claims').selectAll().execute())
    expect(JSON.stringify(claim)).not.toContain('ana@')
    expect(claim?.address_digest).toMatch(/^hmac:[0-9a-f]{64}$/)
  })

  it('is one per mailbox ever, however it is written and whatever the campaign', async () => {
    await claimFree(toolsOver(), claimOf('ana.lopez@gmail.com'))
    for (const again of ['AnaLopez@gmail.com', 'ana.lopez+2@googlemail.com', 'ａｎａlopez@gmail.com']) {
      const answer = claimFree(toolsOver(), claimOf(again, { campaignCode: 'gift-seed' }))
      expect(await answerOf(answer)).toBe('email-already-used')
    }
    clock.advance(5 * 365 * 86_400_000)
    expect(await answerOf(claimFree(toolsOver(), claimOf('analopez@gmail.com')))).toBe('email-already-used')
    expect(await rows()).toEqual({ cards: 1, claims: 1, counted: [1], mails: 1 })
  })

  it('tells the operator of a campaign’s end once, whatever process dies behind a commit', async () => {
    const told = await mailsOf('free-campaign-finished', async round => {
      const campaign: FreeCampaign = {
        tag: `last-${round}`,
        language: 'en',
        source: 'tiktok',
        active: true,
        stock: 1,
      }
      const claim = claimOf(`last-${round}@example.org`, {
        campaignCode: campaign.tag,
        attemptKey: `press ${round}`,
      })
      return {
        db: test.db,
        clock,
        act: ({ db, log }) => claimFree({ ...toolsOver(db, [campaign]), log }, claim),
      }
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(oneEach(told))
  })

  it('takes the tag in any case, and refuses one that is unknown, an advert’s, or no longer runs', async () => {
    expect(await answerOf(claimFree(toolsOver(), claimOf('a@x.org', { campaignCode: 'GIFT-Seed' })))).toBe(
      'given',
    )
    for (const campaignCode of ['nothing', 'AdGirlEs1', 'cadeau-graine', '__proto__', ''])
      expect(await answerOf(claimFree(toolsOver(), claimOf('b@x.org', { campaignCode })))).toBe(
        'invalid-campaign',
      )
  })

  it('ends with the stock, tells the operator once, and goes on when there is more', async () => {
    const campaignCode = 'gift-seed'
    for (const who of ['a', 'b', 'c']) await claimFree(toolsOver(), claimOf(`${who}@x.org`, { campaignCode }))
    expect(said).toEqual(['free-campaign-finished'])
    const late = () => claimFree(toolsOver(), claimOf('d@x.org', { campaignCode }))
    expect(await answerOf(late())).toBe('finished-campaign-offer')
    expect(said).toHaveLength(1)
    const more = CAMPAIGNS.map(each => ({ ...each, stock: each.stock + 1 }))
    const answer = claimFree(toolsOver(test.db, more), claimOf('d@x.org', { campaignCode }))
    expect(await answerOf(answer)).toBe('given')
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('sent again by the same press gets the same card; by another press it is refused', async () => {
    const press = claimOf('ana@example.org', { attemptKey: 'k'.repeat(32) })
    const first = await claimFree(toolsOver(), press)
    expect(await claimFree(toolsOver(), press)).toEqual(first)
    const other = claimFree(toolsOver(), { ...press, attemptKey: 'l'.repeat(32) })
    expect(await answerOf(other)).toBe('email-already-used')
    expect((await rows()).cards).toBe(1)
  })

  it('gives nobody another’s card, although somebody has led their claim to it', async () => {
    const press = claimOf('thief@example.org', { attemptKey: 'k'.repeat(32) })
    await claimFree(toolsOver(), press)
    await claimFree(toolsOver(), claimOf('ana@example.org', { attemptKey: 'l'.repeat(32) }))
    const claims = await test.db.read(db => db.selectFrom('free_claims').selectAll().execute())
    const cards = await test.db.read(db => db.selectFrom('cards').select(['id', 'email']).execute())
    const cardOf = (email: string) => cards.find(each => each.email === email)!.id
    const [own, others] = [cardOf('thief@example.org'), cardOf('ana@example.org')]
    const kept = claims.find(({ card_id }) => card_id === own)!.attempt_key_digest
    await test.plant(`update free_claims set card_id = '${others}-' where card_id = '${others}'`)
    await test.plant(`update free_claims set card_id = '${others}' where card_id = '${own}'`)
    expect(await answerOf(claimFree(toolsOver(), press))).toBe('email-already-used')
    // What the version before kept of a press was of the press alone: anybody can write it.
    for (const planted of [
      testKeys.digest('k'.repeat(32)),
      claims.find(({ card_id }) => card_id === others)!.attempt_key_digest,
    ]) {
      await test.plant(`update free_claims set attempt_key_digest = '${planted}' where card_id = '${others}'`)
      expect(await answerOf(claimFree(toolsOver(), press))).toBe('email-already-used')
    }
    await test.plant(
      `update free_claims set card_id = '${own}', attempt_key_digest = '${kept}' where card_id = '${others}'`,
    )
    expect(await answerOf(claimFree(toolsOver(), press))).toBe('given')
  })
})

describe('claims at once', () => {
  /** Two servers on one database. */
  const twoDoors = async () => [doorOf(), doorOf(await test.another())]
  const claimants = (number: number) => Array.from({ length: number }, (_, n) => `claimant-${n}@example.org`)

  it('give a stock of 100 to 100 of 1,000', async () => {
    const doors = await twoDoors()
    const answers = await Promise.all(
      claimants(1_000).map((typed, n) => answerOf(doors[n % 2]!(claimOf(typed)))),
    )
    expect(tally(answers)).toEqual({ given: 100, 'finished-campaign-offer': 900 })
    expect(await rows()).toEqual({ cards: 100, claims: 100, counted: [100], mails: 100 })
    expect(said).toEqual(['free-campaign-finished'])
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('of one mailbox give one card', async () => {
    const doors = await twoDoors()
    const spelt = ['ana.lopez@gmail.com', 'analopez@gmail.com', 'Ana.Lopez+x@googlemail.com']
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => answerOf(doors[n % 2]!(claimOf(spelt[n % 3]!)))),
    )
    expect(tally(answers)).toEqual({ given: 1, 'email-already-used': 49 })
    expect(await rows()).toEqual({ cards: 1, claims: 1, counted: [1], mails: 1 })
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('of one mailbox for different campaigns give one card', async () => {
    const doors = await twoDoors()
    const answers = await Promise.all(
      ['gift-seed', 'regalo-semilla', 'gift-seed', 'regalo-semilla'].map((campaignCode, n) =>
        answerOf(doors[n % 2]!(claimOf('ana@example.org', { campaignCode }))),
      ),
    )
    expect(tally(answers)).toEqual({ given: 1, 'email-already-used': 3 })
    expect((await rows()).cards).toBe(1)
  })

  it('of one press get the same card, and another press in their midst is refused', async () => {
    const doors = await twoDoors()
    const press = claimOf('ana@example.org', { attemptKey: 'k'.repeat(32) })
    const first = doors[0]!(press)
    const other = answerOf(doors[1]!({ ...press, attemptKey: 'l'.repeat(32) }))
    const again = await Promise.allSettled([first, ...doors.map(claim => claim(press))])
    const keys = again.map(each => (each.status === 'fulfilled' ? each.value.key : 'none'))
    expect(new Set(keys).size).toBe(1)
    expect(await other).toBe(keys[0] === 'none' ? 'given' : 'email-already-used')
    expect((await rows()).cards).toBe(1)
  })

  it('of a last card give it to one of a hundred', async () => {
    const claim = doorOf(
      test.db,
      CAMPAIGNS.map(each => ({ ...each, stock: 1 })),
    )
    const answers = await Promise.all(claimants(100).map(typed => answerOf(claim(claimOf(typed)))))
    expect(tally(answers)).toEqual({ given: 1, 'finished-campaign-offer': 99 })
  })

  describe('when another server is faster between the look and the claim', () => {
    const one = CAMPAIGNS.map(each => ({ ...each, stock: 1 }))
    /** Lets another server claim before the first transaction of this one. */
    const overtaking = (db: Database, rival: ClaimFree): Database => {
      let isOvertaken = false
      return {
        ...db,
        async transaction(fn) {
          if (!isOvertaken) {
            isOvertaken = true
            await doorOf(test.db, one)(rival)
          }
          return db.transaction(fn)
        },
      }
    }

    it('give it the last card', async () => {
      const slow = doorOf(overtaking(test.db, claimOf('fast@example.org')), one)
      expect(await answerOf(slow(claimOf('slow@example.org')))).toBe('finished-campaign-offer')
      expect(await rows()).toEqual({ cards: 1, claims: 1, counted: [1], mails: 1 })
    })

    it('give it the mailbox’s card, which this one then gives to the same press', async () => {
      const press = claimOf('ana@example.org', { attemptKey: 'k'.repeat(32) })
      const slow = doorOf(overtaking(test.db, press), one)
      const { key } = await slow(press)
      expect(await claimFree(toolsOver(), press)).toEqual({ key })
      expect((await rows()).cards).toBe(1)
    })

    it('give more than the stock where its guard is missing', async () => {
      const unguarded = withoutGuard(test.db, 'free_campaigns', 'claimed')
      const slow = doorOf(overtaking(unguarded, claimOf('fast@example.org')), one)
      await slow(claimOf('slow@example.org'))
      expect((await rows()).cards).toBe(2)
    })
  })
})

describe('the count of a campaign', () => {
  it('that is not what it gave is found', async () => {
    await claimFree(toolsOver(), claimOf('ana@example.org'))
    await test.plant('update free_campaigns set claimed = 7')
    expect(await checkLedger(test.db)).toEqual([
      { rule: 'campaign-count-differs', subject: 'regalo-semilla', expected: 1, found: 7 },
    ])
  })
})

describe('retrieving', () => {
  const retrieve = (key: string) => retrieveFree({ db: test.db, keys: testKeys, clock }, key)

  it('shows the links and the address to whoever has just claimed, later the address masked', async () => {
    const { key } = await claimFree(toolsOver(), claimOf('claimant@example.org'))
    const card = await retrieve(key)
    expect(card).toMatchObject({
      privateKey: key,
      email: 'claimant@example.org',
      senderName: null,
      isConfirmationEmailSent: false,
    })
    expect(card.publicKey).not.toBe(key)
    clock.advance(CLAIMANTS_TIME_MS)
    expect((await retrieve(key)).email).toBe('c…t@example.org')
  })

  it('shows them for a day, and to nobody once they have been replaced', async () => {
    const claim = claimOf('claimant@example.org', { attemptKey: 'a press' })
    const { key } = await claimFree(toolsOver(), claim)
    const { cardId } = await retrieve(key)
    clock.advance(LINKS_SHOWN_MS - 1)
    expect((await retrieve(key)).privateKey).toBe(key)
    expect(await claimFree(toolsOver(), claim)).toEqual({ key })
    clock.advance(1)
    await expect(retrieve(key)).rejects.toMatchObject({
      code: 'links-by-mail',
      details: { maskedAddress: 'c…t@example.org' },
    })
    expect(await answerOf(claimFree(toolsOver(), claim))).toBe('links-by-mail')

    clock.advance(-LINKS_SHOWN_MS)
    const lostLinks = createLostLinks({ db: test.db, keys: testKeys, clock })
    await lostLinks.renew(cardId, testKeys.renewalKey(cardId, 1))
    expect(await answerOf(retrieve(key))).toBe('card-not-found')
    // The press of the claim is no way to the keys that replaced its own.
    expect(await answerOf(claimFree(toolsOver(), claim))).toBe('links-by-mail')
  })

  it('gives no key of a card that somebody has put in the place of the claimed one', async () => {
    const claim = claimOf('claimant@example.org', { attemptKey: 'a press' })
    const { key } = await claimFree(toolsOver(), claim)
    for (const [by, answer] of [
      [1, 'links-by-mail'],
      [-1, 'given'],
    ] as const) {
      await test.plant(`update cards set auto_donate_at = auto_donate_at + ${by}`)
      expect(await answerOf(claimFree(toolsOver(), claim))).toBe(answer)
    }
    const [sold] = await sellCards(test.db, 1)
    // The press that got the claimed card is no press of this one.
    await test.plant(`update free_claims set card_id = '${sold!.cardId}'`)
    expect(await answerOf(claimFree(toolsOver(), claim))).toBe('email-already-used')
    await test.plant(`update cards set kind = 'free', order_id = null where id = '${sold!.cardId}'`)
    expect(await answerOf(claimFree(toolsOver(), claim))).toBe('email-already-used')

    const word = 'a'.repeat(32)
    await test.plant(
      `update cards set private_digest = '${testKeys.digest(word)}' where id = '${sold!.cardId}'`,
    )
    expect(await answerOf(retrieve(word))).toBe('card-not-found')
    expect((await retrieve(key)).privateKey).toBe(key)
  })

  it('knows no other key: the public one, a stranger’s, or that of a card that was bought', async () => {
    const { key } = await claimFree(toolsOver(), claimOf('claimant@example.org'))
    const { publicKey } = await retrieve(key)
    const [sold] = await sellCards(test.db, 1)
    for (const wrong of [publicKey, 'a'.repeat(32), '', '\u0000', sold!.privateKey])
      expect(await answerOf(retrieve(wrong))).toBe('card-not-found')
  })
})
