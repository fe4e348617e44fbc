import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import { noteAsked, openRestoration } from '#server/modules/gifts/cards/restored.ts'
import { openCardKeys } from '#server/modules/gifts/cards/secrets.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { backup } from '#server/ops/backup.ts'
import type { Command, Tools } from '#server/ops/command.ts'
import { erase } from '#server/ops/erase.ts'
import { unlistedErasures } from '#server/ops/erasures.ts'
import { partner } from '#server/ops/partner.ts'
import { reconcile } from '#server/ops/reconcile.ts'
import { restore } from '#server/ops/restore.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

let test: TestDatabase
let db: Database
let clock: ReturnType<typeof fakeClock>
let folder: string
let tools: Tools
beforeEach(async () => {
  process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
  test = await openTestDatabase()
  db = test.db
  clock = fakeClock(CREATED_AT)
  folder = mkdtempSync(join(tmpdir(), 'gc-forgotten-'))
  // The tests of a process may share a folder, and others have people who are listed.
  rmSync(list(), { force: true })
  await beginCounts(db, testKeys, CREATED_AT)
  tools = {
    database: async () => db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock,
    progress() {},
  }
})
afterEach(async () => {
  await db.close()
  rmSync(list(), { force: true })
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const list = () => join(test.location.dataDir, 'backups/erasures')
const ops = async (command: Command, args: readonly string[], changes: Partial<Tools> = {}) => {
  const { lines, ok } = await command.run({ ...tools, ...changes }, args)
  return { text: lines.join('\n'), ok }
}
const cardNow = () => db.read(r => r.selectFrom('cards').selectAll().executeTakeFirstOrThrow())

/** Somebody bought a card, a backup was made, and a day later the person was forgotten. @returns the backup */
async function forgottenSince(): Promise<string> {
  await db.transaction(trx => sellCard(trx))
  const { email } = await cardNow()
  const file = join(folder, 'copy')
  await backup.run(tools, [file])
  clock.advance(DAY_MS)
  expect(await ops(erase, [email!, '--yes'])).toMatchObject({ ok: true })
  return file
}

async function restored(file: string, changes: Partial<Tools> = {}) {
  await db.close()
  const said = await ops(restore, [file], changes)
  db = await openDatabase(test.location)
  return said
}

/** The mails that a site queues which starts now, once the card's reminder is due. */
async function remindersOnceDue(): Promise<number> {
  const { remind_at: at } = await cardNow()
  clock.advance(at! - clock() + 1)
  return (await remindSome({ db, clock })).queued
}

const nobody = { email: null, sender_name: null }
const FORGOTTEN = 'Forgotten again: 1 person who asked for it since.'
const LATER_SECRET = 'another secret that only the tests know of'
const withoutSecret = { environment: {} }

describe('a person who was forgotten since a backup', () => {
  it('is forgotten again by `restore`, and the site that starts then writes to nobody', async () => {
    const said = await restored(await forgottenSince())
    expect(said).toMatchObject({ ok: true, text: expect.stringContaining(FORGOTTEN) })
    expect(said.text).toContain('Start the site.')
    expect(await cardNow()).toMatchObject(nobody)
    expect(await remindersOnceDue()).toBe(0)
  })

  it('is forgotten again by `reconcile --restored` where the database came back by other means', async () => {
    const file = await forgottenSince()
    renameSync(list(), join(folder, 'put away'))
    const { text } = await restored(file)
    expect(text).not.toContain('Forgotten again')
    expect(text).toContain('No list beside the backups says who was forgotten')
    expect(await cardNow()).not.toMatchObject(nobody)
    renameSync(join(folder, 'put away'), list())
    const said = await ops(reconcile, ['--restored'])
    expect(said).toMatchObject({ ok: true, text: expect.stringContaining(FORGOTTEN) })
    expect(said.text).toContain('Noted. Start the site')
    expect(await cardNow()).toMatchObject(nobody)
    expect(await remindersOnceDue()).toBe(0)
  })

  it('waits for the secret where it is not here, and neither command says that the site may start', async () => {
    const file = await forgottenSince()
    const afterRestore = await restored(file, withoutSecret)
    const afterReconcile = await ops(reconcile, ['--restored'], withoutSecret)
    for (const { text, ok } of [afterRestore, afterReconcile]) {
      expect(ok).toBe(false)
      expect(text).toContain('Nobody was forgotten again: that needs CARD_KEY_SECRET')
      expect(text).not.toContain('Start the site')
    }
    expect(await ops(reconcile, ['--restored'])).toMatchObject({
      ok: true,
      text: expect.stringContaining(FORGOTTEN),
    })
    expect(await cardNow()).toMatchObject(nobody)
  })

  it('stays forgotten, and everybody else known, however often it is said', async () => {
    const file = await forgottenSince()
    await restored(file)
    await db.transaction(trx => sellCard(trx, { email: 'somebody@else.example' }))
    for (const args of [['--restored'], ['--restored'], []]) await ops(reconcile, args)
    const known = await db.read(r => r.selectFrom('cards').select('email').execute())
    expect(known.map(({ email }) => email).sort()).toEqual([null, 'somebody@else.example'])
  })

  it('stands on the list beside the backup on a new machine, and on its own list from then on', async () => {
    const file = await forgottenSince()
    const before = readFileSync(list(), 'utf8')
    renameSync(list(), join(folder, 'erasures'))
    const withoutIt = await restored(file, withoutSecret)
    expect(withoutIt).toMatchObject({ ok: false, text: expect.stringContaining('Nobody was forgotten') })
    expect(readFileSync(list(), 'utf8')).toBe(before)
    rmSync(list())
    clock.advance(1)
    expect(await restored(file)).toMatchObject({ ok: true, text: expect.stringContaining(FORGOTTEN) })
    expect(await cardNow()).toMatchObject(nobody)
    expect(readFileSync(list(), 'utf8')).toBe(before)
  })

  it.each([
    ['of the site', () => list()],
    ['beside the backup', () => join(folder, 'erasures')],
  ])('stays forgotten where the list %s is damaged: nothing is replaced until it is whole', async (_, of) => {
    const file = await forgottenSince()
    const whole = readFileSync(list(), 'utf8')
    writeFileSync(of(), whole.slice(0, -9))
    await expect(restored(file)).rejects.toThrow(`The list ${of()} has a line that cannot be read`)
    db = await openDatabase(test.location)
    expect(await cardNow()).toMatchObject(nobody)
    writeFileSync(of(), whole)
    expect(await restored(file)).toMatchObject({ ok: true, text: expect.stringContaining(FORGOTTEN) })
  })

  it('is forgotten again where the lists can be read and not written', async () => {
    const file = await forgottenSince()
    // What was revoked cannot be listed either, and keeps nobody from being forgotten.
    const added = await ops(partner, ['add', '--name', 'Shop', '--contact', 'shop@example.org'])
    await ops(partner, ['revoke', /^The key of (\w{26})/m.exec(added.text)![1]!])
    const backups = join(test.location.dataDir, 'backups')
    for (const name of ['erasures', 'revocations']) renameSync(join(backups, name), join(folder, name))
    rmSync(backups, { recursive: true, force: true })
    symlinkSync(join(folder, 'a disk that is away'), backups)
    const said = await restored(file).finally(() => rmSync(backups))
    expect(said).toMatchObject({ ok: true, text: expect.stringContaining(FORGOTTEN) })
    expect(said.text).toContain(`The list ${list()} could not be written`)
    expect(await cardNow()).toMatchObject(nobody)
  })

  it('stands on every list once the one that could not be written is written by the next backup', async () => {
    const archive = join(folder, 'archive')
    // In the place of the folder, which is away.
    writeFileSync(archive, '')
    const environment = { ...tools.environment, WAL_ARCHIVE: archive }
    await db.transaction(trx => sellCard(trx))
    const { email } = await cardNow()
    expect(await ops(erase, [email!, '--yes'], { environment })).toMatchObject({
      ok: true,
      text: expect.stringContaining(`The list ${join(archive, 'erasures')} could not be written`),
    })
    const backedUp = (name: string) => ops(backup, [join(folder, name)], { environment })
    expect(await backedUp('one')).toMatchObject({
      ok: true,
      text: expect.stringContaining('could not be written'),
    })
    rmSync(archive)
    expect(await unlistedErasures({ ...tools, environment })).toBe(1)
    expect((await backedUp('two')).text).not.toContain('could not be written')
    expect(await unlistedErasures({ ...tools, environment })).toBe(0)
    expect(readFileSync(join(archive, 'erasures'), 'utf8')).toBe(readFileSync(list(), 'utf8'))
  })

  it('waits for a secret that came after the backup: no command says that the site may start, or is done', async () => {
    await db.transaction(trx => sellCard(trx))
    const { email } = await cardNow()
    await openCardKeys(db, { current: TEST_CARD_SECRET, earlier: [] }, clock())
    const file = join(folder, 'copy')
    await backup.run(tools, [file])
    const changed = { CARD_KEY_SECRET: LATER_SECRET, CARD_KEY_SECRET_EARLIER: TEST_CARD_SECRET }
    const secrets = { current: LATER_SECRET, earlier: [TEST_CARD_SECRET] }
    await openCardKeys(db, secrets, clock())
    clock.advance(DAY_MS)
    expect(await ops(erase, [email!, '--yes'], { environment: changed })).toMatchObject({ ok: true })

    const afterRestore = await restored(file)
    const afterReconcile = await ops(reconcile, ['--restored'])
    await db.transaction(trx => noteAsked(trx, clock()))
    const afterDone = await ops(reconcile, ['--done'])
    for (const { text, ok } of [afterRestore, afterReconcile, afterDone]) {
      expect(ok).toBe(false)
      expect(text).toContain('1 line of the list `erasures` needs another CARD_KEY_SECRET')
      expect(text).not.toContain('Start the site')
    }
    // Of a site that runs, a new `--restored` would close what was sold since.
    expect(afterReconcile.text).toContain('say `ops reconcile --restored`')
    expect(afterDone.text).toContain('say `ops reconcile` again')
    expect(await db.read(openRestoration)).toBeDefined()
    expect(await cardNow()).not.toMatchObject(nobody)

    const environment = { CARD_KEY_SECRET: TEST_CARD_SECRET, CARD_KEY_SECRET_EARLIER: LATER_SECRET }
    const said = await ops(reconcile, ['--restored'], { environment })
    expect(said).toMatchObject({ ok: true, text: expect.stringContaining(FORGOTTEN) })
    expect(said.text).toContain('Noted. Start the site')
    expect(await cardNow()).toMatchObject(nobody)
    await db.transaction(trx => noteAsked(trx, clock()))
    expect(await ops(reconcile, ['--done'], { environment })).toMatchObject({ ok: true })
    expect(await db.read(openRestoration)).toBeUndefined()
  })
})
