import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { PAYEE_WAIT_MS } from '#domain/payout/payee-accounts.ts'
import { createPartnerDesk } from '#server/modules/desk/partner-desk.ts'
import { createPeopleDesk } from '#server/modules/desk/people-desk.ts'
import { listRevocations } from '#server/modules/desk/revocations.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { createPeople } from '#server/modules/operator/people.ts'
import { createPartners } from '#server/modules/partners/partners.ts'
import { confirmPayee, currentPayee, noteTold, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { account } from '#server/ops/account.ts'
import { backup } from '#server/ops/backup.ts'
import type { Command, Tools } from '#server/ops/command.ts'
import { partner } from '#server/ops/partner.ts'
import { people } from '#server/ops/people.ts'
import { reconcile } from '#server/ops/reconcile.ts'
import { restore } from '#server/ops/restore.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import { aPress } from '#tests/builders/press.ts'
import { CREATED_AT, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

const IBAN = 'ES9121000418450200051332'
const OTHER_IBAN = 'DE89370400440532013000'

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
  folder = mkdtempSync(join(tmpdir(), 'gc-revoked-'))
  // The tests of a process may share a folder, and others have acts that are listed.
  rmSync(list(), { recursive: true, force: true })
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
  rmSync(list(), { recursive: true, force: true })
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const list = () => join(test.location.dataDir, 'backups/revocations')
const listed = () => readFileSync(list(), 'utf8')
const ops = async (command: Command, ...args: string[]) => (await command.run(tools, args)).lines.join('\n')
const mac = testKeys.mac
const parts = () => ({ db, clock, mac })

/** A partner's key, as it was shown once. */
async function aPartner(name = 'Shop') {
  const said = await ops(partner, 'add', '--name', name, '--contact', 'shop@example.org')
  const [, id = '', key = ''] = /^The key of (\w{26}), which is shown once: (\S+)$/m.exec(said) ?? []
  return { id, key }
}

/** Somebody whom the machine has invited, who can come in with this code from tomorrow on. */
async function anInvitation(name = 'Ben') {
  const said = await ops(people, 'invite', '--name', name, '--email', 'ben@example.org')
  const [, id = '', code = ''] = /^The code of (\w{26}): (\S+)$/m.exec(said) ?? []
  return { id, code: code.replaceAll('-', '') }
}

/** Somebody with a passkey. */
async function aTreasurer(name = 'Ana') {
  const [id, passkey] = [newId(clock()), `passkey-of-${name}`]
  const { first } = createPeople(parts())
  const made = await first(id, name, { id: passkey, publicKey: 'key', counter: 0 }, async () => undefined)
  expect(made).toBe(true)
  return { id, passkey }
}

/** An organisation is paid to an account from now on. */
async function isPaidTo(ngoId: string, iban = IBAN) {
  const contact = `money@${ngoId}.example`
  const typed = { ngoId, legalName: 'Organisation', contact, language: 'es', iban } as const
  const { id } = await proposePayee(db, testKeys, typed, clock())
  await db.transaction(trx => noteTold(trx, testKeys, id, clock()))
  clock.advance(PAYEE_WAIT_MS)
  await confirmPayee(db, testKeys, { ngoId, who: 'Núria Prat', how: 'phone' }, clock())
}

const accountOf = async (ngoId: string) => (await db.read(r => currentPayee(r, testKeys, ngoId)))?.iban

async function backedUp(): Promise<string> {
  const file = join(folder, 'copy')
  await backup.run(tools, [file])
  clock.advance(DAY_MS)
  return file
}

/** @returns what `restore` says */
async function restored(file: string): Promise<string> {
  await db.close()
  const { lines } = await restore.run(tools, [file])
  db = await openDatabase(test.location)
  return lines.join('\n')
}

describe('what was revoked since a backup', () => {
  it.each(['restore', 'reconcile', 'reconcile --restored'] as const)(
    'opens nothing after it was brought back and `%s` was said, and what was granted anew stays',
    async by => {
      const [bad, good] = [await aPartner(), await aPartner('School')]
      const ana = await aTreasurer()
      const ben = await anInvitation()
      await isPaidTo('msf')
      await isPaidTo('cerf')
      await isPaidTo('unicef')
      const file = await backedUp()
      await ops(partner, 'revoke', bad.id)
      await ops(people, 'end', ana.id)
      await ops(people, 'end', ben.id)
      // One account is replaced, another withdrawn: neither is to be paid to again.
      await isPaidTo('cerf', OTHER_IBAN)
      await ops(account, 'withdraw', 'msf', '--current')
      const before = listed()
      expect(before).toMatch(/^((partner|person|account) \w{26} [\d-]{10}T[\d:.]{12}Z\n){5}$/)

      if (by !== 'restore') renameSync(list(), join(folder, 'put away'))
      const said = await restored(file)
      if (by === 'restore')
        expect(said).toContain(
          'Revoked again: 1 key of a partner, 2 people at the desk, 2 accounts of organisations.',
        )
      const isThere = await createPeople(parts()).standing(ana.id)
      expect(isThere === undefined).toBe(by === 'restore')
      if (by !== 'restore') renameSync(join(folder, 'put away'), list())
      const [added, cyd] = [await aPartner('Library'), await anInvitation('Cyd')]
      for (let n = 0; n < 2; n++) {
        if (by === 'reconcile --restored') await ops(reconcile, '--restored')
        if (by === 'reconcile')
          expect(await ops(reconcile)).toContain(
            'revoked again: 1 key of a partner, 2 people at the desk, 2 accounts of organisations.',
          )
      }

      const { ofKey } = createPartners(parts())
      await expect(ofKey(bad.key)).rejects.toMatchObject({ code: 'partner-key-unknown' })
      for (const { id, key } of [good, added]) expect(await ofKey(key)).toMatchObject({ id })
      clock.advance(DAY_MS + 1)
      const { passkey, standing, invited } = createPeople(parts())
      expect(await passkey(ana.passkey)).toBeUndefined()
      expect(await standing(ana.id)).toBeUndefined()
      expect(await invited(ben.code)).toBeUndefined()
      expect(await invited(cyd.code)).toMatchObject({ id: cyd.id })
      expect(await accountOf('msf')).toBeUndefined()
      expect(await accountOf('cerf')).toBeUndefined()
      expect(await accountOf('unicef')).toBe(IBAN)
      await isPaidTo('msf', OTHER_IBAN)
      await ops(reconcile)
      expect(await accountOf('msf')).toBe(OTHER_IBAN)
      expect(listed()).toBe(before)
      const findings = await checkLedger(db, { keys: testKeys, now: clock() })
      expect(findings.filter(({ rule }) => /seal|payee/.test(rule))).toEqual([])
    },
  )

  it('is read beside the backup on a new machine, and kept there', async () => {
    const bad = await aPartner()
    const file = await backedUp()
    await ops(partner, 'revoke', bad.id)
    const before = listed()
    renameSync(list(), join(folder, 'revocations'))
    expect(await restored(file)).toContain('Revoked again: 1 key of a partner')
    expect(listed()).toBe(before)
  })

  it('has to be looked for by hand where there is no list, and the command says so', async () => {
    const bad = await aPartner()
    const file = await backedUp()
    await ops(partner, 'revoke', bad.id)
    rmSync(list())
    await restored(file)
    expect(await ops(reconcile)).toContain('No list beside the backups says what was revoked')
  })

  it('is not read out of a list that is damaged: nothing goes on until somebody has looked', async () => {
    const bad = await aPartner()
    const file = await backedUp()
    await ops(partner, 'revoke', bad.id)
    const whole = listed()
    writeFileSync(list(), `${whole}partner half a li`)
    await expect(restored(file)).rejects.toThrow('cannot be read')
    db = await openDatabase(test.location)
    // Nothing was replaced: the key is still dead.
    const { revoked_at } = await db.read(reader =>
      reader.selectFrom('partners').select('revoked_at').where('id', '=', bad.id).executeTakeFirstOrThrow(),
    )
    expect(revoked_at).not.toBeNull()
    writeFileSync(list(), whole)
    await restored(file)
    writeFileSync(list(), `${whole}partner half a li`)
    await expect(ops(reconcile)).rejects.toThrow('cannot be read')
  })
})

describe('the list beside the backups', () => {
  const turn = () => listRevocations(db, [join(test.location.dataDir, 'backups')], clock())

  it('fails no act that is done: the terminal says that the list could not be written', async () => {
    const bad = await aPartner()
    mkdirSync(list(), { recursive: true })
    expect(await ops(partner, 'revoke', bad.id)).toMatch(
      /opens nothing any more\.\nIt is done, but the list `revocations`/,
    )
  })

  it('gets a line for each act at the desk, by the next turn at the latest', async () => {
    const told: string[] = []
    await aTreasurer()
    const [bad, ben] = [await aPartner(), await anInvitation()]
    await turn()
    expect(() => listed()).toThrow('ENOENT')
    const partnerDesk = createPartnerDesk(parts(), () => told.push('partner'))
    await partnerDesk.act({ act: 'revoke', partner: bad.id }, aPress('one press'))
    const peopleDesk = createPeopleDesk(parts(), () => told.push('person'))
    await peopleDesk.act({ act: 'end', person: ben.id }, aPress('another press'))
    expect(told).toEqual(['partner', 'person'])
    await turn()
    const at = new Date(clock()).toISOString()
    expect(listed().split('\n').sort()).toEqual(['', `partner ${bad.id} ${at}`, `person ${ben.id} ${at}`])
  })

  it('keeps what no database knows any more for as long as there is a backup of before', async () => {
    const bad = await aPartner()
    await ops(partner, 'revoke', bad.id)
    await test.plant(`delete from partners where id = '${bad.id}'`)
    await turn()
    expect(listed()).toContain(bad.id)
    clock.advance(100 * DAY_MS)
    await turn()
    expect(listed()).toBe('')
  })
})
