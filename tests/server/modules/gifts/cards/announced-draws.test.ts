import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { autoDonateAt } from '#domain/card/term.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import type { DrandDraw } from '#domain/public-ledger/draw.ts'
import { type Leaf, readLeaf } from '#domain/public-ledger/leaf.ts'
import { recomputeLog } from '#domain/public-ledger/recompute-log.ts'
import { autoDonation } from '#server/app/schedule/yearly.ts'
import { announceSome } from '#server/modules/gifts/cards/announce-draws.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { passportOf } from '#server/modules/gifts/cards/passport.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { notePublished, valuesDue } from '#server/modules/public-ledger/announcements.ts'
import { verifyBeacon } from '#server/modules/public-ledger/beacon.ts'
import { createDrandClient, type DrandClient } from '#server/modules/public-ledger/drand-client.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner, verifySignature } from '#server/modules/public-ledger/signer.ts'
import { askWitness, askWitnesses } from '#server/modules/public-ledger/witnesses.ts'
import type { Database } from '#server/platform/db/database.ts'
import { readIfThere } from '#server/platform/files.ts'
import {
  createDrandDouble,
  type DrandDouble,
  type ListeningDouble,
  listenDrandDouble,
} from '#stand-ins/drand-double/index.ts'
import { CREATED_AT, sellCard, sellCards, testKeys } from '#tests/builders/server.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { sha256 } from '#tests/support/public-log.ts'
import { startWitness, type TestWitness } from '#tests/support/witness.ts'

const DUE = autoDonateAt(CREATED_AT)
/** In the morning of the day before the last one begins: the announcement stands in the head of the next midnight. */
const ANNOUNCED_AT = DUE - 60 * HOUR_MS
const HEAD_AT = Math.ceil(ANNOUNCED_AT / DAY_MS) * DAY_MS + 10 * 60_000
const NGOS = ['cerf', 'msf', 'unicef']
const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
const goOn = async () => {}
const run = promisify(execFile)

let test: TestDatabase
let folder: string
let clock: ReturnType<typeof fakeClock>
let double: DrandDouble
let listening: ListeningDouble
let drand: DrandClient
/** What drand answers with instead, when it is away. */
let away: number | undefined
let listed: readonly string[]
let alarms: (readonly [string, Readonly<Record<string, unknown>>])[]
beforeEach(async () => {
  test = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gc-draws-'))
  clock = fakeClock(ANNOUNCED_AT)
  double = createDrandDouble({ clock })
  listening = await listenDrandDouble(path => (away ? { status: away, body: '' } : double.answer(path)))
  drand = clientOf(listening.url)
  away = undefined
  listed = NGOS
  alarms = []
})
afterEach(async () => {
  await listening.close()
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const clientOf = (url: string): DrandClient =>
  createDrandClient({ url, chainHash: double.hash, publicKey: double.chain.publicKey })
const log = {
  error: (event: string, _: unknown, facts: object = {}) =>
    void alarms.push([event, facts as Readonly<Record<string, unknown>>]),
}
interface Set {
  readonly db?: Database
  readonly source?: DrandClient | undefined
}
/** The job, as the site has it. The server's own chance would always draw the first. */
const job = ({ db = test.db, source = drand }: Set = {}) =>
  autoDonation({
    db,
    keys: testKeys,
    clock,
    draw: () => 0,
    listedNgoIds: () => listed,
    log,
    announcedDraws: {
      values: () => valuesDue({ db, clock, verifyBeacon, source }),
      ...(source && { drawnBy: async () => ({ chain: await source.chain() }) }),
    },
  }).run({ goOn } as never)
const withoutDrand = () =>
  autoDonation({
    db: test.db,
    keys: testKeys,
    clock,
    draw: () => 0,
    listedNgoIds: () => listed,
    log,
    announcedDraws: { values: () => valuesDue({ db: test.db, clock, verifyBeacon, source: undefined }) },
  }).run({ goOn } as never)
const publish = async (db: Database = test.db) => {
  await sequenceDays({ db, clock, signer, draw: count => count - 1 }, goOn)
  await notePublished(db, await deriveFiles({ db, folder, goOn }), clock())
}
const publishAt = async (at: number) => {
  clock.set(at)
  await publish()
}
/** Announced, published, and everything that is due given. */
const announceAndPublish = async () => {
  await job()
  await publishAt(HEAD_AT)
}
const drawAt = async (at: number) => {
  clock.set(at)
  return job()
}
const drawsOf = () =>
  test.db.read(reader => reader.selectFrom('draws').selectAll().orderBy('card_id').execute())
const lines = async (): Promise<readonly Leaf[]> =>
  (
    await test.db.read(reader => reader.selectFrom('ledger_leaves').select('leaf').orderBy('seq').execute())
  ).map(({ leaf }) => readLeaf(leaf))
/** Every draw of the public files, computed again. */
const computed = async () => {
  const { draws } = await recomputeLog({
    read: path => readIfThere(join(folder, path)),
    verifier: signer.verifier,
    sha256,
    verify: verifySignature,
    verifyBeacon,
  })
  return draws.map(({ found }) => found)
}
const wholeIn = async () => expect(await checkLedger(test.db, { keys: testKeys })).toEqual([])
const redeem = (privateKey: string) =>
  createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS }).redeem(privateKey, [
    { ngoId: 'msf', points: 50 },
  ])

