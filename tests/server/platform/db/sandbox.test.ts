import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { backup } from '#server/ops/backup.ts'
import type { Tools } from '#server/ops/command.ts'
import { move } from '#server/ops/move.ts'
import { restore } from '#server/ops/restore.ts'
import { type Database, type Location, openDatabase } from '#server/platform/db/database.ts'
import { isSandbox } from '#server/platform/db/sandbox.ts'
import type { PayeeAccountsTable } from '#server/platform/db/schema.ts'
import { CREATED_AT, inviteFor, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { dropTables } from '#tests/support/drop-tables.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

let test: TestDatabase
let place: Location
const opened: Database[] = []
const closeAll = async () => {
  for (const each of opened.splice(0)) await each.close()
}
/** Making all tables takes a while on a busy PostgreSQL: tests that change nothing share a database. */
async function openPlace(): Promise<void> {
  test = await openTestDatabase()
  place = { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl }
}
async function closePlace(): Promise<void> {
  await closeAll()
  await test.close()
}

const open = async (more: Partial<Location> = {}): Promise<Database> => {
  const db = await openDatabase({ ...place, ...more })
  opened.push(db)
  return db
}
const openSandbox = (more: Partial<Location> = {}) => open({ sandbox: true, ...more })
const OF_A_SANDBOX = {
  name: 'OtherDatabase',
  message: expect.stringContaining('nothing in it is worth money'),
}
const OF_NO_SANDBOX = {
  name: 'OtherDatabase',
  message: expect.stringContaining('makes its own and takes no other'),
}

describe('the database of a sandbox', () => {
  let db: Database
  beforeAll(async () => {
    await openPlace()
    await dropTables(test)
    ;[db] = (await Promise.all(Array.from({ length: 8 }, () => openSandbox()))) as [Database]
  })
  afterAll(closePlace)

  it('is marked where it is made, by eight at once, and opened by sandboxes again', async () => {
    expect(await db.read(isSandbox)).toBe(true)
    expect(await (await openSandbox({ existing: true, asItIs: true })).read(isSandbox)).toBe(true)
  })

  it('is opened by nothing else, whatever it comes for', async () => {
    for (const door of [{}, { existing: true }, { existing: true, asItIs: true }] as const)
      await expect(open(door)).rejects.toMatchObject(OF_A_SANDBOX)
  })

  it('stays one: the mark cannot be taken away', async () => {
    await expect(db.transaction(trx => trx.deleteFrom('sandbox').execute())).rejects.toThrow('append-only')
  })

  it('keeps no account numbers, by the use case and by itself', async () => {
    const payee = {
      ngoId: 'msf',
      legalName: 'MSF',
      contact: 'money@msf.example',
      language: 'es',
      iban: 'ES9121000418450200051332',
    } as const
    await expect(proposePayee(db, testKeys, payee, CREATED_AT)).rejects.toMatchObject({
      name: 'PayeeRefused',
    })
    const { ngoId, legalName, ...rest } = payee
    const row = {
      ...rest,
      ngo_id: ngoId,
      legal_name: legalName,
      id: 'account',
      country: 'ES',
      proposed_at: CREATED_AT,
      seal: 'seal',
      state: 'proposed',
    } as Insertable<PayeeAccountsTable>
    await expect(
      db.transaction(trx => trx.insertInto('payee_accounts').values(row).execute()),
    ).rejects.toThrow('a sandbox keeps no account numbers')
  })
})

describe('a sandbox', () => {
  beforeAll(openPlace)
  afterAll(closePlace)

  it.each(['', 'an invitation'])('takes no database that another program made, holding %j', async what => {
    if (what !== '') await test.db.transaction(inviteFor)
    const before = await test.dump()
    for (const door of [{}, { existing: true }, { existing: true, asItIs: true }] as const)
      await expect(openSandbox(door)).rejects.toMatchObject(OF_NO_SANDBOX)
    expect(await test.dump()).toBe(before)
  })

  it('takes none that holds the tables of somebody else, and makes none there', async () => {
    await dropTables(test)
    await test.plant('create table customers (id integer)')
    await expect(openSandbox()).rejects.toMatchObject(OF_NO_SANDBOX)
    expect(await test.tables()).toEqual(['customers'])
  })

  // PostgreSQL alone has more than one place for the tables of a database.
  it('is not taken for made because somebody else has tables of the same names beside', async () => {
    await dropTables(test)
    if (test.engine === 'postgres')
      await test.plant(
        'create schema others',
        'create table others.schema_steps (name text)',
        'create table others.sandbox (id integer)',
      )
    for (const door of [{}, { asItIs: true }] as const)
      await expect(open({ existing: true, ...door })).rejects.toMatchObject({ name: 'NoDatabase' })
  })
})

describe('what an operator copies', () => {
  let folder: string
  beforeEach(async () => {
    await openPlace()
    folder = mkdtempSync(join(tmpdir(), 'gc-sandbox-'))
    process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
  })
  afterEach(async () => {
    await closePlace()
    rmSync(folder, { recursive: true, force: true })
  })
  const toolsOf = (sandbox: boolean): Tools => ({
    database: () => open({ sandbox }),
    place: { ...place, sandbox },
    environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock: () => CREATED_AT,
    progress() {},
  })

  it('of a sandbox is copied as one, and comes back as one alone', async () => {
    const [real, file] = [join(folder, 'real'), join(folder, 'sandbox')]
    await backup.run(toolsOf(false), [real])
    await test.db.close()
    await dropTables(test)
    await (await openSandbox()).close()
    const before = await test.dump()
    await expect(backup.run(toolsOf(false), [file])).rejects.toMatchObject(OF_A_SANDBOX)
    await backup.run(toolsOf(true), [file])
    await expect(restore.run(toolsOf(true), [real])).rejects.toThrow('takes no other')
    await expect(restore.run(toolsOf(false), [real])).rejects.toMatchObject(OF_A_SANDBOX)
    expect(await test.dump()).toBe(before)
    await restore.run(toolsOf(true), [file])
    expect(await (await openSandbox()).read(isSandbox)).toBe(true)
    await closeAll()
    // On a machine of the real site.
    await dropTables(test)
    await (await openDatabase(place)).close()
    const kept = await test.dump()
    await expect(restore.run(toolsOf(false), [file])).rejects.toThrow('nothing in it is worth money')
    expect(await test.dump()).toBe(kept)
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')('moves to PostgreSQL as what it is', async () => {
    const source = { dataDir: folder }
    const db = await openDatabase({ ...source, sandbox: true })
    await db.close()
    const to = ['--to', place.databaseUrl ?? '']
    const tools = (sandbox: boolean): Tools => ({
      ...toolsOf(sandbox),
      database: () => open({ ...source, databaseUrl: undefined, sandbox }),
      place: { ...source, sandbox },
    })
    await expect(move.run(tools(false), to)).rejects.toMatchObject(OF_A_SANDBOX)
    await expect(move.run(tools(true), to)).rejects.toMatchObject(OF_NO_SANDBOX)
    await dropTables(test)
    await move.run(tools(true), to)
    expect(await (await openSandbox()).read(isSandbox)).toBe(true)
  })
})
