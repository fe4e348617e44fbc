import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { invoiceFaults } from '#domain/invoice/invoice.ts'
import { faultsIn } from '#domain/withdrawal/statement.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { addPartner } from '#server/modules/partners/partner-acts.ts'
import { addInvoice } from '#server/modules/payments/invoices/stored.ts'
import { stateWithdrawal } from '#server/modules/payments/withdrawals/state.ts'
import { proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import type { Tools } from '#server/ops/command.ts'
import { erase } from '#server/ops/erase.ts'
import { erasedSince, noteErasure, readErasures } from '#server/ops/erasures.ts'
import {
  anOrder,
  CREATED_AT,
  inviteFor,
  sellCard,
  TEST_CARD_SECRET,
  testKeys,
} from '#tests/builders/server.ts'
import { diesBehindCommit, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let tools: Tools
const clock = fakeClock(CREATED_AT)
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock,
    progress() {},
  }
})
afterEach(async () => {
  rmSync(backups(), { recursive: true, force: true })
  await test.close()
})

const backups = () => join(test.location.dataDir, 'backups')
/** Whom a restore forgets again. */
const listed = async () => erasedSince(tools, await readErasures(tools), 0).addresses.toSorted()

const run = async (...args: string[]) => (await erase.run(tools, args)).data

/** Somebody with this address has bought, withdrawn, asked for an invoice and for links, and is a contact. */
async function known(email: string): Promise<void> {
  expect(invoiceFaults({ name: 'Canary', document: '', address: 'Calle 1', email })).toEqual([])
  expect(faultsIn({ name: 'Canary', email, order: '' })).toEqual([])
  await test.db.transaction(async trx => {
    await sellCard(trx, { email, sender_name: 'Canary the Giver' })
    await inviteFor(trx, { email, name: 'Canary the Host' })
    const unpaid = anOrder({ status: 'failed' })
    await trx.insertInto('orders').values(unpaid).execute()
    const times = { stated_at: CREATED_AT, confirmed_at: CREATED_AT, changed_at: CREATED_AT }
    const answer = { state: 'closed', answer: 'unpaid', amount: 0, attempt: 1, seal: null } as const
    await trx
      .insertInto('withdrawals')
      .values({ id: unpaid.id, order_id: unpaid.id, number: 1, ...answer, ...times, name: 'Canary', email })
      .execute()
    const order = await trx
      .insertInto('orders')
      .values(anOrder({ status: 'open' }))
      .returningAll()
      .executeTakeFirstOrThrow()
    const to = { name: 'Canary Ltd', document: 'CANARY-1', address: 'Canary Wharf 1', email }
    await addInvoice(trx, testKeys, { order, to, now: CREATED_AT })
    const asked = { name: 'A partner', contact: email, scopes: ['orders:read'] } as const
    await addPartner(trx, asked, { mac: testKeys.mac, now: CREATED_AT })
  })
  const account = {
    legalName: 'MSF',
    contact: email,
    language: 'es',
    iban: 'ES9121000418450200051332',
  } as const
  await proposePayee(test.db, testKeys, { ...account, ngoId: 'msf' }, CREATED_AT)
  await createLostLinks({ db: test.db, keys: testKeys, clock }).request(email)
  const statement = { name: 'Canary', email, order: '', language: 'es' } as const
  await stateWithdrawal({ db: test.db, keys: testKeys, clock } as never, statement as never)
}

it.each([
  ['as it was typed', 'josé.núñez@example.es', 'josé.núñez@example.es'],
  ['in capitals', 'JOSÉ.NÚÑEZ@EXAMPLE.ES', 'josé.núñez@example.es'],
  ['in small letters', 'josé.núñez@example.es', 'JOSÉ.Núñez@Example.es'],
  ['with a capital that stands for itself', 'josÉ.núñez@example.es', 'José.NúñeZ@example.es'],
  ['in another alphabet', 'Иван.Петров@пример.рф', 'иван.петров@пример.рф'],
  ['in ASCII', 'Jose@Example.es', 'JOSE@example.es'],
])('forgets somebody whose address the doors take, kept %s', async (_, kept, typed) => {
  await known(kept)
  await test.db.transaction(trx => sellCard(trx, { email: 'jose.nunez@example.es' }))
  const found = { cards: 2, invoices: 1, withdrawals: 2, contacts: 2, received: 0, subscriptions: 0 }
  expect(await run(typed)).toMatchObject({ ...found, done: false })
  expect(await run(typed, '--yes')).toMatchObject({ ...found, done: true })
  const dump = (await test.dump()).toLowerCase()
  expect(dump).not.toContain('canary')
  expect(dump).not.toContain(kept.toLowerCase())
  expect(dump).not.toContain(testKeys.pseudonym(kept.toLowerCase()))
  expect(dump).toContain('jose.nunez@example.es')
  expect(await run(typed)).toMatchObject({ cards: 0, invoices: 0, withdrawals: 0, contacts: 0 })
})

