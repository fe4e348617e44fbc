import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { type Leaf, readLeaf } from '#domain/public-ledger/leaf.ts'
import { isOwn, type OwnLine } from '#domain/public-ledger/passport.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { makeRun } from '#server/modules/payouts/runs.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { CREATED_AT, giveFreeCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const NGOS = ['msf', 'cerf', 'irc', 'wfp']
const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
const goOn = async () => {}

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let cards: ReturnType<typeof createCards>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS })
})
afterEach(() => test.close())

const sell = (changes: Parameters<typeof sellCard>[1] = {}) =>
  test.db.transaction(trx => sellCard(trx, changes))
const give = async ({ privateKey }: { readonly privateKey: string }, points: Record<string, number>) => {
  const selection = Object.entries(points).map(([ngoId, each]) => ({ ngoId, points: each }))
  return (await cards.redeem(privateKey, selection)).receiptKey!
}
/** The next day, with everything published that can be. */
const publish = () => {
  clock.advance(DAY_MS)
  return sequenceDays({ db: test.db, clock, signer, draw: of => of - 1 }, goOn)
}
const leaves = async (): Promise<readonly Leaf[]> =>
  (
    await test.db.read(reader => reader.selectFrom('ledger_leaves').select('leaf').orderBy('seq').execute())
  ).map(({ leaf }) => readLeaf(leaf))
const isOwnLine = async (line: OwnLine | undefined): Promise<boolean> =>
  line !== undefined && isOwn(sha256, (await leaves())[line.number - 1]!, line)

async function haveAccount(ngoId: string): Promise<void> {
  const payee = {
    ngoId,
    legalName: `Fundació ${ngoId}`,
    contact: `${ngoId}@example.org`,
    language: 'en',
    iban: 'ES9121000418450200051332',
  } as const
  await proposePayee(test.db, testKeys, payee, clock())
  await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, clock())
}
async function payRun(runKey: string, ngoIds: readonly string[] = NGOS) {
  const { run, payouts } = await makeRun(test.db, testKeys, { runKey }, clock())
  for (const { id, ngo_id } of payouts)
    if (ngoIds.includes(ngo_id)) await markPaid(test.db, { id, reference: `SEPA ${id}` }, clock())
  return { run, payouts }
}

describe('the passport of a card', () => {
  it('says by either key when it was paid, with its own line once there is one', async () => {
    const card = await sell()
    const free = await test.db.transaction(giveFreeCard)
    const until = (await cards.open(card.privateKey, 'full')).autoDonateAt
    expect(await cards.passport(card.privateKey, 'full')).toEqual({
      free: false,
      paid: { at: CREATED_AT, line: undefined },
      until,
    })
    await publish()
    for (const { privateKey, publicKey } of [card, free])
      for (const key of [privateKey, publicKey, publicKey.toUpperCase()]) {
        const { paid, used } = await cards.passport(key, 'full')
        expect(await isOwnLine(paid.line)).toBe(true)
        expect(used).toBeUndefined()
      }
    expect((await cards.passport(free.publicKey, 'preview')).free).toBe(true)
    const other = await sell()
    await publish()
    const { paid } = await cards.passport(other.publicKey, 'preview')
    expect(await isOwnLine({ ...paid.line!, number: 1 })).toBe(false)
    await expect(cards.passport('nobody', 'full')).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(cards.receiptPassport(card.privateKey)).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('says the month of its use, by the public key once that is over', async () => {
    const card = await sell()
    await give(card, { msf: 50 })
    for (const [key, asked, used] of [
      [card.privateKey, 'full', { by: 'recipient', month: '2026-03', line: undefined }],
      [card.privateKey, 'preview', undefined],
      [card.publicKey, 'full', undefined],
    ] as const)
      expect((await cards.passport(key, asked)).used).toEqual(used)
    clock.set(Date.parse('2026-04-01T00:00Z'))
    expect((await cards.passport(card.publicKey, 'preview')).used).toMatchObject({ month: '2026-03' })
  })

  it('opens the line of an unused card by its private key alone', async () => {
    const card = await sell()
    clock.set(CREATED_AT + 400 * DAY_MS)
    await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 1, listedNgoIds: () => NGOS })
    await publish()
    const { used } = await cards.passport(card.privateKey, 'full')
    expect(used).toMatchObject({ by: 'auto-donation', month: '2027-04', line: { cause: 'auto' } })
    expect(await isOwnLine(used?.line)).toBe(true)
    clock.advance(40 * DAY_MS)
    expect((await cards.passport(card.publicKey, 'full')).used).toMatchObject({ line: undefined })
  })

  it('names the run to the giver once all of it is paid, and each transfer to the recipient', async () => {
    for (const ngoId of NGOS) await haveAccount(ngoId)
    const card = await sell()
    const receipt = await give(card, { msf: 20, cerf: 30 })
    for (let n = 0; n < 20; n++) await give(await sell(), { msf: 10, cerf: 10, irc: 30 })
    const { run, payouts } = await payRun('2026-03', ['msf', 'cerf'])
    expect(await cards.passport(card.privateKey, 'full')).not.toHaveProperty('run')
    const last = payouts.find(({ ngo_id }) => ngo_id === 'irc')!
    await markPaid(test.db, { id: last.id, reference: 'SEPA' }, clock())
    const shown = await cards.passport(card.privateKey, 'full')
    expect(shown.run).toEqual({ id: run.id, at: clock() })
    await publish()
    expect(JSON.stringify([shown, await cards.passport(card.privateKey, 'full')])).not.toMatch(/msf|cerf|irc/)
    const { parts, line, month } = await cards.receiptPassport(receipt)
    expect(month).toBe('2026-03')
    expect(await isOwnLine(line)).toBe(true)
    expect(line).toMatchObject({ cause: 'given' })
    expect(parts.map(({ ngoId, amount, payout }) => [ngoId, amount.amount, payout?.id])).toEqual(
      [
        ['msf', 2_000],
        ['cerf', 3_000],
      ].map(([ngoId, amount]) => [ngoId, amount, payouts.find(({ ngo_id }) => ngo_id === ngoId)!.id]),
    )
    for (const { payout } of parts) expect(await isOwnLine(payout?.line)).toBe(true)
  })

  it('names no run that paid two organisations', async () => {
    for (const ngoId of ['msf', 'cerf']) await haveAccount(ngoId)
    const card = await sell()
    await give(card, { msf: 20, cerf: 30 })
    await payRun('2026-03')
    expect(await cards.passport(card.privateKey, 'full')).not.toHaveProperty('run')
  })

  it('has no line any more once its buyer is forgotten', async () => {
    const card = await sell()
    await publish()
    await test.db.transaction(trx =>
      clearPersons(trx, 'donation', [{ id: card.cardId, order_id: card.orderId }]),
    )
    expect((await cards.passport(card.privateKey, 'full')).paid).toEqual({ at: CREATED_AT, line: undefined })
  })
})

