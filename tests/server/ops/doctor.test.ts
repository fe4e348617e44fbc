import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeRevocations } from '#domain/desk/revocations.ts'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import { noteRestoration } from '#server/modules/gifts/cards/restored.ts'
import { openCardKeys } from '#server/modules/gifts/cards/secrets.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { EVENTS } from '#server/modules/payments/event-types.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import type { Tools } from '#server/ops/command.ts'
import type { Finding, Patient } from '#server/ops/doctor/finding.ts'
import { timeLimit } from '#server/ops/doctor/machine.ts'
import type { Outside } from '#server/ops/doctor/outside.ts'
import { doctor } from '#server/ops/doctor.ts'
import { secretsBeside } from '#server/ops/secrets-copy.ts'
import { headName } from '#server/platform/wal-archive/layout.ts'
import { folderStore } from '#server/platform/wal-archive/store.ts'
import { createDrandDouble, listenDrandDouble } from '#stand-ins/drand-double/index.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startSmtpSink } from '#tests/support/smtp-sink.ts'

/** A site for the public in which nothing is amiss; each test takes one thing away. */
const HOST = 'gifts.ong.cat'
const RECIPIENT = await identityToRecipient(await generateX25519Identity())
const HOOK = `https://${HOST}/api/stripe/webhook`
const HOOK_OF_ALL = { url: HOOK, status: 'enabled', enabled_events: ['*'] }

