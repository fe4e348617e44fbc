import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import { createPartnerDesk, type PartnerDesk } from '#server/modules/desk/partner-desk.ts'
import { addPartner } from '#server/modules/partners/partner-acts.ts'
import { createPartners, type Partners } from '#server/modules/partners/partners.ts'
import { audit, writeDown } from '#server/ops/audit.ts'
import { type Command, Refusal, type Tools } from '#server/ops/command.ts'
import { erase } from '#server/ops/erase.ts'
import { partner } from '#server/ops/partner.ts'
import { aPress as aPressOf } from '#tests/builders/press.ts'
import { CREATED_AT, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'

const SHOP = {
  act: 'add',
  name: 'Aina’s shop',
  contact: 'shop@example.org',
  scopes: 'orders:create',
} as const

let test: TestDatabase
let clock: FakeClock
let partners: Partners
let desk: PartnerDesk
let tools: Tools
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  const parts = { db: test.db, clock, mac: testKeys.mac }
  partners = createPartners(parts)
  desk = createPartnerDesk(parts)
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: { DATA_DIR: test.location.dataDir, CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock,
    progress() {},
  }
})
afterEach(() => test.close())

let presses = 0
/** A press of its own. */
const aPress = () => aPressOf(`press ${presses++}`)
const rows = () => test.db.read(db => db.selectFrom('partners').selectAll().execute())
const log = () => test.db.read(db => db.selectFrom('audit_log').selectAll().execute())
async function made(): Promise<{ readonly partner: string; readonly key: string }> {
  return (await desk.act(SHOP, aPress())).made!
}
/** Runs a command as `main.ts` does. */
async function ops(command: Command, ...args: string[]): Promise<string> {
  const { lines, ok } = await command.run(tools, args)
  await writeDown(command.name, args, ok, tools)
  return lines.join('\n')
}

describe('a partner’s key', () => {
  it('is shown once, kept as a keyed digest alone, and tells whose it is', async () => {
    const { partner: id, key } = await made()
    expect(await partners.ofKey(key)).toEqual({ id, scopes: ['orders:create'] })
    expect(JSON.stringify([await rows(), await log(), await desk.list()])).not.toContain(key)
    expect(JSON.stringify(await rows())).not.toContain(key.slice('partner_'.length))
  })

  it('is made once for a press, and not shown again', async () => {
    const press = aPress()
    expect((await desk.act(SHOP, press)).made).toBeDefined()
    expect(await desk.act(SHOP, press)).toEqual({ isRepeated: true })
    expect(await rows()).toHaveLength(1)
  })

  it.each(['', 'partner_', `partner_${'a'.repeat(43)}`, 'abcdefghijklmnopqrstuvwxyz234567', '__proto__'])(
    'is unknown where it is %j',
    async key => {
      await made()
      await expect(partners.ofKey(key)).rejects.toMatchObject({ code: 'partner-key-unknown', status: 401 })
    },
  )

  it('is told from others, too, while the database takes no writes', async () => {
    const { partner: id, key } = await made()
    const db = { ...test.db, transaction: () => Promise.reject(new Problem('temporarily-unavailable')) }
    const full = createPartners({ db, clock, mac: testKeys.mac })
    expect(await full.ofKey(key)).toEqual({ id, scopes: ['orders:create'] })
    expect(await desk.list()).toMatchObject([{ usedDay: null }])
  })

  it('opens nothing once it is revoked, and no hand brings it back', async () => {
    const { partner: id, key } = await made()
    await desk.act({ act: 'revoke', partner: id }, aPress())
    await expect(partners.ofKey(key)).rejects.toMatchObject({ code: 'partner-key-unknown' })
    expect(await rows()).toMatchObject([{ key_digest: null, contact: null, revoked_at: clock() }])
    await expect(
      test.db.transaction(trx => trx.updateTable('partners').set({ revoked_at: null }).execute()),
    ).rejects.toThrow(/check/i)
    await expect(desk.act({ act: 'revoke', partner: id }, aPress())).rejects.toMatchObject({
      code: 'act-refused',
      details: { fields: [{ rule: 'no-such-partner' }] },
    })
  })

  it('has the scopes that it was made with, whoever writes to the database', async () => {
    const { key } = await made()
    await test.db.transaction(trx =>
      trx.updateTable('partners').set({ scopes: 'orders:create orders:read' }).execute(),
    )
    await expect(partners.ofKey(key)).rejects.toMatchObject({ code: 'partner-key-unknown' })
  })

  it('is no other partner’s, whoever writes to the database', async () => {
    const [one, other] = [await made(), await made()]
    const digest = (await rows()).find(({ id }) => id === one.partner)!.key_digest
    await desk.act({ act: 'revoke', partner: one.partner }, aPress())
    await test.db.transaction(trx =>
      trx.updateTable('partners').set({ key_digest: digest }).where('id', '=', other.partner).execute(),
    )
    await expect(partners.ofKey(one.key)).rejects.toMatchObject({ code: 'partner-key-unknown' })
  })

  it('has its last day noted, once a day', async () => {
    const { key } = await made()
    expect((await desk.list())[0]!.usedDay).toBeNull()
    await partners.ofKey(key)
    expect((await desk.list())[0]!.usedDay).toBe('2026-03-10')
    clock.advance(DAY_MS)
    await partners.ofKey(key)
    expect((await desk.list())[0]!.usedDay).toBe('2026-03-11')
  })
})