describe('a card that its recipient leaves to the draw', () => {
  const SOON = CREATED_AT + 40 * DAY_MS
  const leave = (privateKey: string) =>
    createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS }).leave(privateKey)
  const opened = (privateKey: string) =>
    createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS }).open(privateKey, 'full')

  it('is announced at once, drawn by a value that nobody could know, and anyone can compute it again', async () => {
    clock.set(SOON)
    const named = await test.db.transaction(trx =>
      sellCard(trx, { fallback_ngo_id: 'unicef', term_months: 12, reminder_days: '[30,7]' }),
    )
    const [other] = await sellCards(test.db, 2)
    expect(await job()).toEqual({ donated: 0 })
    await leave(named.privateKey)
    await leave(other!.privateKey)
    expect(await job()).toEqual({ donated: 0, announced: 2, undrawn: 2 })
    expect(await job()).toEqual({ donated: 0, undrawn: 2 })
    const midnight = Math.ceil(SOON / DAY_MS) * DAY_MS
    await publishAt(midnight + 10 * 60_000)
    const { drawAt: at } = (await opened(named.privateKey)).use as { drawAt: number }
    expect(at).toBeGreaterThan(midnight + DAY_MS)
    expect(at).toBeLessThan(SOON + 3 * DAY_MS)
    expect(await drawAt(at - 1)).toEqual({ donated: 0, undrawn: 2 })
    expect(await drawAt(at)).toEqual({ donated: 2 })
    expect((await drawsOf()).map(({ chosen_by }) => chosen_by)).toEqual(['chance', 'chance'])
    await publishAt(at + DAY_MS)
    expect((await computed()).map(({ outcome }) => outcome)).toEqual(['same', 'same'])
    await wholeIn()
    // The third is its recipient's, and what is drawn is drawn by nothing else.
    await redeem((await sellCards(test.db, 1))[0]!.privateKey)
    await wholeIn()
  })

  it('waits when drand is away, and the operator hears of it after three days', async () => {
    clock.set(SOON)
    const [card] = await sellCards(test.db, 1)
    await leave(card!.privateKey)
    away = 503
    expect(await job()).toEqual({ donated: 0, undrawn: 1 })
    expect(alarms).toEqual([])
    expect(await drawAt(SOON + 3 * DAY_MS)).toEqual({ donated: 0, undrawn: 1 })
    expect(alarms).toMatchObject([['unused-card-undrawn', { cards: 1 }]])
    away = undefined
  })
})

