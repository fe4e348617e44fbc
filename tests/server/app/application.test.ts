import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import inject from 'light-my-request'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { entryOf } from '#domain/pricing/strategies.ts'
import { PROVIDER_EVENTS_PATH } from '#paths'
import { type Application, compose } from '#server/app/compose.ts'
import { createHealth } from '#server/http/health.ts'
import { createPublishedPages } from '#server/http/page-cache/published-pages.ts'
import { createFront } from '#server/http/router/router.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import { type HttpServer, listen } from '#server/http/transport/http-server.ts'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { askFor, jobRecords } from '#server/platform/job-runner/lease.ts'
import { createLog } from '#server/platform/log.ts'
import { readSettings } from '#server/platform/settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { freePort, giveBack } from '#tests/support/free-port.ts'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'

/** How many payments all visitors together may open at once here. */
const TOGETHER = 100

let folder = ''
let database: TestDatabase
let application: Application
let front: RequestListener
let server: HttpServer
let site = ''
let port = 0
const lines: string[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'application-'))
  database = await openTestDatabase()
  lines.length = 0
  // A free port is needed before the rooms are built, since their links carry it.
  port = await freePort()
  site = `http://127.0.0.1:${port}`
  const settings = readSettings(
    {
      PORT: String(port),
      SITE_URL: site,
      DATA_DIR: folder,
      DATABASE_URL: database.location.databaseUrl,
      LIMITS: `gateway=60/${TOGETHER}`,
      OPERATOR_MAIL: 'operator@gift.example',
    },
    { version: '1.0.0', keepSecret: name => name.padEnd(32, 'x') },
  )
  application = await compose(settings, {
    log: createLog(line => lines.push(line)),
    clock: Date.now,
    render: async path => `<p>rendered ${path}</p>`,
    onContentChanged: async () => true,
    root: folder,
  })
  front = createFront({
    app: application.app,
    pages: [],
    published: createPublishedPages({
      pages: [],
      languages: [],
      complete: true,
      render: () => Promise.reject(),
    }),
    files: new Map(),
    health: createHealth(application.checks),
    clientAddress: createClientAddress([]),
    mounts: application.mounts,
    studio: application.studio,
    draftsFor: application.draftsFor,
    astro: answerEvents,
  })
  server = await listen(front, settings)
  application.start(server.port)
})

afterEach(async () => {
  await server.stop(0)
  giveBack(port)
  await application.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The site's webhook, which in the product is an Astro endpoint. */
async function answerEvents(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  if (request.url !== PROVIDER_EVENTS_PATH) return next()
  const { body } = request as IncomingMessage & { body: Buffer }
  await application.app.payments.receiveEvent(body.toString(), String(request.headers['stripe-signature']))
  response.writeHead(204).end()
}

const pageOf = async (path: string): Promise<string> => (await fetch(new URL(path, site))).text()

it('sells a card with no account at all: test payment, signed event, mail in the inbox', async () => {
  const { ngoAmount, supportAmount } = entryOf('tiktok-sp', 'keep the chain')
  const { url } = await application.app.payments.startDonation({
    packageId: 'keep the chain',
    ngoAmount,
    supportAmount,
    currency: 'EUR',
    themeId: 'palestine',
    sender: { kind: 'anonymous' },
    language: 'es',
    termsVersion: SEED_TERMS.terms_version,
    fulfilmentConsent: true,
  })
  expect(url).toMatch(new RegExp(`^${site}/c/pay/cs_`))
  const paid = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: 'ana@mail.example',
      card_number: '4242424242424242',
      expiry: '12/34',
      cvc: '123',
    }),
  })
  expect(paid.status).toBe(303)

  await vi.waitFor(async () => expect(await pageOf('/_local/mail')).toContain('ana@mail.example'), {
    timeout: 20_000,
  })
  const card = await application.app.payments.settle(new URL(url).pathname.split('/').at(-1) ?? '')
  expect(await application.app.cards.open(card.privateKey, 'full')).toMatchObject({
    consumed: false,
    free: false,
  })
  // The file is there a moment before the line is.
  await vi.waitFor(() => expect(lines.join('')).toContain('mail-sent'), { timeout: 20_000 })
  for (const secret of [card.privateKey, card.publicKey, 'ana@mail.example', 'cs_test']) {
    expect(lines.join('')).not.toContain(secret)
  }
})

