import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLeaf } from '#domain/public-ledger/leaf.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { deriveFiles, ledgerFolder } from '#server/modules/public-ledger/files.ts'
import { sequenceOnceADay } from '#server/modules/public-ledger/publish.ts'
import { LedgerAltered } from '#server/modules/public-ledger/sequence.ts'
import { serveLedger } from '#server/modules/public-ledger/serve.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { verifyFolder } from '#server/modules/public-ledger/verify-folder.ts'
import { askWitness, askWitnesses } from '#server/modules/public-ledger/witnesses.ts'
import { backup } from '#server/ops/backup.ts'
import type { Tools } from '#server/ops/command.ts'
import { ledger } from '#server/ops/ledger.ts'
import { restore } from '#server/ops/restore.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'
import { startWitness } from '#tests/support/witness.ts'

const DAY_MS = 86_400_000
const SECRET = 'a key of the public ledger, for tests alone'
const signer = createSigner(SECRET, 'gifts.example/ledger')
const goOn = async () => {}

let test: TestDatabase
let folder: string
let tools: Tools
let clock: ReturnType<typeof fakeClock>
let opened: Database[]
beforeEach(async () => {
  process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  folder = mkdtempSync(join(tmpdir(), 'gc-continue-'))
  opened = [test.db]
  tools = {
    database: async () => opened.at(-1)!,
    place: { dataDir: dataDir(), databaseUrl: test.location.databaseUrl },
    environment: {
      LEDGER_KEY: SECRET,
      SITE_URL: 'https://gifts.example',
      CARD_KEY_SECRET: TEST_CARD_SECRET,
    },
    clock,
    progress() {},
  }
})
afterEach(async () => {
  await opened.at(-1)!.close()
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

/** PostgreSQL has no folder of its own. */
const dataDir = (): string => (test.engine === 'sqlite' ? test.location.dataDir : join(folder, 'data'))
const files = (): string => ledgerFolder(dataDir())
const db = (): Database => opened.at(-1)!
async function publish(): Promise<void> {
  clock.advance(DAY_MS)
  await sequenceOnceADay({ db: db(), clock, signer, folder: files(), draw: () => 0 }, goOn)
  await deriveFiles({ db: db(), folder: files(), goOn })
}
const sell = (number: number) =>
  Promise.all(
    Array.from({ length: number }, () => db().transaction(trx => sellCard(trx, { created_at: clock() }))),
  )
const backedUp = async (name: string): Promise<string> => {
  const file = join(folder, name)
  await backup.run(tools, [file])
  return file
}
/** Everything after the backup is lost but the files that are said. */
async function restored(file: string, ...args: string[]) {
  await db().close()
  const { lines, data, ok } = await restore.run(tools, [file, ...args])
  opened.push(await openDatabase(test.location))
  return { text: lines.join('\n'), log: (data as { log: string }).log, ok }
}
const goesOn = async (...args: string[]) => {
  const { lines, data, ok } = await ledger.run(tools, ['continue', ...args])
  return { text: lines.join('\n'), how: (data as { how: string }).how, ok }
}
const checkpoint = (): string => readFileSync(join(files(), 'checkpoint'), 'utf8')
const findings = () => checkLedger(db(), { keys: testKeys, now: clock() })

describe('a backup that is brought back', () => {
  it('goes on with the log where it has everything that was published', async () => {
    await sell(5)
    await publish()
    const file = await backedUp('whole')
    expect(await restored(file)).toMatchObject({ log: 'whole', ok: true })
    await sell(5)
    await publish()
    expect((await verifyFolder(files(), signer.verifier)).checkpoint.size).toBe(10)
  })

  it('gets the lines again that were published of events which it has', async () => {
    await sell(5)
    await publish()
    await sell(5)
    const file = await backedUp('night')
    await publish()
    const before = checkpoint()
    expect(await restored(file)).toMatchObject({ log: 'replayed', ok: true })
    expect(await findings()).toEqual([])
    await deriveFiles({ db: db(), folder: files(), goOn })
    expect(checkpoint()).toBe(before)
    await sell(5)
    await publish()
    expect((await verifyFolder(files(), signer.verifier)).checkpoint.size).toBe(15)
    expect(await findings()).toEqual([])
  })

  it('that lacks published events publishes nothing, until a new name is asked for, which says why', async () => {
    await sell(5)
    await publish()
    const file = await backedUp('old')
    await sell(5)
    await publish()
    const before = checkpoint()
    const refused = await restored(file)
    expect(refused).toMatchObject({ log: 'lacks', ok: false })
    expect(refused.text).toContain('--new-name')
    await sell(5)
    await expect(publish()).rejects.toThrow(LedgerAltered)
    // Not where the files are lost as well.
    cpSync(files(), join(folder, 'kept'), { recursive: true })
    rmSync(files(), { recursive: true })
    await expect(publish()).rejects.toThrow(LedgerAltered)
    cpSync(join(folder, 'kept'), files(), { recursive: true })
    expect(await goesOn('--new-name')).toMatchObject({ how: 'new-name', ok: true })
    await publish()
    // What was published under the old name stays as it was.
    expect(checkpoint()).toBe(before)
    const next = signer.under('gifts.example/ledger/2')
    const { key, stated, checkpoint: head } = await verifyFolder(`${files()}-2`, signer.verifier)
    expect(key).toEqual(next.verifier)
    expect(head.size).toBe(11)
    expect(stated.map(({ index, statement }) => [index, statement.slice(4)])).toEqual([
      [5, [10, before.split('\n')[2], 'restored']],
    ])
    expect(await findings()).toEqual([])
    const asked = (path: string) =>
      serveLedger(files()).handle(new Request(`https://gifts.example/ledger/${path}`))
    expect(await (await asked('checkpoint')).text()).toBe(before)
    expect(await (await asked('2/checkpoint')).text()).toContain('gifts.example/ledger/2\n11\n')
    expect((await asked('3/checkpoint')).status).toBe(404)
    expect((await asked('2/tile/entries/000.p/11')).status).toBe(200)
    // Said again it changes nothing, and the log goes on.
    expect(await goesOn('--new-name')).toMatchObject({ how: 'whole', ok: true })
    await sell(5)
    await publish()
    expect((await verifyFolder(`${files()}-2`, next.verifier)).checkpoint.size).toBe(16)
    expect((await ledger.run(tools, ['verify'])).ok).toBe(true)
  })

  it('on a new machine waits for a word about what was shown last', async () => {
    await sell(5)
    await publish()
    const file = await backedUp('elsewhere')
    await sell(5)
    await publish()
    const mailed = join(folder, 'mail.txt')
    writeFileSync(mailed, `Dear friends,\r\n\r\n${checkpoint().replaceAll('\n', '\r\n')}\r\nGreetings\r\n`)
    rmSync(files(), { recursive: true })
    // As where the database is a new one too.
    await test.plant('delete from ledger_heads')
    expect(await restored(file)).toMatchObject({ log: 'unknown', ok: false })
    await expect(publish()).rejects.toThrow('ledger continue')
    expect(existsSync(files())).toBe(false)
    await expect(goesOn('--checkpoint', file)).rejects.toThrow('holds no checkpoint')
    expect(await goesOn('--checkpoint', mailed)).toMatchObject({ how: 'lacks', ok: false })
    await expect(publish()).rejects.toThrow('ledger continue')
    expect(await goesOn('--checkpoint', mailed, '--new-name')).toMatchObject({ how: 'new-name', ok: true })
    await publish()
    expect((await verifyFolder(`${files()}-2`, signer.verifier)).checkpoint.size).toBe(6)
  })

  it('goes on where the operator says that nobody was shown more', async () => {
    await sell(5)
    await publish()
    const file = await backedUp('alone')
    rmSync(files(), { recursive: true })
    await test.plant('delete from ledger_heads')
    expect(await restored(file)).toMatchObject({ log: 'unknown' })
    expect(await goesOn('--no-later-head')).toMatchObject({ how: 'whole', ok: true })
    await publish()
    expect((await verifyFolder(files(), signer.verifier)).checkpoint.size).toBe(5)
  })

  it('is compared with what witnesses have seen', async () => {
    const witness = await startWitness('witness.example/one', [signer.verifier], () =>
      Math.floor(clock() / 1_000),
    )
    tools = {
      ...tools,
      environment: { ...tools.environment, LEDGER_WITNESSES: `${witness.text} ${witness.address}` },
    }
    await sell(5)
    await publish()
    const file = await backedUp('seen')
    await sell(5)
    await publish()
    const asked = { db: db(), clock, witnesses: [witness], ask: askWitness, goOn }
    expect(await askWitnesses(asked)).toMatchObject([{ outcome: 'signed' }])
    rmSync(files(), { recursive: true })
    await test.plant('delete from ledger_cosignatures', 'delete from ledger_heads where size > 5')
    expect(await restored(file)).toMatchObject({ log: 'lacks', ok: false })
    await witness.close()
  })

  it('takes no head that another key has signed', async () => {
    await sell(5)
    await publish()
    const strange = join(folder, 'strange.txt')
    const other = createSigner('a key of somebody else, for tests alone', 'gifts.example/ledger')
    writeFileSync(strange, other.sign({ size: 900, root: new Uint8Array(32) }))
    await expect(goesOn('--checkpoint', strange)).rejects.toThrow('not signed by a key')
    const { key } = readLeaf(
      (await db().read(reader => reader.selectFrom('ledger_leaves').select('leaf').executeTakeFirstOrThrow()))
        .leaf,
    )
    expect(key).toBeUndefined()
  })
})
