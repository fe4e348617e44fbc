import crypto from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { CREATED_AT } from '#tests/builders/server.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { bookCards, chanceOf, DAY_MS } from '#tests/support/random-books.ts'

const CARDS = 1_500
/** Of a batch of 400, or of a whole tile and the levels above: a few milliseconds of a slow processor. */
const MOST_HASHES = 1_100

/** What is hashed is counted at Node's own function, by which everybody hashes. */
const hashing = vi.spyOn(crypto, 'hash')
syncBuiltinESMExports()
afterAll(() => {
  hashing.mockRestore()
  syncBuiltinESMExports()
})

it(`the publishing of ${CARDS} gifts gives others their turn after some hundred hashes`, async () => {
  const test = await openTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'ledger-turns-'))
  try {
    const { db } = test
    const chance = chanceOf(CARDS)
    const clock = fakeClock(CREATED_AT + DAY_MS)
    await bookCards(db, chance, CARDS, CREATED_AT)
    const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
    const turns: number[] = []
    const goOn = async () => {
      turns.push(hashing.mock.calls.length)
      hashing.mockClear()
    }
    hashing.mockClear()
    const { leaves } = await sequenceDays({ db, clock, signer, draw: chance }, goOn)
    await deriveFiles({ db, folder, goOn })
    await goOn()
    expect(leaves).toBeGreaterThan(500)
    // Each event is hashed once for its line; lines for the tree, and again for the files.
    expect(turns.reduce((sum, hashes) => sum + hashes, 0)).toBeGreaterThan(2 * CARDS)
    expect(Math.max(...turns)).toBeLessThan(MOST_HASHES)
  } finally {
    await test.close()
    rmSync(folder, { recursive: true })
  }
})