it('finds the unused cards of who asks for lost links, whatever the case of a letter', async () => {
  await test.db.transaction(trx => sellCard(trx, { email: 'JOSÉ@example.es' }))
  const card = await test.db.read(db => db.selectFrom('cards').select('id').executeTakeFirstOrThrow())
  await createLostLinks({ db: test.db, keys: testKeys, clock }).request('josé@example.es')
  const [job] = await test.db.read(db =>
    db.selectFrom('jobs').select('payload').where('kind', '=', 'lost-links').execute(),
  )
  expect(JSON.parse(job!.payload)).toMatchObject({ cardId: card.id })
})

it('lists who was forgotten, also where the process is killed behind the commit', async () => {
  await test.db.transaction(trx => sellCard(trx, { email: 'ana@example.org' }))
  const mortal = diesBehindCommit(1)
  const dying = { ...tools, database: async () => mortal.over(test.db) }
  await expect(erase.run(dying, ['ana@example.org', '--yes'])).rejects.toBeInstanceOf(Killed)
  expect(await test.dump()).not.toContain('ana@example.org')
  expect(await listed()).toEqual(['ana@example.org'])
})

it('forgets nobody whom it cannot list', async () => {
  await test.db.transaction(trx => sellCard(trx, { email: 'ana@example.org' }))
  writeFileSync(backups(), 'a file, where the folder would be')
  await expect(run('ana@example.org', '--yes')).rejects.toThrow(
    /^Nobody was forgotten: .*\/erasures could not be written: \w+/,
  )
  expect(await test.dump()).toContain('ana@example.org')
})

describe('where the archive has a list too', () => {
  const archive = () => join(test.location.dataDir, 'archive')
  const linesIn = (folder: string) =>
    readFileSync(join(folder, 'erasures'), 'utf8').split('\n').filter(Boolean).toSorted()
  beforeEach(() => {
    tools = { ...tools, environment: { ...tools.environment, WAL_ARCHIVE: archive() } }
  })
  afterEach(() => rmSync(archive(), { recursive: true, force: true }))

  it.each([
    ['away', () => writeFileSync(archive(), 'a file, where the folder would be'), 'could not be written'],
    [
      'damaged',
      () => {
        mkdirSync(archive())
        writeFileSync(join(archive(), 'erasures'), '{"at":17')
      },
      'has a line that cannot be read',
    ],
  ])(
    'forgets a person whom one list names, says that the other is %s, and mends it the next time',
    async (_, breakIt, why) => {
      await test.db.transaction(trx => sellCard(trx, { email: 'ana@example.org' }))
      breakIt()
      const { lines, ok } = await erase.run(tools, ['ana@example.org', '--yes'])
      expect(ok).toBe(true)
      expect(lines.at(-2)).toContain(`The list ${join(archive(), 'erasures')} ${why}`)
      expect(await test.dump()).not.toContain('ana@example.org')
      expect(linesIn(backups())).toHaveLength(1)
      rmSync(archive(), { recursive: true })
      expect((await erase.run(tools, ['ben@example.org', '--yes'])).lines.join()).not.toContain('The list')
      expect(linesIn(archive())).toEqual(linesIn(backups()))
      expect(await listed()).toEqual(['ana@example.org', 'ben@example.org'])
    },
  )
})

it('lists nobody who was only looked for', async () => {
  await run('ana@example.org')
  expect(await listed()).toEqual([])
})

it('lists everybody of whom several commands are told at once', async () => {
  const addresses = Array.from({ length: 6 }, (_, n) => `person${n}@example.org`)
  await Promise.all(addresses.map(each => noteErasure(tools, testKeys, each)))
  expect(await listed()).toEqual(addresses)
  expect(readFileSync(join(backups(), 'erasures'), 'utf8')).not.toContain('person')
})