describe('an unused card', () => {
  it('is announced a whole day before its value, drawn by that, and anyone can compute it again', async () => {
    const cards = await sellCards(test.db, 8)
    expect(await job()).toEqual({ donated: 0, announced: 8 })
    // Once.
    expect(await job()).toEqual({ donated: 0 })
    await publishAt(HEAD_AT)
    const announced = (await lines()).find(({ cause }) => cause === 'announced')!.announcement!
    if (announced.by !== 'drand') throw new Error('not by drand')
    expect(announced).toMatchObject({ chain: double.chain, candidates: NGOS })
    expect(announced.blinds).toHaveLength(8)
    expect(DUE - HEAD_AT).toBeGreaterThan(DAY_MS)
    expect(await drawAt(DUE - 1)).toEqual({ donated: 0 })
    expect(await drawAt(DUE)).toEqual({ donated: 8 })
    expect((await drawsOf()).map(({ card_id }) => card_id)).toEqual(cards.map(({ cardId }) => cardId).sort())
    await publishAt(DUE + DAY_MS)
    const found = await computed()
    expect(found).toHaveLength(8)
    for (const each of found) expect(each).toMatchObject({ outcome: 'same' })
    // The lines show what was announced.
    const auto = (await lines()).filter(({ cause }) => cause === 'auto')
    expect(auto.map(({ proof }) => proof).sort()).toEqual(announced.blinds)
    const { stdout } = await run('python3', ['tests/support/verify-ledger.py', folder, signer.verifierText])
    expect(JSON.parse(stdout)).toMatchObject({ draws: { drand: 8 } })
    await wholeIn()
  })

  it('opens its line to whoever has its private key', async () => {
    const [card] = await sellCards(test.db, 1)
    await announceAndPublish()
    await drawAt(DUE)
    await publishAt(DUE + DAY_MS)
    const passport = await passportOf({ db: test.db, keys: testKeys }, card!.privateKey, 'full', clock())
    const own = passport.used!.line!
    const line = (await lines())[own.number - 1]!
    const { blindOf } = await import('#domain/public-ledger/leaf.ts')
    expect(blindOf(sha256, own.nonce!, 'auto')).toBe(line.proof)
  })

  it('that is given meanwhile leaves the list, and the files tell nothing of what was chosen', async () => {
    const [used] = await sellCards(test.db, 4)
    await announceAndPublish()
    const { announcement } = (await lines()).find(({ cause }) => cause === 'announced')!
    const blind = (
      await test.db.read(reader =>
        reader
          .selectFrom('draw_cards')
          .select('blind')
          .where('card_id', '=', used!.cardId)
          .executeTakeFirstOrThrow(),
      )
    ).blind
    clock.set(DUE - HOUR_MS)
    await redeem(used!.privateKey)
    expect(await drawAt(DUE)).toEqual({ donated: 3 })
    await publishAt(DUE + DAY_MS)
    expect(announcement!.blinds).toContain(blind)
    const all = await lines()
    expect(all.filter(({ cause }) => cause === 'given')).toEqual([])
    expect(all.filter(({ proof }) => proof === blind)).toEqual([])
    // The nonce of its use is another one than that of what was announced.
    const nonces = await test.db.read(async reader => [
      await reader
        .selectFrom('ledger_nonces')
        .select('nonce')
        .where('entry_id', '=', `redemption:${used!.cardId}`)
        .execute(),
      await reader.selectFrom('draw_cards').select('nonce').where('card_id', '=', used!.cardId).execute(),
    ])
    expect(nonces[0]).toHaveLength(1)
    expect(nonces[0]![0]!.nonce).not.toBe(nonces[1]![0]!.nonce)
    for (const each of await computed()) expect(each).toMatchObject({ outcome: 'same' })
    await wholeIn()
  })

  it('whose buyer named an organisation goes there, unannounced, and is announced where that left the list', async () => {
    const terms = { term_months: 12, reminder_days: '[30,7]' }
    const named = (fallback_ngo_id: string) =>
      test.db.transaction(trx => sellCard(trx, { fallback_ngo_id, ...terms }))
    const [theirs, delisted] = [await named('msf'), await named('unicef')]
    expect(await job()).toEqual({ donated: 0 })
    await publishAt(HEAD_AT)
    listed = ['cerf', 'msf']
    expect(await drawAt(DUE)).toEqual({ donated: 1, announced: 1, undrawn: 1 })
    expect(await drawsOf()).toMatchObject([{ card_id: theirs.cardId, ngo_id: 'msf', chosen_by: 'buyer' }])
    await publishAt(DUE + 2 * HOUR_MS)
    expect(await drawAt(DUE + 24 * HOUR_MS)).toEqual({ donated: 0, undrawn: 1 })
    expect(await drawAt(DUE + 28 * HOUR_MS)).toEqual({ donated: 1 })
    expect((await drawsOf()).find(({ card_id }) => card_id === delisted.cardId)).toMatchObject({
      candidates: '["cerf","msf"]',
      chosen_by: 'chance',
    })
    await publishAt(DUE + 3 * DAY_MS)
    expect((await computed()).map(({ outcome }) => outcome).sort()).toEqual(['buyer', 'same'])
    await wholeIn()
  })

  it('goes to none of those who left the list, and the line says who', async () => {
    await sellCards(test.db, 12)
    await announceAndPublish()
    listed = ['msf', 'unicef']
    expect(await drawAt(DUE)).toEqual({ donated: 12 })
    const rows = await drawsOf()
    expect(new Set(rows.map(({ ngo_id }) => ngo_id))).not.toContain('cerf')
    expect(new Set(rows.map(({ gone }) => gone))).toEqual(new Set(['[0]']))
    await publishAt(DUE + DAY_MS)
    for (const each of await computed()) expect(each).toMatchObject({ outcome: 'same' })
    await wholeIn()
  })

  it('waits where nobody of those who were announced is on the list', async () => {
    await sellCards(test.db, 1)
    await announceAndPublish()
    listed = ['irc']
    expect(await drawAt(DUE)).toEqual({ donated: 0, undrawn: 1 })
    listed = NGOS
    expect(await job()).toEqual({ donated: 1 })
  })

  it('that is frozen is drawn by the same value once it is free', async () => {
    const [card] = await sellCards(test.db, 1)
    await announceAndPublish()
    await test.plant(`update cards set status = 'frozen' where id = '${card!.cardId}'`)
    expect(await drawAt(DUE)).toEqual({ donated: 0 })
    await test.plant(`update cards set status = 'active' where id = '${card!.cardId}'`)
    expect(await drawAt(DUE + 40 * DAY_MS)).toEqual({ donated: 1 })
    await publishAt(DUE + 42 * DAY_MS)
    expect(await computed()).toMatchObject([{ outcome: 'same' }])
  })

  it('of a forgotten buyer still shows what was announced, and nobody’s nonce', async () => {
    const [card] = await sellCards(test.db, 1)
    await announceAndPublish()
    await test.db.transaction(trx =>
      clearPersons(trx, 'donation', [{ id: card!.cardId, order_id: card!.orderId }]),
    )
    const kept = await test.db.read(reader => reader.selectFrom('draw_cards').select('nonce').execute())
    expect(kept).toEqual([{ nonce: null }])
    await drawAt(DUE)
    await publishAt(DUE + DAY_MS)
    expect(await computed()).toMatchObject([{ outcome: 'same' }])
    const left = await test.db.read(reader =>
      reader.selectFrom('ledger_nonces').select('nonce').where('card_id', '=', card!.cardId).execute(),
    )
    expect(left).toEqual([])
    await wholeIn()
  })

  it('whose row another hand has changed is not announced', async () => {
    const [card] = await sellCards(test.db, 2)
    await test.plant(`update cards set credit = 9900 where id = '${card!.cardId}'`)
    expect(await job()).toEqual({ donated: 0, announced: 1 })
  })
})