it('is not built a second time with another secret', async () => {
  const settings = readSettings(
    {
      SITE_URL: site,
      DATA_DIR: folder,
      DATABASE_URL: database.location.databaseUrl,
      CARD_KEY_SECRET: 'another secret than the one of this application',
    },
    { version: '1.0.0', keepSecret: name => name.padEnd(32, 'x') },
  )
  const again = compose(settings, {
    log: createLog(() => {}),
    clock: Date.now,
    render: () => Promise.reject(),
    onContentChanged: async () => true,
    root: folder,
  })
  await expect(again).rejects.toThrow(WRONG_SECRET)
})

it('tells the operator by mail when all visitors together open too many payments', async () => {
  // Those beyond what all may do together wait, and nobody here waits for them.
  for (let n = 0; n <= TOGETHER; n++) application.app.limits.turn('gateway', `visitor ${n}`).catch(() => {})
  await vi.waitFor(async () => expect(await pageOf('/_local/mail')).toContain('operator@gift.example'), {
    timeout: 20_000,
  })
})

/** An address of each mount that is no part of the site. */
const STAND_INS = [
  '/_local/mail',
  '/c/pay/cs_test_x',
  '/v2026-05-04/data/query/production?query=count(*)',
  '/images/local/production/a-1x1.png',
]

/** As if it came from an address, which nobody but the network can choose. */
const statusFrom = async (remoteAddress: string, url: string): Promise<number> =>
  (await inject(front, { url, remoteAddress, headers: { host: 'localhost' } })).statusCode

it('shows its stand-ins to its own machine, and to nobody who only writes its name', async () => {
  const rooms = application.mounts.filter(({ audience }) => audience !== 'visitors')
  const known = (path: string) => (mount: Application['mounts'][number]) =>
    mount.matches(path.split('?')[0] ?? '')
  expect(rooms.filter(mount => !STAND_INS.some(path => known(path)(mount)))).toEqual([])
  for (const path of STAND_INS) {
    expect(await statusFrom('127.0.0.1', path), path).not.toBe(403)
    expect(await statusFrom('192.168.1.7', path), path).toBe(403)
  }
})

it('is ready while its database answers', async () => {
  expect((await fetch(new URL('/health/ready', site))).status).toBe(200)
  await application.close()
  const answer = await fetch(new URL('/health/ready', site))
  expect(answer.status).toBe(503)
  expect(await answer.text()).toBe('not ready: database\n')
})

// In the embedded database nobody can be kept waiting in the middle of a reading.
it.runIf(process.env.TEST_ENGINE === 'postgres')(
  'ends while the ledger is checked, which whoever comes next begins anew',
  async () => {
    const ledgerCheck = async () =>
      (await database.db.read(jobRecords)).find(({ name }) => name === 'ledger-check')
    const rival = await database.another()
    await rival.transaction(async trx => {
      // It holds the lock for as long as a busy machine takes for all of this.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      // Whoever opens the database reads it first.
      await sql`lock table schema_steps`.execute(trx)
      await expect.poll(ledgerCheck).toBeDefined()
      await askFor(database.db, 'ledger-check', { now: 0, trustsClock: false })
      await vi.waitFor(async () => expect((await ledgerCheck())?.leaseUntil).not.toBeNull(), {
        timeout: 20_000,
      })
      await application.close()
    })
    expect(await ledgerCheck()).toMatchObject({ leaseUntil: null, outcome: null, nextRunAt: 0 })
  },
)
