import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLeaf } from '#domain/public-ledger/leaf.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { advise, withdrawAdvice } from '#server/modules/payouts/advices/advices.ts'
import { createReceivedPayouts } from '#server/modules/payouts/advices/received.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { LedgerAltered, sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner, type LedgerSigner } from '#server/modules/public-ledger/signer.ts'
import { verifyFolder } from '#server/modules/public-ledger/verify-folder.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const DAY_MS = 86_400_000
const NAME = 'gifts.example/ledger'
const signerOf = (secret: string) => createSigner(secret, NAME)
const first = signerOf('the first key of the public ledger, for tests')
const second = signerOf('the second key of the public ledger, for tests')
const third = signerOf('the third key of the public ledger, for tests')
const goOn = async () => {}
const run = promisify(execFile)

let test: TestDatabase
let folder: string
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  folder = mkdtempSync(join(tmpdir(), 'gc-keys-'))
})
afterEach(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const sequence = (signer: LedgerSigner, ...earlier: readonly LedgerSigner[]) =>
  sequenceDays({ db: test.db, clock, signer, earlier, draw: () => 0 }, goOn)
const files = () => join(folder, 'ledger')
const derive = () => deriveFiles({ db: test.db, folder: files(), goOn })
async function aDay(signer: LedgerSigner, ...earlier: readonly LedgerSigner[]): Promise<void> {
  await test.db.transaction(trx => sellCard(trx, { created_at: clock() }))
  clock.advance(DAY_MS)
  await sequence(signer, ...earlier)
  await derive()
}
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })
const python = async (key: LedgerSigner) =>
  JSON.parse(
    (await run('python3', ['tests/support/verify-ledger.py', files(), key.verifierText])).stdout,
  ) as { size: number; received: number }
const leaves = async () =>
  (
    await test.db.read(reader => reader.selectFrom('ledger_leaves').select('leaf').orderBy('seq').execute())
  ).map(({ leaf }) => readLeaf(leaf))

describe('a new key', () => {
  it('is named by the old one in a line, from which on it signs', async () => {
    await aDay(first)
    await aDay(second, first)
    await aDay(second, first)
    await aDay(third, second, first)
    const said = (await leaves()).flatMap(({ key }) => (key ? [key.slice(1, 3)] : []))
    expect(said).toEqual([
      [first.verifierText, second.verifierText],
      [second.verifierText, third.verifierText],
    ])
    for (const known of [first, second, third]) {
      const { key, checkpoint } = await verifyFolder(files(), known.verifier)
      expect(key).toEqual(third.verifier)
      expect(checkpoint.size).toBe(6)
      expect(await python(known)).toMatchObject({ size: 6 })
    }
    const stranger = signerOf('a key of nobody, for tests alone')
    await expect(verifyFolder(files(), stranger.verifier)).rejects.toThrow('no signature is of a known key')
    await expect(python(stranger)).rejects.toMatchObject({ code: 1 })
    expect(await findings()).toEqual([])
  })

  it('signs nothing where the old one is not there to name it', async () => {
    await aDay(first)
    clock.advance(DAY_MS)
    await expect(sequence(second)).rejects.toThrow(LedgerAltered)
    await expect(sequence(second, third)).rejects.toThrow('signed by another key')
    await derive()
    expect((await verifyFolder(files(), first.verifier)).checkpoint.size).toBe(1)
  })

  it('is named on a day without anything else', async () => {
    await aDay(first)
    clock.advance(DAY_MS)
    expect(await sequence(second, first)).toMatchObject({ leaves: 1, size: 2 })
    expect(await sequence(second, first)).toMatchObject({ leaves: 0, size: 2 })
  })

  it('is that of another name as well, where the site has another address', async () => {
    await aDay(first)
    const elsewhere = first.under('other.example/ledger')
    await aDay(elsewhere)
    expect((await verifyFolder(files(), first.verifier)).key).toEqual(elsewhere.verifier)
  })
})

describe('what organisations confirm', () => {
  const receipt = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n')
  const digest = createHash('sha256').update(receipt).digest('hex')
  beforeEach(async () => {
    const typed = {
      ngoId: 'msf',
      legalName: 'MSF',
      language: 'es',
      iban: 'ES9121000418450200051332',
    } as const
    await proposePayee(test.db, testKeys, { ...typed, contact: 'money@msf.example' }, clock())
    await confirmPayee(test.db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, clock())
  })
  /** As the organisation does by the link of its mail. */
  const confirm = async (payoutId: string, file?: Uint8Array) => {
    const { advice } = await advise(test.db, testKeys, payoutId, clock())
    const key = testKeys.adviceKey(advice.id, advice.key_version)
    const parts = { db: test.db, keys: testKeys, clock, dataDir: folder }
    expect(await createReceivedPayouts(parts).confirm(advice.id, key, file)).toMatchObject({
      receivedAt: clock(),
    })
  }
  const sellAndRedeem = async (number: number) => {
    const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
    for (let n = 0; n < number; n++) {
      const sold = await test.db.transaction(trx => sellCard(trx, { created_at: clock() }))
      clock.advance(1)
      await cards.redeem(sold.privateKey, [{ ngoId: 'msf', points: 50 }])
    }
  }
  const pay = async (): Promise<string> => {
    const { id } = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
    await markPaid(test.db, { id, reference: 'SEPA' }, clock(), testKeys)
    return id
  }
  const nextDay = async () => {
    clock.advance(DAY_MS)
    await sequence(first)
    await derive()
  }
  const received = async () => (await leaves()).flatMap(({ received: said }) => (said ? [said.slice(1)] : []))

  it('is a line with its receipt, a day after, and another one where it is taken back', async () => {
    await sellAndRedeem(20)
    const id = await pay()
    await nextDay()
    await confirm(id, receipt)
    clock.advance(1)
    await sequence(first)
    expect(await received()).toEqual([])
    await nextDay()
    expect(await received()).toEqual([['msf', '2026', 100_000, [digest]]])
    await nextDay()
    expect(await received()).toHaveLength(1)
    await withdrawAdvice(test.db, id, clock())
    await nextDay()
    expect((await received()).at(-1)).toEqual(['msf', '2026', -100_000, []])
    await confirm(id)
    await nextDay()
    expect((await received()).at(-1)).toEqual(['msf', '2026', 100_000, []])
    await verifyFolder(files(), first.verifier)
    expect(await python(first)).toMatchObject({ received: 100_000 })
    expect(await findings()).toEqual([])
  })

  it('waits where a line is of several payouts, until all of them have arrived', async () => {
    await sellAndRedeem(19)
    const one = await pay()
    clock.advance(1)
    await sellAndRedeem(1)
    const two = await pay()
    await nextDay()
    expect((await leaves()).filter(({ cause }) => cause === 'payout')).toHaveLength(1)
    await confirm(one, receipt)
    await nextDay()
    expect(await received()).toEqual([])
    await confirm(two)
    await nextDay()
    expect(await received()).toEqual([['msf', '2026', 100_000, [digest]]])
  })

  it('is of no payout that is in no line', async () => {
    await sellAndRedeem(3)
    await confirm(await pay())
    await nextDay()
    expect(await received()).toEqual([])
  })
})