describe('drand', () => {
  it.each([503, 404])('that is away (%s) is waited for, and told of after three days', async status => {
    await sellCards(test.db, 3)
    await announceAndPublish()
    away = status
    expect(await drawAt(DUE + HOUR_MS)).toEqual({ donated: 0, undrawn: 3 })
    expect(await drawAt(DUE + DAY_MS)).toEqual({ donated: 0, undrawn: 3 })
    expect(alarms).toEqual([])
    expect(await drawAt(DUE + 3 * DAY_MS)).toEqual({ donated: 0, undrawn: 3 })
    expect(alarms).toEqual([
      ['unused-card-undrawn', { cards: 3, since: '2027-03-10', reason: `drand answers ${status}` }],
    ])
    // Not even the site's settings can have it drawn in another way.
    expect(await withoutDrand()).toEqual({ donated: 0, undrawn: 3 })
    expect(await drawsOf()).toEqual([])
    away = undefined
    expect(await job()).toEqual({ donated: 3 })
    await publishAt(DUE + 5 * DAY_MS)
    for (const each of await computed()) expect(each).toMatchObject({ outcome: 'same' })
  })

  it('that is away when it is to be announced is waited for as well', async () => {
    await sellCards(test.db, 1)
    away = 500
    expect(await drawAt(DUE + DAY_MS)).toEqual({ donated: 0, undrawn: 1 })
    expect(alarms).toEqual([])
    await drawAt(DUE + 3 * DAY_MS)
    expect(alarms).toMatchObject([['unused-card-undrawn', { reason: 'drand answers 500' }]])
    away = undefined
    expect(await job()).toMatchObject({ announced: 1, undrawn: 1 })
  })

  it('that cannot be reached is waited for', async () => {
    await sellCards(test.db, 1)
    await announceAndPublish()
    clock.set(DUE)
    await listening.close()
    expect(await job()).toEqual({ donated: 0, undrawn: 1 })
  })

  it('is not believed where its signature is another’s, or one in the database is', async () => {
    await sellCards(test.db, 1)
    await announceAndPublish()
    const other = createDrandDouble({ clock, key: 'another network' })
    const forged: DrandClient = { ...drand, signatureOf: async (_, round) => other.sign(round) }
    clock.set(DUE)
    expect(await job({ source: forged })).toEqual({ donated: 0, undrawn: 1 })
    await test.plant(`update draw_announcements set signature = '${other.sign(1)}'`)
    expect(await job({ source: forged })).toEqual({ donated: 0, undrawn: 1 })
    expect(await job()).toEqual({ donated: 1 })
    await wholeIn()
  })

  it('is not believed where it describes another chain, or too much of it', async () => {
    const { hash, chain } = double
    const asked = (changes: Parameters<typeof createDrandClient>[0]) => createDrandClient(changes).chain()
    const { url } = listening
    await expect(asked({ url, chainHash: hash, publicKey: chain.publicKey })).resolves.toEqual(chain)
    await expect(asked({ url, chainHash: hash, publicKey: 'ab'.repeat(96) })).rejects.toThrow('another chain')
    await expect(asked({ url, chainHash: 'ab'.repeat(32), publicKey: chain.publicKey })).rejects.toThrow(
      '404',
    )
    const answers = [
      JSON.stringify({ ...JSON.parse(double.answer(`/${hash}/info`).body), period: 31 }),
      JSON.stringify({
        ...JSON.parse(double.answer(`/${hash}/info`).body),
        schemeID: 'pedersen-bls-chained',
      }),
      '[]',
      'null',
      '<html>',
      ' '.repeat(20_000),
    ]
    for (const body of answers) {
      const lying = await listenDrandDouble(() => ({ status: 200, body }))
      await expect(asked({ url: lying.url, chainHash: hash, publicKey: chain.publicKey })).rejects.toThrow(
        'drand',
      )
      await lying.close()
    }
  })
})

