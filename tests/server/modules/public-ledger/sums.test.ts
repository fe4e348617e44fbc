import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayInUtc } from '#domain/days.ts'
import { figuresOfLeaves } from '#domain/public-ledger/figures.ts'
import { verifyLog } from '#domain/public-ledger/verify.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { createPublicFigures } from '#server/modules/public-ledger/public-figures.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { waitingEntries } from '#server/modules/public-ledger/waiting.ts'
import { QUERIES } from '#server/modules/reports/queries.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'
import { readIfThere } from '#server/platform/files.ts'
import { CREATED_AT } from '#tests/builders/server.ts'
import { count, isLong } from '#tests/support/counts.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { bookCards, chanceOf, DAY_MS, payOutAll } from '#tests/support/random-books.ts'

const CARDS = count({ usual: 1_000, long: 100_000 })
const DAYS = count({ usual: 60, long: 365 })
/** The log is written so often; in the long run it is the last days alone that are written one by one. */
const WRITTEN_EVERY = count({ usual: 10, long: 15 })
const ONE_BY_ONE = 5

// As the browser has them (screens/shared/ledger/verifier.ts).
hashes.sha512 = sha512

/** How long the process works at most before others are answered, ms: its own time, however busy the machine is. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const before = process.cpuUsage()
    await nextTurn()
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
  }
  await working
  return longest
}

it(
  `what a browser adds up, with what may not be shown yet, is the operator’s report and the desk’s, over ${CARDS} random cards`,
  async () => {
    const test = await openTestDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'ledger-sums-'))
    try {
      const clock = fakeClock(CREATED_AT)
      const chance = chanceOf(CARDS)
      const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
      const { db } = test
      const write = () => sequenceDays({ db, clock, signer, draw: chance }, nextTurn)
      let blocked = 0
      for (let day = 0; day < DAYS; day++) {
        const at = CREATED_AT + day * DAY_MS
        clock.set(at)
        const cards = Math.floor((CARDS * (day + 1)) / DAYS) - Math.floor((CARDS * day) / DAYS)
        await bookCards(db, chance, cards, at)
        if (day % 30 === 29) await payOutAll(db, chance, at + DAY_MS - 1)
        const isOneByOne = isLong && day >= DAYS - ONE_BY_ONE
        if (day % WRITTEN_EVERY !== WRITTEN_EVERY - 1 && !isOneByOne) continue
        clock.set(at + DAY_MS)
        if (isOneByOne) blocked = Math.max(blocked, await longestTurn(write))
        else await write()
      }
      clock.set(CREATED_AT + DAYS * DAY_MS)
      await write()
      await payOutAll(db, () => 1, clock())
      clock.advance(40 * DAY_MS)
      const { waiting } = await write()
      await deriveFiles({ db, folder, goOn: nextTurn })

      const figures = figuresOfLeaves()
      const { sums, checkpoint } = await verifyLog({
        sha256,
        verify: (publicKey, message, signature) => verify(signature, message, publicKey),
        verifier: signer.verifier,
        read: path => readIfThere(join(folder, path)),
        onLeaf: leaf => figures.add(leaf),
      })
      const inMemory = createPublicFigures({ db, clock, log: quietLog(), rest: nextTurn })
      await inMemory.refresh()
      expect(inMemory.current()?.currencies).toEqual(figures.read())
      const shown = new Map(sums)
      // What may not be shown yet: the last cards of a currency, and payouts that tell of too few.
      const unshown = await waitingEntries(db, dayInUtc(clock()), nextTurn)
      expect(unshown).toHaveLength(waiting)
      expect(waiting).toBeLessThan(CARDS / 20)
      for (const { currency, amounts, ...entry } of unshown) {
        figures.add({ ...entry, currency, amounts, proof: 'waits' })
        const accounts = new Map(shown.get(currency))
        for (const [account, amount] of amounts) accounts.set(account, (accounts.get(account) ?? 0) + amount)
        shown.set(currency, accounts)
      }
      // The books themselves, account by account.
      const books = await db.read(reader =>
        reader
          .selectFrom('ledger_entries')
          .select(['currency', 'account', sumOf('amount').as('sum')])
          .groupBy(['currency', 'account'])
          .having(sql<boolean>`sum(amount) <> 0`)
          .execute(),
      )
      const flat = (rows: readonly (readonly [string, string, number])[]) =>
        rows.map(row => row.join(' ')).toSorted()
      expect(
        flat(
          [...shown].flatMap(([currency, accounts]) =>
            [...accounts].flatMap(([account, sum]) => (sum === 0 ? [] : [[currency, account, sum] as const])),
          ),
        ),
      ).toEqual(flat(books.map(({ currency, account, sum }) => [currency, account, Number(sum)] as const)))

      const report = await db.read(reader => readSummary(reader, clock()))
      const desk = await QUERIES.summary(db, clock())
      expect(desk.money).toEqual(report.money)
      const read = figures.read()
      expect(
        read.map(each => ({
          currency: each.currency,
          orders: each.sold.count,
          paid: each.sold.amount,
          campaign: each.free.amount,
          support: each.support,
          tax: each.tax,
          volunteering: each.volunteering,
          outstanding: each.onCards,
          allocated: each.given.amount + each.givenAway.amount,
          beingPaidOut: each.inTransfer,
          paidOut: each.paidOut,
          refunded: each.refunded,
          losses: each.lost,
        })),
      ).toEqual(report.money)
      if (isLong)
        console.info(
          `${test.engine}: ${checkpoint.size} lines of ${CARDS} cards; a day’s writing works ${blocked.toFixed(0)} ms in one turn at most`,
        )
    } finally {
      await test.close()
      rmSync(folder, { recursive: true })
    }
  },
  count({ usual: 120_000, long: 3_600_000 }),
)
