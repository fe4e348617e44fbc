import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { witnesses as witnessesJob } from '#server/app/schedule/witnesses.ts'
import { deriveFiles } from '#server/modules/public-ledger/files.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { verifyFolder } from '#server/modules/public-ledger/verify-folder.ts'
import {
  askWitness,
  askWitnesses,
  cosignaturesOf,
  firstCosignatureOver,
} from '#server/modules/public-ledger/witnesses.ts'
import type { Log } from '#server/platform/log.ts'
import { CREATED_AT, sellCard } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { startWitness, type TestWitness } from '#tests/support/witness.ts'

const DAY_MS = 86_400_000
const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
const goOn = async () => {}
const run = promisify(execFile)

let test: TestDatabase
let folder: string
let clock: ReturnType<typeof fakeClock>
let one: TestWitness
let two: TestWitness
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  folder = mkdtempSync(join(tmpdir(), 'gc-witnesses-'))
  const seconds = () => Math.floor(clock() / 1_000)
  one = await startWitness('witness.example/one', [signer.verifier], seconds)
  two = await startWitness('witness.example/two', [signer.verifier], seconds, 10)
})
afterEach(async () => {
  await Promise.all([one.close(), two.close()])
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A day goes by, on which so many cards are sold, and the log is written. */
async function aDay(cards: number): Promise<void> {
  for (let n = 0; n < cards; n++) await test.db.transaction(trx => sellCard(trx, { created_at: clock() }))
  clock.advance(DAY_MS)
  await sequenceDays({ db: test.db, clock, signer, draw: () => 0 }, goOn)
  await derive()
}
const derive = () => deriveFiles({ db: test.db, folder, goOn })
const ask = (...witnesses: readonly TestWitness[]) =>
  askWitnesses({ db: test.db, clock, witnesses, ask: askWitness, goOn })
const verified = () => verifyFolder(folder, signer.verifier, [one.verifier, two.verifier])
const python = async () => {
  const program = ['tests/support/verify-ledger.py', folder, signer.verifierText, one.text]
  return JSON.parse((await run('python3', program)).stdout) as unknown
}
const seenBy = async () => (await verified()).checkpoint.cosignatures.map(({ witness }) => witness)

describe('witnesses', () => {
  it('sign each new head, with what shows that it grew, and their lines are served under it', async () => {
    for (const [size, cards] of [5, 5, 7, 300].entries()) {
      await aDay(cards)
      expect(await seenBy()).toEqual([])
      expect(await ask(one, two)).toEqual([
        { witness: one.verifier.name, outcome: 'signed' },
        { witness: two.verifier.name, outcome: 'signed' },
      ])
      await derive()
      expect(await seenBy()).toEqual([one.verifier.name, two.verifier.name])
      expect(await python()).toMatchObject({ witnesses: [one.verifier.name] })
      expect(one.seen.filter(each => each === '200')).toHaveLength(size + 1)
    }
    // Nobody is asked twice about the same head.
    const before = one.seen.length
    expect(await ask(one)).toEqual([{ witness: one.verifier.name, outcome: 'known' }])
    expect(one.seen).toHaveLength(before)
    const served = readFileSync(join(folder, 'checkpoint'), 'utf8')
    await derive()
    expect(readFileSync(join(folder, 'checkpoint'), 'utf8')).toBe(served)
  })

  it('are asked of nothing before the first head', async () => {
    expect(await ask(one)).toEqual([])
    expect(one.seen).toEqual([])
  })

  it('that know an older or a newer head than was thought are asked again from it', async () => {
    await aDay(5)
    await ask(one)
    await aDay(5)
    const other = await test.another()
    // As after a backup that is older than what the witness signed, of the same log.
    await test.plant('delete from ledger_cosignatures')
    expect(await askWitnesses({ db: other, clock, witnesses: [one], ask: askWitness, goOn })).toEqual([
      { witness: one.verifier.name, outcome: 'signed' },
    ])
    expect(one.seen).toEqual(['old 0', '200', 'old 0', '409', 'old 5', '200'])
    await derive()
    expect(await seenBy()).toEqual([one.verifier.name])
  })

  it('that are away delay nothing, and are asked again', async () => {
    await aDay(5)
    await two.close()
    const outcomes = await ask(one, two)
    expect(outcomes).toEqual([
      { witness: one.verifier.name, outcome: 'signed' },
      { witness: two.verifier.name, outcome: 'silent', why: 'no answer', since: clock() },
    ])
    await derive()
    expect(await seenBy()).toEqual([one.verifier.name])
    await aDay(5)
    expect((await verified()).checkpoint.size).toBe(10)
  })

  it('that have seen a longer log, or another one, say so at once', async () => {
    await aDay(5)
    await ask(one)
    await aDay(5)
    await ask(one)
    await test.plant(
      'delete from ledger_cosignatures',
      'delete from ledger_heads where size > 5',
      'delete from ledger_leaf_entries where seq >= 5',
      'delete from ledger_leaves where seq >= 5',
    )
    expect(await ask(one)).toEqual([
      {
        witness: one.verifier.name,
        outcome: 'differs',
        why: 'it has signed 10 lines, of which there are 5 here',
      },
    ])
    // As on a machine that has no files of before: they would stop it already.
    rmSync(folder, { recursive: true })
    await aDay(6)
    expect(await ask(one)).toEqual([
      {
        witness: one.verifier.name,
        outcome: 'differs',
        why: 'it says that this log is no continuation of the one it knows',
      },
    ])
    expect(await test.db.read(reader => cosignaturesOf(reader, 16))).toEqual([])
  })

  it.each<[string, (note: string) => { status: number; body: string }, string]>([
    [
      'no signature of its key',
      () => ({ status: 200, body: '— other.example/x AAAAAAAAAA==\n' }),
      'no signature of its key',
    ],
    ['a signature that does not fit', () => ({ status: 200, body: forged() }), 'does not fit'],
    ['no lines', () => ({ status: 200, body: '<html>' }), 'malformed'],
    ['a redirect', () => ({ status: 307, body: '' }), 'it answers 307'],
    ['that it does not know the log', () => ({ status: 404, body: '' }), 'it answers 404'],
    ['a conflict without a size', () => ({ status: 409, body: 'x' }), 'no size'],
    ['more than anybody reads', () => ({ status: 200, body: 'x'.repeat(100_000) }), 'no answer'],
  ])('that answer %s are silent, and nothing of it is kept', async (_, misbehave, why) => {
    await aDay(5)
    one.misbehave = misbehave
    expect(await ask(one)).toEqual([
      { witness: one.verifier.name, outcome: 'silent', why: expect.stringContaining(why), since: clock() },
    ])
    expect(await test.db.read(reader => cosignaturesOf(reader, 5))).toEqual([])
    one.misbehave = undefined
    expect(await ask(one)).toMatchObject([{ outcome: 'signed' }])
  })

  it('whose clock is far ahead are not believed', async () => {
    await aDay(5)
    const early = await startWitness(
      'witness.example/early',
      [signer.verifier],
      () => clock() / 1_000 + 3_600,
    )
    expect(await ask(early)).toMatchObject([{ outcome: 'silent', why: 'its clock is ahead' }])
    await early.close()
  })

  it('have a first signature over each line, which stays the first', async () => {
    await aDay(5)
    const over = (seq: number) => test.db.read(reader => firstCosignatureOver(reader, seq))
    expect(await over(4)).toBeUndefined()
    await aDay(5)
    await ask(two)
    clock.advance(60_000)
    await ask(one)
    const first = await over(4)
    expect(first).toMatchObject({ witness: two.text, head: { size: 10 } })
    await aDay(5)
    await ask(one, two)
    expect(await over(4)).toEqual(first)
    expect(await over(10)).toMatchObject({ head: { size: 15 } })
    expect(await over(15)).toBeUndefined()
  })

  const forged = (): string => {
    const encoded = Buffer.concat([
      Buffer.from(one.text.split('+')[1]!, 'hex'),
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
      Buffer.alloc(64, 1),
    ]).toString('base64')
    return `— ${one.verifier.name} ${encoded}\n`
  }
})

describe('the job', () => {
  it('tells the operator of a witness that was silent for three days, and at once of one that differs', async () => {
    const errors: (readonly [string, unknown])[] = []
    const log: Log = { ...quietLog(), error: (event, _, facts) => void errors.push([event, facts]) }
    const job = witnessesJob({ clock, log }, () => ask(one))
    const run = () => job.run({ goOn })
    await aDay(5)
    one.misbehave = () => ({ status: 500, body: '' })
    expect(await run()).toEqual({ signed: 0, silent: 1 })
    clock.advance(3 * DAY_MS - 1)
    await run()
    expect(errors).toEqual([])
    clock.advance(1)
    await run()
    expect(errors).toEqual([
      ['witness-silent', { witness: one.verifier.name, why: 'it answers 500', since: '2026-03-11' }],
    ])
    one.misbehave = undefined
    expect(await run()).toEqual({ signed: 1, silent: 0 })
    // A quiet week is no silence of the witness.
    clock.advance(7 * DAY_MS)
    await aDay(5)
    one.misbehave = () => ({ status: 500, body: '' })
    await run()
    expect(errors).toHaveLength(1)
    one.misbehave = () => ({ status: 422, body: '' })
    await run()
    expect(errors[1]![0]).toBe('witness-differs')
  })
})