describe('an announcement', () => {
  it('that is not published before its value comes counts for nothing, and the next one shows the same cards', async () => {
    await sellCards(test.db, 2)
    await job()
    // The files could not be written for days.
    await publishAt(DUE + HOUR_MS)
    expect(await job()).toEqual({ donated: 0, announced: 2, undrawn: 2 })
    await publishAt(DUE + 26 * HOUR_MS)
    expect(await drawAt(DUE + 4 * DAY_MS)).toEqual({ donated: 2 })
    await publishAt(DUE + 5 * DAY_MS)
    const [first, second] = (await lines()).filter(({ cause }) => cause === 'announced')
    expect(second!.announcement!.blinds).toEqual(first!.announcement!.blinds)
    // Whoever computes it again sees that it was announced twice.
    expect(await computed()).toEqual([
      { outcome: 'wrong', fault: 'twice' },
      { outcome: 'wrong', fault: 'twice' },
    ])
    await wholeIn()
  })

  it('is the only thing that counts: another one in the database draws nothing', async () => {
    await sellCards(test.db, 1)
    await announceAndPublish()
    const before = await test.db.read(reader =>
      reader.selectFrom('draw_announcements').select('terms').execute(),
    )
    await test.plant(
      `update draw_announcements set terms = '${before[0]!.terms.replace('"cerf","msf","unicef"', '"ours"')}'`,
    )
    await drawAt(DUE)
    expect((await drawsOf())[0]!.candidates).toBe(JSON.stringify(NGOS))
    expect(await checkLedger(test.db, { keys: testKeys })).toMatchObject([{ rule: 'announcement-differs' }])
  })

  it('whose value was changed afterwards is found by the check of the books', async () => {
    const [card] = await sellCards(test.db, 1)
    await announceAndPublish()
    await drawAt(DUE)
    await wholeIn()
    const { drawn } = (await drawsOf())[0]!
    let round = 1
    const { blind } = await test.db.read(reader =>
      reader.selectFrom('draw_cards').select('blind').executeTakeFirstOrThrow(),
    )
    const { drawnPlace } = await import('#domain/public-ledger/draw.ts')
    const { randomnessOf } = await import('#domain/public-ledger/drand.ts')
    const placeBy = (signature: string) =>
      drawnPlace(sha256, { seed: randomnessOf(sha256, signature), blind, count: 3, gone: [] })
    while (placeBy(double.sign(round)) === drawn) round++
    await test.plant(`update draw_announcements set signature = '${double.sign(round)}'`)
    expect(await checkLedger(test.db, { keys: testKeys })).toMatchObject([
      { rule: 'announced-draw-differs', subject: card!.cardId },
    ])
  })

  it('is made once by whichever of two processes is first, and of it each card is given once', async () => {
    await sellCards(test.db, 30)
    const rival = await test.another()
    const tools = { keys: testKeys, clock, listedNgoIds: () => listed }
    await Promise.all([test.db, rival].map(db => announceSome({ ...tools, db }, double)))
    const cards = await test.db.read(reader => reader.selectFrom('draw_cards').select('attempt').execute())
    expect(cards).toEqual(Array.from({ length: 30 }, () => ({ attempt: 1 })))
    await publishAt(HEAD_AT)
    clock.set(DUE)
    await Promise.all([job(), job({ db: rival })])
    await job()
    expect(await drawsOf()).toHaveLength(30)
    await publishAt(DUE + DAY_MS)
    expect((await computed()).filter(({ outcome }) => outcome === 'same')).toHaveLength(30)
    await wholeIn()
  })

  it('is made, published and drawn by once, wherever a process is killed', async () => {
    await sellCards(test.db, 3)
    /** Tries a piece of work again and again, each time killed one statement later, until it lives to its end. */
    const mortally = async (work: (db: Database) => Promise<unknown>) => {
      for (let step = 1; ; step++) {
        const mortal = diesAt(step)
        const isDead = await work(mortal.over(test.db)).then(
          () => false,
          error => {
            if (!(error instanceof Killed)) throw error
            return true
          },
        )
        await wholeIn()
        if (!isDead && mortal.survived()) return
        if (step > 200) throw new Error('It never ends.')
      }
    }
    await mortally(db => job({ db }))
    clock.set(HEAD_AT)
    await mortally(publish)
    clock.set(DUE)
    await mortally(db => job({ db }))
    expect(await test.db.read(reader => reader.selectFrom('draw_cards').select('attempt').execute())).toEqual(
      Array.from({ length: 3 }, () => ({ attempt: 1 })),
    )
    expect(await drawsOf()).toHaveLength(3)
    const mails = await test.db.read(reader =>
      reader.selectFrom('jobs').select('id').where('kind', '=', 'auto-donated').execute(),
    )
    expect(mails).toHaveLength(3)
    await publishAt(DUE + DAY_MS)
    for (const each of await computed()) expect(each).toMatchObject({ outcome: 'same' })
  })
})