describe('a key of a sandbox', () => {
  it('is told from one of the real site, which a sandbox refuses, and the other way round', async () => {
    const real = await made()
    const asked = { name: 'Shop', contact: 'shop@example.org', scopes: ['orders:read'] as const }
    const parts = { mac: testKeys.mac, now: clock() }
    await test.plant('insert into sandbox (id) values (1)')
    const { key } = await test.db.transaction(trx => addPartner(trx, asked, parts))
    expect(key).toMatch(/^sandbox_[\w-]{43}$/)
    const sandbox = createPartners({ db: test.db, clock, mac: testKeys.mac, sandbox: true })
    expect(await sandbox.ofKey(key)).toMatchObject({ scopes: ['orders:read'] })
    await expect(partners.ofKey(key)).rejects.toMatchObject({ code: 'partner-key-of-sandbox', status: 401 })
    await expect(sandbox.ofKey(real.key)).rejects.toMatchObject({
      code: 'partner-key-of-real-site',
      status: 401,
    })
  })
})

it('what was typed wrong makes no partner', async () => {
  for (const [change, rule] of [
    [{ name: '' }, 'name'],
    [{ contact: 'shop' }, 'not-an-address'],
    [{ scopes: 'refunds' }, 'scopes'],
  ] as const)
    await expect(desk.act({ ...SHOP, ...change }, aPress())).rejects.toMatchObject({
      code: 'act-refused',
      details: { fields: [{ path: 'act', rule }] },
    })
  expect(await rows()).toEqual([])
})

it('a press of another act carries out nothing', async () => {
  const { partner: id } = await made()
  const press = aPress()
  await desk.act({ act: 'revoke', partner: id }, press)
  await expect(desk.act(SHOP, press)).rejects.toMatchObject({ code: 'act-refused' })
})

describe('ops partner', () => {
  it('makes a key, lists partners, and revokes, each with its line in the log', async () => {
    const said = await ops(partner, 'add', '--name', 'Shop', '--contact', 'shop@example.org')
    const [, id = '', key = ''] = /^The key of (\w{26}), which is shown once: (partner_[\w-]{43})$/m.exec(
      said,
    )!
    expect(await partners.ofKey(key)).toEqual({ id, scopes: ['orders:create', 'orders:read'] })
    expect(await ops(partner)).toContain('shop@example.org')
    await ops(partner, 'revoke', id)
    await expect(partners.ofKey(key)).rejects.toMatchObject({ code: 'partner-key-unknown' })
    await expect(ops(partner, 'revoke', id)).rejects.toThrow(Refusal)
    expect(await ops(partner)).not.toContain('shop@example.org')
    expect((await log()).map(({ action, subject }) => [action, subject])).toEqual([
      ['partner add', null],
      ['partner revoke', id],
    ])
    expect(JSON.stringify([await log(), await ops(partner), await ops(audit)])).not.toContain(key)
  })

  it.each([
    [['add', '--contact', 'shop@example.org'], /--name/],
    [['add', '--name', 'Shop'], /--contact/],
    [['add', '--name', 'Shop', '--contact', 'shop@example.org', '--scopes', 'all'], /--scopes/],
    [['revoke'], /one partner/],
    [['constructor'], /^partner list/],
  ])('says what is missing: %j', async (args, words) => {
    await expect(ops(partner, ...args)).rejects.toThrow(words)
    expect(await rows()).toEqual([])
  })
})

it('a contact is forgotten when its person is erased, and the key goes on', async () => {
  const { key } = await made()
  expect(await ops(erase, 'Shop@example.org')).toContain('1 contact')
  expect(await rows()).toMatchObject([{ contact: 'shop@example.org' }])
  await ops(erase, 'Shop@example.org', '--yes')
  expect(await rows()).toMatchObject([{ contact: null }])
  await partners.ofKey(key)
})