describe('random cards', () => {
  const CARDS = count({ usual: 200, long: 10_000 })

  it('leave nothing of themselves in a public file, and no giver’s key opens what was chosen', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gc-passport-'))
    try {
      const made = await randomCards(CARDS)
      const nonces = await givenNonces()
      expect(nonces.size).toBeGreaterThan(CARDS / 2)
      expect(await openedByGivers(made, nonces)).toEqual([])
      await publish()
      for (const ngoId of NGOS) {
        const payout = await createPayout(test.db, { ngoId, currency: 'EUR' }, clock())
        await markPaid(test.db, { id: payout.id, reference: `SEPA ${ngoId}` }, clock())
      }
      await publish()
      clock.advance(40 * DAY_MS)
      expect(await openedByGivers(made, nonces)).toEqual([])
      await deriveFiles({ db: test.db, folder, goOn })
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each =>
        each.isFile(),
      )
      const text = files.map(each => readFileSync(join(each.parentPath, each.name), 'latin1')).join('\n')
      expect(text).toContain('"given"')
      const secrets = made.flatMap(({ secrets: own }) => own)
      expect(found(text, [...secrets, ...nonces])).toEqual([])
      // Whatever is looked for would be found.
      expect(found(`${text}${secrets.at(-1)}`, secrets)).toEqual([secrets.at(-1)])
      const all = await leaves()
      for (const { receipt } of made.filter(each => each.receipt !== undefined).slice(0, 50)) {
        const { line } = await cards.receiptPassport(receipt!)
        expect(isOwn(sha256, all[line!.number - 1]!, line!)).toBe(true)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 600_000)

  interface Made {
    readonly keys: readonly [privateKey: string, publicKey: string]
    /** What stands in no public file. */
    readonly secrets: readonly string[]
    readonly receipt: string | undefined
  }

  async function randomCards(number: number): Promise<readonly Made[]> {
    const made: Made[] = []
    for (let n = 0; n < number; n++) {
      const email = `canary.${n.toString(36)}@mine.example.org`
      const sender_name = `Canary Bird ${n.toString(36)} of the Mine`
      const isFree = Math.random() < 0.1
      const card = isFree ? await test.db.transaction(giveFreeCard) : await sell({ email, sender_name })
      clock.advance(1)
      const whole = isFree ? 5 : 50
      const share = Math.floor(Math.random() * (whole + 1))
      const [one, other] = [NGOS[n % 4]!, NGOS[(n + 1) % 4]!]
      const points = Object.fromEntries(
        [[one, share] as const, [other, whole - share] as const].filter(([, each]) => each > 0),
      )
      const receipt = Math.random() < 0.8 ? await give(card, points) : undefined
      const { privateKey, publicKey, cardId } = card
      made.push({
        keys: [privateKey, publicKey],
        secrets: [privateKey, publicKey, cardId, email, sender_name, ...(receipt ? [receipt] : [])],
        receipt,
      })
    }
    return made
  }

  async function givenNonces(): Promise<ReadonlySet<string>> {
    const rows = await test.db.read(reader =>
      reader
        .selectFrom('ledger_nonces')
        .innerJoin('public_entries', 'public_entries.id', 'ledger_nonces.entry_id')
        .select('nonce')
        .where('cause', '=', 'given')
        .execute(),
    )
    return new Set(rows.map(({ nonce }) => nonce))
  }

  /** The nonces of recipients' choices among all that both keys of a giver are answered with. */
  async function openedByGivers(
    made: readonly Made[],
    nonces: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const opened: string[] = []
    for (const { keys } of made)
      for (const key of keys)
        for (const asked of ['full', 'preview'] as const) {
          const told = JSON.stringify([await cards.passport(key, asked), await cards.open(key, asked)])
          for (const [hex] of told.matchAll(/[0-9a-f]{64}/g)) if (nonces.has(hex)) opened.push(hex)
        }
    return opened
  }

  /** Which of these stand in a text: one look at each place, however many they are. */
  function found(text: string, secrets: readonly string[]): readonly string[] {
    const BEGIN = 10
    const byBegin = Map.groupBy(
      secrets.map(each => each.toLowerCase()),
      each => each.slice(0, BEGIN),
    )
    const lower = text.toLowerCase()
    const hits = new Set<string>()
    for (let at = 0; at + BEGIN <= lower.length; at++)
      for (const each of byBegin.get(lower.slice(at, at + BEGIN)) ?? [])
        if (lower.startsWith(each, at)) hits.add(each)
    return secrets.filter(each => hits.has(each.toLowerCase()))
  }
})
