import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { printedCheckWord } from '#domain/card/check-word.ts'
import { dayInUtc } from '#domain/days.ts'
import { type Amounts, blindOf, commitmentOf, readLeaf } from '#domain/public-ledger/leaf.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { figuresCsv } from '#server/modules/public-ledger/figures-csv.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { withNames } from '#server/modules/public-ledger/named-figures.ts'
import { createPublicFigures } from '#server/modules/public-ledger/public-figures.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { createPublicStatus, statusCsv } from '#server/modules/reports/public-status.ts'
import { CREATED_AT, type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { chanceOf } from '#tests/support/random-books.ts'

const CARDS = count({ usual: 100, long: 10_000 })
const A_DAY = count({ usual: 6, long: 250 })
const DAY_MS = 86_400_000
const NGOS = ['ngo-msf', 'ngo-cerf', 'ngo-irc', 'ngo-wfp', 'ngo-unicef']
/** So few cards may move no public figure. */
const FEWEST = 5

/** A card, and what may be found of it nowhere in public. */
interface Given {
  readonly card: SoldCard
  readonly email: string
  readonly name: string
  /** Undefined while nobody has used it. */
  chose?: Amounts
}

it(
  `no public file tells a key, a person or one recipient’s choice of ${CARDS} cards, and no key of a giver opens one`,
  async () => {
    const test = await openTestDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'ledger-canary-'))
    try {
      const { db } = test
      await beginCounts(db, testKeys, CREATED_AT)
      const clock = fakeClock(CREATED_AT)
      const chance = chanceOf(CARDS)
      const log = quietLog()
      const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
      const cards = createCards({ db, keys: testKeys, clock, listedNgoIds: () => NGOS })
      const figures = createPublicFigures({ db, clock, log, rest: nextTurn })
      const status = createPublicStatus({ db, clock, log })
      const given: Given[] = []
      const unused: Given[] = []
      const receipts: string[] = []
      let before = { cards: 0, ngos: '[]' }

      /** Everything that anybody can read, as one text. */
      const published = async (): Promise<string> => {
        await deriveFiles({ db, folder, goOn: nextTurn })
        await figures.refresh()
        await status.refresh()
        const current = figures.current()
        const named = current && withNames(current, id => id)
        const files = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        const shown = { ...status.current(), published: '2026-03-10', checkpoint: current?.day ?? null }
        return [
          ...files,
          JSON.stringify(named),
          figuresCsv(named),
          JSON.stringify(shown),
          statusCsv(shown),
        ].join()
      }

      /** What a giver is told by both keys. */
      const asGiver = async ({ privateKey, publicKey }: SoldCard): Promise<string> =>
        JSON.stringify(
          await Promise.all([
            cards.passport(publicKey, 'preview'),
            cards.passport(publicKey, 'full'),
            cards.passport(privateKey, 'full'),
            cards.open(publicKey, 'full'),
            cards.open(privateKey, 'full'),
          ]),
        )

      const nonceOf = async (entry: string): Promise<string> =>
        (
          await db.read(reader =>
            reader
              .selectFrom('ledger_nonces')
              .select('nonce')
              .where('entry_id', '=', entry)
              .executeTakeFirstOrThrow(),
          )
        ).nonce

      /** Tries what a giver of each of these has on everything that is published. */
      const expectClosed = async (some: readonly Given[], leaves: readonly string[]): Promise<void> => {
        const proofs = new Set(leaves.flatMap(text => [readLeaf(text).proof].flat()))
        for (const { card, chose } of some) {
          const told = await asGiver(card)
          const [own, sale] = [
            await nonceOf(`redemption:${card.cardId}`),
            await nonceOf(`sale:${card.orderId}`),
          ]
          expect(told).not.toContain(own)
          for (const ngoId of NGOS) expect(told).not.toContain(ngoId)
          // Even who guesses rightly what was chosen cannot see that it was.
          for (const nonce of [sale, card.publicKey, card.privateKey])
            for (const proof of [
              commitmentOf(sha256, nonce, 'given', chose!),
              blindOf(sha256, nonce, 'given'),
            ])
              expect(proofs.has(proof)).toBe(false)
        }
      }

      for (let day = 0; given.length < CARDS; day++) {
        const today = CREATED_AT + day * DAY_MS
        clock.set(today)
        for (let n = 0; n < A_DAY; n++) {
          const name = `Canary Name ${given.length + unused.length}`
          const email = `canary-${given.length + unused.length}@mail.example`
          const card = await db.transaction(trx =>
            sellCard(trx, {
              sender_name: name,
              email,
              ngo_amount: [500, 2_000, 5_000][chance(3)]!,
              created_at: today,
              expires_at: today + 1,
              settled_at: today,
            }),
          )
          unused.push({ card, email, name })
        }
        const used: Given[] = []
        for (let uses = A_DAY - chance(3); uses > 0 && unused.length > 0; uses--) {
          const one = unused.splice(chance(unused.length), 1)[0]!
          const credit = one.card.credit.amount / 100
          const first = chance(2) === 0 ? credit : 1 + chance(credit - 1)
          const place = chance(NGOS.length)
          const points = [
            { ngoId: NGOS[place]!, points: first },
            { ngoId: NGOS[(place + 1) % NGOS.length]!, points: credit - first },
          ].filter(each => each.points > 0)
          clock.advance(1)
          receipts.push((await cards.redeem(one.card.privateKey, points)).receiptKey!)
          one.chose = [
            ['cards', -one.card.credit.amount] as const,
            ...points.map(each => [`ngo:${each.ngoId}`, each.points * 100] as const),
          ].toSorted(([a], [b]) => (a < b ? -1 : 1))
          used.push(one)
          given.push(one)
        }
        const leavesNow = async () =>
          (await db.read(reader => reader.selectFrom('ledger_leaves').select('leaf').execute())).map(
            ({ leaf }) => leaf,
          )
        // Before their batch, and behind it.
        await expectClosed(used.slice(0, 2), await leavesNow())
        if (day % 10 === 9)
          for (const { ngoId, currency } of await db.read(owed)) {
            const { id } = await createPayout(db, { ngoId, currency }, clock())
            await markPaid(db, { id, reference: `SEPA ${id}` }, clock())
          }
        clock.set(today + DAY_MS)
        await sequenceDays({ db, clock, signer, draw: chance }, nextTurn)
        await figures.refresh()

        // No figure of what was chosen moves by fewer cards than a batch has.
        const [euros] = figures.current()?.currencies ?? []
        const now = {
          cards: euros?.given.count ?? 0,
          ngos: JSON.stringify(
            (await leavesNow())
              .map(readLeaf)
              .flatMap(({ cause, amounts }) => (cause === 'given' ? amounts : [])),
          ),
        }
        if (now.cards === before.cards) expect(now.ngos).toBe(before.ngos)
        else expect(now.cards - before.cards).toBeGreaterThanOrEqual(FEWEST)
        before = now
      }
      const leaves = (
        await db.read(reader => reader.selectFrom('ledger_leaves').select('leaf').execute())
      ).map(({ leaf }) => leaf)
      for (const leaf of leaves.map(readLeaf))
        if (leaf.cause === 'given') expect(leaf.proof.length).toBeGreaterThanOrEqual(FEWEST)
      expect(before.cards).toBeGreaterThan(CARDS / 2)
      await expectClosed(given.slice(0, count({ usual: 40, long: 2_000 })), leaves)

      const text = await published()
      const everything = [...given, ...unused]
      expect(text).toContain(dayInUtc(CREATED_AT))
      const secret = everything.flatMap(({ card, email, name }) => [
        card.privateKey,
        card.publicKey,
        checkWordOf(card.privateKey),
        printedCheckWord(checkWordOf(card.privateKey)),
        card.cardId,
        card.orderId,
        email,
        name,
      ])
      const found = [...secret, ...receipts, 'palestine', 'canary'].filter(each => text.includes(each))
      expect(found).toEqual([])
      expect(log.events).toEqual([])
    } finally {
      await test.close()
      rmSync(folder, { recursive: true })
    }
  },
  count({ usual: 180_000, long: 3_600_000 }),
)
