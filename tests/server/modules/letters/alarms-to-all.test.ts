import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { createAlarms, queueAlarm } from '#server/modules/letters/alarms.ts'
import { createSmtpTransport } from '#server/modules/letters/smtp-transport.ts'
import type { MailTransport } from '#server/modules/letters/transport.ts'
import { addressesOfPeople, personRow } from '#server/modules/operator/people.ts'
import { endPerson } from '#server/modules/operator/people-acts.ts'
import { createWorker, type Worker } from '#server/platform/outbox/worker.ts'
import { CREATED_AT } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts'

const OPERATOR = 'operator@site.example'
const MADE = { person: 'p1', role: 'treasurer', passkey: 'k1' }
const INVITED = { person: 'p1', from: '2026-03-11', invitation: 'p1 1' }

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let sink: SmtpSink
let transport: MailTransport
let worker: Worker
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  sink = await startSmtpSink()
  transport = createSmtpTransport(sink.url)
  const log = quietLog()
  const { handler } = createAlarms({
    ...{ db: test.db, clock, log, transport, to: OPERATOR },
    others: () => test.db.read(addressesOfPeople),
    mailFrom: 'Site <site@site.example>',
    siteUrl: 'https://cards.example',
  })
  worker = createWorker({ db: test.db, clock, sharedClock: clock, log, handlers: { alarm: handler } })
  await atTheDesk('ben', 'ben@people.example')
  await atTheDesk('cleo', 'cleo@people.example')
})
afterEach(async () => {
  transport.close()
  await test.close()
  await sink.close()
})

const atTheDesk = (id: string, email: string | null) =>
  test.db.transaction(trx =>
    trx
      .insertInto('people')
      .values({ ...personRow({ id, name: id, role: 'treasurer' }, CREATED_AT), email })
      .execute(),
  )
const passkeyMade = () => test.db.transaction(trx => queueAlarm(trx, 'passkey-made', MADE, CREATED_AT))
/** The recipients of each mail that the mail server took. */
const taken = () => sink.mails.map(({ to }) => to.join(' ')).sort()

it.each([
  ['passkey-made', MADE],
  ['invitation-on-the-machine', INVITED],
] as const)('hands the mail server one mail for each of them: %s', async (kind, facts) => {
  await atTheDesk('the operator', OPERATOR)
  await atTheDesk('dora', null)
  await test.db.transaction(trx => queueAlarm(trx, kind, facts, CREATED_AT))
  await worker.runDue()
  expect(taken()).toEqual(['ben@people.example', 'cleo@people.example', OPERATOR])
  expect(sink.mails.map(({ data }) => /^To: (.*)/m.exec(data)?.[1]).sort()).toEqual(taken())
  const ids = sink.mails.map(({ data }) => /^Message-ID: (.*)/m.exec(data)?.[1])
  expect(new Set(ids).size).toBe(3)
})

it('tells the operator alone of everything else', async () => {
  await test.db.transaction(trx => queueAlarm(trx, 'ledger-broken', {}, CREATED_AT))
  await worker.runDue()
  expect(taken()).toEqual([OPERATOR])
})

it.each(['ben@people.example', OPERATOR])(
  'reaches the others where %s is refused, and that one when it is taken again',
  async refused => {
    sink.refuseRecipients('550 5.1.1 no such mailbox', refused)
    await passkeyMade()
    await worker.runDue()
    const all = ['ben@people.example', 'cleo@people.example', OPERATOR]
    expect(taken()).toEqual(all.filter(each => each !== refused))
    clock.advance(HOUR_MS)
    await worker.runDue()
    sink.refuseRecipients(undefined)
    clock.advance(HOUR_MS)
    await worker.runDue()
    expect(taken()).toEqual(all)
  },
)

it('keeps every mail where the mail server is cut off, and sends each with the id that it had', async () => {
  sink.hangUpAfterNextMail()
  await passkeyMade()
  await worker.runDue()
  clock.advance(HOUR_MS)
  await worker.runDue()
  expect([...new Set(taken())]).toEqual(['ben@people.example', 'cleo@people.example', OPERATOR])
  const ids = sink.mails.map(({ data }) => /^Message-ID: (.*)/m.exec(data)?.[1])
  expect(new Set(ids).size).toBe(3)
})

it('writes to nobody who was ended before the mail went out', async () => {
  sink.refuseRecipients('450 4.2.1 later')
  await passkeyMade()
  await worker.runDue()
  await test.db.transaction(trx => endPerson(trx, 'ben', 'machine', clock()))
  sink.refuseRecipients(undefined)
  clock.advance(HOUR_MS)
  await worker.runDue()
  expect(taken()).toEqual(['cleo@people.example', OPERATOR])
  const waiting = test.db.read(db =>
    db.selectFrom('jobs').select('id').where('done_at', 'is', null).execute(),
  )
  expect(await waiting).toEqual([])
})

it('keeps no address in the queue', async () => {
  sink.refuseRecipients('450 4.2.1 later')
  await passkeyMade()
  await worker.runDue()
  const jobs = await test.db.read(db => db.selectFrom('jobs').selectAll().execute())
  expect(jobs).toHaveLength(3)
  expect(JSON.stringify(jobs)).not.toContain('@')
})