describe('a site with a witness, and without drand', () => {
  let witness: TestWitness
  beforeEach(async () => {
    witness = await startWitness('witness.example/w', [signer.verifier], () => Math.floor(clock() / 1000))
  })
  afterEach(() => witness.close())

  const jobByWitness = () =>
    autoDonation({
      db: test.db,
      keys: testKeys,
      clock,
      draw: () => 0,
      listedNgoIds: () => listed,
      log,
      announcedDraws: {
        values: () => valuesDue({ db: test.db, clock, verifyBeacon, source: undefined }),
        drawnBy: async () => ({ witness: witness.text }),
      },
    }).run({ goOn } as never)
  const cosign = () => askWitnesses({ db: test.db, clock, witnesses: [witness], ask: askWitness, goOn })

  it('draws by its secret and the first signature over the announcement, and anyone can compute it again', async () => {
    await sellCards(test.db, 8)
    expect(await jobByWitness()).toEqual({ donated: 0, announced: 8 })
    await publishAt(HEAD_AT)
    clock.set(DUE)
    expect(await jobByWitness()).toEqual({ donated: 0, undrawn: 8 })
    const secrets = await test.db.read(reader =>
      reader.selectFrom('draw_announcements').select('secret').execute(),
    )
    expect(JSON.stringify(await lines())).not.toContain(secrets[0]!.secret)
    expect(await cosign()).toMatchObject([{ outcome: 'signed' }])
    expect(await jobByWitness()).toEqual({ donated: 8 })
    await publishAt(DUE + DAY_MS)
    // A later signature is none of the draw's.
    await cosign()
    await wholeIn()
    const found = await computed()
    expect(found).toHaveLength(8)
    for (const each of found)
      expect(each).toMatchObject({ outcome: 'same', source: { witness: witness.text } })
    const { stdout } = await run('python3', ['tests/support/verify-ledger.py', folder, signer.verifierText])
    expect(JSON.parse(stdout)).toMatchObject({ draws: { witness: 8 } })
  })

  it('waits where the secret is lost or another one, and tells of it after three days', async () => {
    await sellCards(test.db, 1)
    await jobByWitness()
    await publishAt(HEAD_AT)
    await cosign()
    await test.plant(`update draw_announcements set secret = '${'ab'.repeat(32)}'`)
    clock.set(DUE + 3 * DAY_MS)
    expect(await jobByWitness()).toEqual({ donated: 0, undrawn: 1 })
    await test.plant('update draw_announcements set secret = null')
    expect(await jobByWitness()).toEqual({ donated: 0, undrawn: 1 })
    const reason = 'its secret is not the one that was announced'
    expect(alarms.map(([kind, facts]) => [kind, facts.reason])).toEqual([
      ['unused-card-undrawn', reason],
      ['unused-card-undrawn', reason],
    ])
    expect(await drawsOf()).toEqual([])
  })
})

it('a card of a site that announces nothing is drawn by the server, and the line says that nobody can compute it', async () => {
  await sellCards(test.db, 1)
  clock.set(DUE)
  expect(await withoutDrand()).toEqual({ donated: 1 })
  await publishAt(DUE + DAY_MS)
  expect(await computed()).toEqual([{ outcome: 'chance' }])
  const drawn = (await lines()).find(({ cause }) => cause === 'auto')!.draw as Exclude<
    Leaf['draw'],
    DrandDraw
  >
  expect(drawn).toEqual({ by: 'chance', place: 0, candidates: NGOS })
})