let test: TestDatabase
let folder: string
let dataDir: string
let sink: Awaited<ReturnType<typeof startSmtpSink>>
let environment: Record<string, string>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  await openCardKeys(test.db, { current: TEST_CARD_SECRET, earlier: [] }, CREATED_AT)
  await test.db.transaction(trx => sellCard(trx))
  folder = mkdtempSync(join(tmpdir(), 'gc-doctor-'))
  dataDir = join(folder, 'data')
  mkdirSync(join(dataDir, 'backups'), { recursive: true })
  const backup = join(dataDir, 'backups', 'one.sqlite')
  writeFileSync(backup, '')
  utimesSync(backup, CREATED_AT / 1000, CREATED_AT / 1000)
  writeFileSync(secretsBeside(backup), '')
  await shipped(CREATED_AT + 3_600_000)
  writeFileSync(join(folder, '.env'), '', { mode: 0o600 })
  await write(`insert into sightings (name, at) values ('payment-event', ${CREATED_AT})`)
  await write(`insert into people (id, name, role, created_at) values ('ana', 'Ana', 'treasurer', 1)`)
  for (const id of ['one', 'two'])
    await write(
      `insert into passkeys (id, person_id, public_key, counter, created_at, seal) values ('${id}', 'ana', 'k', 0, 1, 's')`,
    )
  sink = await startSmtpSink()
  environment = {
    NODE_ENV: 'production',
    SITE_URL: `https://${HOST}`,
    DATA_DIR: dataDir,
    WAL_ARCHIVE: join(folder, 'archive'),
    BACKUP_RECIPIENT: RECIPIENT,
    CARD_KEY_SECRET: TEST_CARD_SECRET,
    LEDGER_KEY: 'Xw0LkJ5nBt7yHc2mPd6sFgAeUiq3Zr8v',
    STRIPE_SECRET_KEY: 'rk_live_4eC39HqLyjWDarjtT1zd',
    STRIPE_WEBHOOK_SECRET: 'whsec_9aZ2kLm4Qr7T',
    SANITY_PROJECT_ID: 'ab12cd34',
    SANITY_WEBHOOK_SECRET: 'w8Rk2Lq9Zt4Xv6Bn',
    SMTP_URL: sink.url,
    MAIL_FROM: `Gifts <gifts@${HOST}>`,
    OPERATOR_MAIL: `me@${HOST}`,
    OPERATOR_TOKEN: 'y3Tm7Wc1Pk5Hd9Qf',
    TRUSTED_PROXIES: '127.0.0.1',
  }
})
afterEach(async () => {
  await sink.close()
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Notes that the log was shipped up to this instant. */
const shipped = (seenAt: number) =>
  folderStore(join(folder, 'archive')).note(headName(1), JSON.stringify({ number: 3, digest: '', seenAt }))

/** As the product writes, with every guard in its place. */
const write = (statement: string) => test.db.transaction(trx => sql.raw(statement).execute(trx))

interface World {
  /** By the beginning of the address. */
  readonly answers?: Readonly<Record<string, () => Response>>
  readonly addresses?: readonly string[]
  readonly texts?: readonly string[]
  readonly certificate?: () => Promise<{ endsAt: number; speaksHttp2: boolean }>
  /** The database's clock, where it has one of its own; as the machine's when missing. */
  readonly sharedClock?: () => number
}

function outside({ answers = {}, addresses = ['192.0.2.1'], texts, certificate }: World): Outside {
  const usual: Readonly<Record<string, () => Response>> = {
    'https://api.stripe.com/': () => Response.json({ data: [HOOK_OF_ALL] }),
    'https://ab12cd34.api.sanity.io/': () => Response.json({ result: 1 }),
    'http://127.0.0.1:4321/': () => new Response('ready'),
    [`https://${HOST}/`]: () => new Response('page'),
    [`http://${HOST}/`]: () => new Response('', { status: 301, headers: { Location: `https://${HOST}/` } }),
  }
  return {
    async fetch(url) {
      const all = { ...usual, ...answers }
      const begin = Object.keys(all)
        .filter(each => url.startsWith(each))
        .sort((one, other) => other.length - one.length)[0]
      if (begin === undefined) throw Object.assign(new TypeError('fetch failed'), { code: 'ENOTFOUND' })
      return all[begin]!()
    },
    texts: async () => texts ?? ['v=spf1 -all', 'v=DMARC1; p=none'],
    addresses: async () => addresses,
    certificate: certificate ?? (async () => ({ endsAt: CREATED_AT + 60 * DAY_MS, speaksHttp2: true })),
  }
}

async function examined(
  world: World = {},
  changes: Readonly<Record<string, string>> = {},
  clock = () => CREATED_AT + 3_600_000,
) {
  const tools: Tools = {
    database: async () => test.db,
    place: { dataDir, databaseUrl: test.location.databaseUrl },
    environment: { ...environment, ...changes },
    settingsFile: { path: join(folder, '.env'), names: [] },
    outside: outside(world),
    clock,
    sharedClock: world.sharedClock ?? clock,
    progress() {},
  }
  // A job that has run as it should.
  const { lines, data, ok } = await doctor.run(tools, [])
  const { findings } = data as { findings: readonly Finding[] }
  return {
    ok,
    text: lines.join('\n'),
    of: (what: string) => findings.find(each => each.what === what),
    findings,
  }
}

const planJob = () =>
  write(
    `insert into periodic_jobs (name, next_run_at, outcome) values ('watch', ${CREATED_AT + 7_200_000}, 'done')`,
  )

describe('the doctor', () => {
  it('calls a site well in which everything is, and ends well', async () => {
    await planJob()
    const { ok, text, findings } = await examined()
    const unwell = findings.filter(({ verdict }) => verdict !== 'well').map(({ what }) => what)
    // The role of the tests' PostgreSQL has no limit.
    expect(unwell).toEqual(test.engine === 'postgres' ? ['time limit'] : [])
    expect(ok).toBe(true)
    expect(text.split('\n').at(-1)).toMatch(
      test.engine === 'postgres' ? /^0 bad, 1 to look at/ : /^Everything is well\.$/,
    )
  })

  it('shows no value of a secret, and no line too wide for a terminal', async () => {
    const { text } = await examined(
      {},
      { SMTP_URL: 'smtps://gifts:hunter2hunter2@127.0.0.1:1', CARD_KEY_SECRET: 'b'.repeat(40) },
    )
    for (const secret of ['hunter2', 'bbbb', 'rk_live_', 'whsec_', 'w8Rk2Lq9', 'y3Tm7Wc1', 'Xw0LkJ5n'])
      expect(text).not.toContain(secret)
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(140)
  })

  it('says that nothing is sold while the texts of the law are not written', async () => {
    const legalTexts = { 'legal-notice': {}, terms: null, privacy: {} }
    const kept = { source: 'any', snapshot: { operator: null, legalTexts } }
    writeFileSync(join(dataDir, 'content-snapshot.json'), JSON.stringify(kept))
    const { ok, of } = await examined()
    expect(of('legal pages')).toMatchObject({
      verdict: 'bad',
      words: 'nothing is sold, since this is not written: who runs the site, terms',
    })
    expect(ok).toBe(false)
  })

  const AMISS: readonly (readonly [what: string, World, Readonly<Record<string, string>>, RegExp])[] = [
    ['settings', {}, { SMTP_URL: 'smtp.ong.cat' }, /SMTP_URL must start with smtps/],
    ['settings', {}, { STRIPE_SECRTE_KEY: 'x' }, /did you mean STRIPE_SECRET_KEY/],
    [
      'card secret',
      {},
      { CARD_KEY_SECRET: 'another secret than the one of the tests' },
      /not the one the cards/,
    ],
    ['examples', {}, { OPERATOR_MAIL: 'me@example.org' }, /OPERATOR_MAIL/],
    ['mail', {}, { SMTP_URL: 'smtp://127.0.0.1:1' }, /does not take us/],
    ['mail records', { texts: [] }, {}, /SPF .* and DMARC/],
    [
      'payment account',
      { answers: { 'https://api.stripe.com/': () => new Response('', { status: 401 }) } },
      {},
      /refuses the key/,
    ],
    [
      'payment account',
      { answers: { 'https://api.stripe.com/': () => Response.json({ data: [] }) } },
      {},
      /no enabled webhook/,
    ],
    [
      'payment account',
      {
        answers: {
          'https://api.stripe.com/': () =>
            Response.json({
              data: [
                { ...HOOK_OF_ALL, enabled_events: Object.keys(EVENTS).filter(type => !/refund/.test(type)) },
              ],
            }),
        },
      },
      {},
      /does not send charge\.refunded, refund\.updated, refund\.failed/,
    ],
    [
      'content',
      { answers: { 'https://ab12cd34.api.sanity.io/': () => new Response('', { status: 404 }) } },
      {},
      /answers 404/,
    ],
    [
      'content',
      { answers: { 'https://ab12cd34.api.sanity.io/': () => Response.json({ result: 0 }) } },
      {},
      /no list of organisations/,
    ],
    ['content', {}, { SANITY_PROJECT_ID: 'zz99zz99' }, /failed: ENOTFOUND/],
    [
      'site',
      { answers: { 'http://127.0.0.1:4321/health': () => Promise.reject(new Error('away')) as never } },
      {},
      /nobody answers at port 4321/,
    ],
    [
      'legal pages',
      { answers: { 'http://127.0.0.1:4321/en/terms': () => new Response('', { status: 404 }) } },
      {},
      /missing: \/en\/terms/,
    ],
    ['from outside', { addresses: [] }, {}, /the name service knows no gifts\.ong\.cat/],
    [
      'from outside',
      { certificate: () => Promise.reject(Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' })) },
      {},
      /no trusted https .* CERT_HAS_EXPIRED/,
    ],
    [
      'from outside',
      { certificate: async () => ({ endsAt: CREATED_AT + 3 * DAY_MS, speaksHttp2: true }) },
      {},
      /ends in 2 days/,
    ],
    [
      'from outside',
      { answers: { [`https://${HOST}/`]: () => new Response('', { status: 502 }) } },
      {},
      /answers 502/,
    ],
  ]
  it.each(AMISS)('calls %s bad where it is, with what to do (%#)', async (what, world, changes, words) => {
    await planJob()
    const { ok, of, findings } = await examined(world, changes)
    expect(of(what)).toMatchObject({ verdict: 'bad', words: expect.stringMatching(words) })
    expect(ok).toBe(false)
    for (const each of findings)
      if (each.verdict === 'bad' && each.what !== 'settings') expect(each.remedy, each.what).toBeTruthy()
  })

  it('calls a settings file bad that others can read', async () => {
    chmodSync(join(folder, '.env'), 0o644)
    expect((await examined()).of('settings file')).toMatchObject({
      verdict: 'bad',
      remedy: expect.stringContaining('chmod 600'),
    })
  })

  it.runIf(process.env.TEST_ENGINE === 'sqlite')('asks how far the log is shipped', async () => {
    const looked = async (changes = {}) => (await examined({}, changes)).of('archive of the log')
    expect(await looked()).toMatchObject({
      verdict: 'well',
      words: '3 segments, the last look 0 minutes ago',
    })
    await shipped(CREATED_AT)
    expect(await looked()).toMatchObject({
      verdict: 'bad',
      words: '3 segments, the last look 60 minutes ago',
    })
    expect(await looked({ WAL_ARCHIVE: join(folder, 'nothing') })).toMatchObject({ verdict: 'bad' })
    expect(await looked({ WAL_ARCHIVE: '' })).toMatchObject({ verdict: 'look' })
  })

  it('asks for a copy of the settings that only a key elsewhere opens, and looks whether it is there', async () => {
    const copy = async () => (await examined()).of('copy of secrets')
    expect(await copy()).toMatchObject({ verdict: 'well' })
    rmSync(secretsBeside(join(dataDir, 'backups', 'one.sqlite')))
    expect(await copy()).toMatchObject({ verdict: 'bad', words: expect.stringContaining('none lies beside') })
    environment.BACKUP_RECIPIENT = `${RECIPIENT.slice(0, -1)}${RECIPIENT.endsWith('q') ? 'p' : 'q'}`
    expect(await copy()).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('no recipient of age'),
    })
    environment.BACKUP_RECIPIENT = ''
    expect(await copy()).toMatchObject({ verdict: 'look', words: expect.stringContaining('in no backup') })
  })

  it('asks for backups: none, an old one, one that was written elsewhere', async () => {
    rmSync(join(dataDir, 'backups'), { recursive: true })
    expect((await examined()).of('backups')).toMatchObject({ verdict: 'bad', words: 'none was ever made' })
    const note = (at: number) =>
      `insert into audit_log (id, created_at, actor, action, outcome) values ('${at}', ${at}, 'terminal', 'backup', 'done')`
    await write(note(CREATED_AT - 3 * DAY_MS))
    expect((await examined()).of('backups')).toMatchObject({
      verdict: 'bad',
      words: 'the newest is 3 days old',
    })
    await write(note(CREATED_AT))
    expect((await examined()).of('backups')).toMatchObject({
      verdict: 'well',
      words: 'the newest is 1 hours old',
    })
  })

  it('asks for a passkey, and for a second one', async () => {
    expect((await examined()).of('people at the desk')).toMatchObject({ verdict: 'well' })
    await write(`delete from passkeys where id = 'two'`)
    expect((await examined()).of('people at the desk')).toMatchObject({
      verdict: 'look',
      words: '1 treasurer with 1 passkey',
    })
    await write(`delete from passkeys`)
    expect((await examined()).of('people at the desk')).toMatchObject({ verdict: 'look' })
    environment.OPERATOR_TOKEN = ''
    expect((await examined()).of('people at the desk')).toMatchObject({ verdict: 'well' })
  })

  it('finds a guard of the database that is gone', async () => {
    expect((await examined()).of('guards')).toMatchObject({ verdict: 'well' })
    await test.plant(
      ...(test.engine === 'postgres' ? ['drop trigger ledger_entries_no_change on ledger_entries'] : []),
    )
    expect((await examined()).of('guards')).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('not as this version makes them'),
    })
  })

  it.each([
    [30_000, 'well', ''],
    [30_001, 'bad', 'ahead of'],
    [-30_000, 'well', ''],
    [-30_001, 'bad', 'behind'],
  ] as const)(
    'compares the machine’s clock with the database’s, which is %d ms off',
    async (off, verdict, words) => {
      const now = CREATED_AT + 3_600_000
      const found = (await examined({ sharedClock: () => now - off })).of('clock')
      // An embedded one has no clock of its own.
      if (test.engine === 'sqlite') expect(found).toMatchObject({ verdict: 'well' })
      else expect(found).toMatchObject({ verdict, words: expect.stringContaining(words) })
    },
  )

  it('finds what was revoked and stands not on every list that a restore goes by', async () => {
    const endedAt = CREATED_AT + 3_600_000 - 11 * MINUTE_MS
    const seen = async () => (await examined()).of('what was revoked')
    expect(await seen()).toMatchObject({ verdict: 'well' })
    await write(
      `insert into people (id, name, role, created_at, ended_at) values ('ben', 'Ben', 'editor', 1, ${endedAt})`,
    )
    expect(await seen()).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('1 person at the desk'),
    })
    const line = writeRevocations([{ what: 'person', id: 'ben', at: endedAt }])
    writeFileSync(join(dataDir, 'backups', 'revocations'), line)
    expect(await seen()).toMatchObject({ verdict: 'bad' })
    writeFileSync(join(folder, 'archive', 'revocations'), line)
    expect(await seen()).toMatchObject({ verdict: 'well' })
    writeFileSync(join(folder, 'archive', 'revocations'), `${line}half a`)
    expect(await seen()).toMatchObject({ verdict: 'bad', words: expect.stringContaining('cannot be read') })
  })

  it('finds who was forgotten and stands not on every list that a restore goes by', async () => {
    const seen = async () => (await examined()).of('who was forgotten')
    expect(await seen()).toMatchObject({ verdict: 'well' })
    const line = `${JSON.stringify({ at: CREATED_AT, address: 'sealed' })}\n`
    writeFileSync(join(dataDir, 'backups', 'erasures'), line)
    expect(await seen()).toMatchObject({
      verdict: 'bad',
      words: '1 line of who was forgotten stands not on every list',
    })
    writeFileSync(join(folder, 'archive', 'erasures'), `${line}half a`)
    expect(await seen()).toMatchObject({ verdict: 'bad', words: 'a list cannot be read' })
    writeFileSync(join(folder, 'archive', 'erasures'), line)
    expect(await seen()).toMatchObject({ verdict: 'well' })
  })

  it('asks for a time limit of the role, since a single read brings none', async () => {
    if (test.engine === 'sqlite') {
      expect((await examined()).of('time limit')).toMatchObject({ verdict: 'well' })
      return
    }
    expect((await examined()).of('time limit')).toMatchObject({ verdict: 'look' })
    const limit = (milliseconds: number) =>
      test.plant(
        `do $$ begin execute format('alter database %I set statement_timeout = ${milliseconds}', current_database()); end $$`,
      )
    const seen = async () => {
      // Those who connect from now on have it.
      const database = () => test.another()
      return timeLimit({ tools: { database } as Partial<Tools> as Tools } as Partial<Patient> as Patient)
    }
    await limit(9_000)
    expect(await seen()).toMatchObject({ verdict: 'well' })
    await limit(60_000)
    expect(await seen()).toMatchObject({ verdict: 'look', words: expect.stringContaining('60 s') })
  })

  it('says of each earlier secret how many cards need it, and when it may go', async () => {
    const next = 'the secret that came after it, as long'
    await openCardKeys(test.db, { current: next, earlier: [TEST_CARD_SECRET] }, CREATED_AT)
    const changed = { CARD_KEY_SECRET: next, CARD_KEY_SECRET_EARLIER: TEST_CARD_SECRET }
    expect((await examined({}, changed)).of('earlier secrets')).toMatchObject({
      verdict: 'well',
      words: 'no. 1: needed by 1 card',
    })
    expect((await examined({}, { CARD_KEY_SECRET: next })).of('card secret')).toMatchObject({
      verdict: 'bad',
    })
    await test.plant("update cards set status = 'revoked'")
    expect((await examined({}, changed)).of('earlier secrets')).toMatchObject({
      verdict: 'look',
      remedy: expect.stringContaining('take it out'),
    })
    // Who was forgotten since the backup is forgotten again first.
    await test.db.transaction(trx => noteRestoration(trx, CREATED_AT))
    expect((await examined({}, changed)).of('earlier secrets')).toMatchObject({ verdict: 'well' })
  })

  it('asks drand for a value, and says where none is had, or nothing can be announced by it', async () => {
    const { chain, hash, answer } = createDrandDouble({ clock: () => CREATED_AT + DAY_MS })
    const listening = await listenDrandDouble(answer)
    const set = { DRAND_URL: listening.url, DRAND_CHAIN_HASH: hash, DRAND_PUBLIC_KEY: chain.publicKey }
    expect((await examined({}, set)).of('draws')).toMatchObject({
      verdict: 'well',
      words: expect.stringContaining('is signed by its network'),
    })
    expect((await examined({}, { ...set, LEDGER_KEY: '' })).of('draws')).toMatchObject({ verdict: 'bad' })
    await listening.close()
    expect((await examined({}, set)).of('draws')).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('drand cannot be reached'),
    })
  })

  it('says whether the public ledger is written, and signed by the key that is set', async () => {
    const secret = environment.LEDGER_KEY!
    expect((await examined()).of('public ledger')).toMatchObject({ verdict: 'well' })
    expect((await examined({}, { LEDGER_KEY: '' })).of('public ledger')).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('nothing of the books is published'),
    })
    const signer = createSigner(secret, `${HOST}/ledger`)
    const clock = () => CREATED_AT + 3 * 24 * 3_600_000
    expect((await examined({}, {}, clock)).of('public ledger')).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('older than two days'),
    })
    await sequenceDays({ db: test.db, clock, signer, draw: () => 0 }, async () => {})
    expect((await examined({}, {}, clock)).of('public ledger')).toMatchObject({
      verdict: 'well',
      words: expect.stringContaining(signer.verifierText),
    })
    const other = 'another key of the public ledger, by lot: 8v'
    const followed = { LEDGER_KEY: other, LEDGER_KEY_EARLIER: secret }
    expect((await examined({}, followed, clock)).of('public ledger')).toMatchObject({
      verdict: 'look',
      words: expect.stringContaining('signed by an earlier key'),
    })
    const needless = { LEDGER_KEY_EARLIER: other }
    expect((await examined({}, needless, clock)).of('public ledger')).toMatchObject({
      verdict: 'look',
      remedy: expect.stringContaining('not needed any more'),
    })
    expect((await examined({}, { LEDGER_KEY: other }, clock)).of('public ledger')).toMatchObject({
      verdict: 'bad',
      words: expect.stringContaining('not signed with this LEDGER_KEY'),
    })
  })

  it('says what lies in DATA_DIR/local of a site that has its own accounts', async () => {
    mkdirSync(join(dataDir, 'local'))
    writeFileSync(join(dataDir, 'local', 'card-key-secret'), 'kept')
    expect((await examined()).of('local data')).toMatchObject({
      verdict: 'look',
      words: expect.stringContaining('card-key-secret in it are not used'),
      remedy: expect.stringContaining('take them out of DATA_DIR'),
    })
  })
})
