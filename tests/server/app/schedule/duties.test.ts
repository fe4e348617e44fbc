import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DUTY_NAMES, type DutyName, dutyOf } from '#domain/desk/duties.ts'
import { DAY_MS } from '#domain/durations.ts'
import { duties } from '#server/app/schedule/duties.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { createAlarms } from '#server/modules/letters/alarms.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { audit } from '#server/modules/operator/audit.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { noteVersion } from '#server/modules/reports/duties.ts'
import { QUERIES } from '#server/modules/reports/queries.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { mailsOf, oneEach, type Teller } from '#tests/support/told-once.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let reviewedAt: string
let sent: Message[]
let plain: ReturnType<typeof quietLog>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  await beginCounts(test.db, testKeys, CREATED_AT)
  reviewedAt = '2026-03-10'
  sent = []
  plain = quietLog()
})
afterEach(() => test.close())

const jobOf = ({ db, log }: Teller) =>
  duties({
    db,
    clock,
    log,
    version: '1.0.0',
    reviewedAt: () => reviewedAt,
    known: now => QUERIES.duties(db, now),
  })

const siteOn = (db: Database) => {
  const alarms = createAlarms({
    db,
    clock,
    log: plain,
    to: 'me@gift.example',
    transport: { send: async message => void sent.push(message), close() {} },
    mailFrom: 'gifts@gift.example',
    siteUrl: 'https://gift.example',
  })
  return {
    job: jobOf({ db, log: alarms.log }),
    worker: createWorker({ db, clock, log: plain, handlers: { alarm: alarms.handler } }),
  }
}

const queued = async () =>
  (await test.db.read(db => db.selectFrom('jobs').select('id').where('kind', '=', 'alarm').execute())).length

/** Runs the job on each server, and sends what it has queued. */
async function look(...dbs: readonly Database[]): Promise<void> {
  const sites = (dbs.length === 0 ? [test.db] : dbs).map(siteOn)
  const before = await queued()
  const results = await Promise.all(sites.map(({ job }) => job.run({ goOn: async () => {} })))
  const months = results.some(({ due }) => Number(due) > 0) ? 1 : 0
  const late = Math.max(...results.map(result => Number(result.late)))
  if (months + late > 0) await expect.poll(queued).toBe(before + months + late)
  await nextTurn()
  await sites[0]!.worker.runDue()
}

async function give(): Promise<void> {
  const card = await test.db.transaction(trx => sellCard(trx))
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
  await cards.redeem(card.privateKey, [{ ngoId: 'msf', points: 50 }])
}
const propose = () =>
  proposePayee(
    test.db,
    testKeys,
    {
      ngoId: 'msf',
      legalName: 'Metges',
      contact: 'msf@example.org',
      language: 'es',
      iban: 'ES9121000418450200051332',
    },
    clock(),
  )
const haveAccount = async () => {
  await propose()
  await confirmPayee(test.db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, clock())
}
const pay = () => createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
const note = (name: DutyName) =>
  audit(test.db, { actor: 'terminal', action: 'did', subject: name, outcome: 'done' }, clock())
const check = (found: number) =>
  test.plant(
    'delete from periodic_jobs',
    `insert into periodic_jobs (name, next_run_at, finished_at, outcome, result)
      values ('ledger-check', 1, ${clock()}, 'done', '{"findings":${found}}')`,
  )

/** How a duty comes to wait, on the first day. What needs no more than time needs nothing. */
const ARISES: Readonly<Partial<Record<DutyName, () => Promise<unknown>>>> = {
  payouts: async () => {
    await haveAccount()
    await give()
  },
  'bank-statement': async () => {
    await give()
    await pay()
  },
  'provider-findings': () => check(2),
  accounts: propose,
}

/** In which months a mail asks for a duty that was forgotten from March 10, 2026 on. */
const ASKED: Readonly<Record<DutyName, string>> = {
  payouts: '2026-04',
  accounts: '2026-04',
  'bank-statement': '2026-04',
  'provider-findings': '2026-04',
  vat: '2026-04',
  organisations: '2026-11',
  'donors-report': '2027-01',
  certificates: '2027-01',
  'backup-drill': '2026-09',
  'backup-copies': '2026-05',
  update: '2026-05',
  keys: '2027-02',
  'terms-and-prices': '2026-06',
}

/** The day on which a mail says that it has become late; of what is found anew each month, the first. */
const LATE: Readonly<Record<DutyName, string>> = {
  payouts: '2026-04-16',
  accounts: '2026-04-16',
  'bank-statement': '2026-04-16',
  'provider-findings': '2026-04-02',
  vat: '2026-04-21',
  organisations: '2027-01-01',
  'donors-report': '2027-02-01',
  certificates: '2027-02-01',
  'backup-drill': '2026-10-02',
  'backup-copies': '2026-05-16',
  update: '2026-06-01',
  keys: '2027-03-04',
  'terms-and-prices': '2026-08-01',
}

/** On these days of each month the job runs in the tests of a year: all on which something is to happen. */
const DAYS = [1, 2, 3, 4, 5, 16, 17, 21, 22]

describe('a duty that is forgotten for a year', () => {
  it.each(DUTY_NAMES)(
    '%s is asked for by a mail, again each month, and once when it becomes late',
    async name => {
      await ARISES[name]?.()
      const told: string[] = []
      const late: string[] = []
      for (let day = 0; day < 366; day++) {
        clock.set(CREATED_AT + day * DAY_MS)
        // The others are done at once, as far as that is said by hand.
        if (new Date(clock()).getUTCDate() === 1)
          for (const other of DUTY_NAMES)
            if (other !== name && dutyOf(other).known !== 'data') await note(other)
        // The daily check goes on finding the same.
        if (name === 'provider-findings' && new Date(clock()).getUTCDate() <= 4) await check(2)
        const mails = sent.length
        if (day > 20 && DAYS.includes(new Date(clock()).getUTCDate())) await look()
        for (const { subject, text } of sent.slice(mails)) {
          expect(text).toContain(dutyOf(name).title)
          expect(text).toContain(`npm run ops -- ${dutyOf(name).command('').split(' ')[0]}`)
          expect(text).toContain(dutyOf(name).guide)
          if (subject.includes(': Late: ')) late.push(new Date(clock()).toISOString().slice(0, 10))
          else told.push(/in (\d{4}-\d{2}): 1/.exec(subject)?.[1] ?? subject)
        }
      }
      const months = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(n =>
        new Date(Date.UTC(2026, n - 1, 1)).toISOString().slice(0, 7),
      )
      expect(told).toEqual(months.slice(months.indexOf(ASKED[name])))
      expect(late[0]).toBe(LATE[name])
      // What the check finds is found anew each month; everything else has become late once.
      expect(late).toHaveLength(name === 'provider-findings' ? 12 : 1)
    },
  )
})

describe('the mail of a month', () => {
  const at = async (when: string, ...dbs: readonly Database[]) => {
    clock.set(when)
    await look(...dbs)
    return sent.length
  }

  it('goes in the morning of the first working day, once', async () => {
    await haveAccount()
    await give()
    // August 1, 2026 is a Saturday; the 3rd is the first working day. Madrid is two hours before UTC.
    clock.set('2026-07-31T12:00:00Z')
    await noteVersion(test.db, '1.0.0', clock())
    for (const name of ['vat', 'terms-and-prices', 'backup-copies'] as const) await note(name)
    clock.set('2026-08-01T09:00:00Z')
    await note('backup-copies')
    await note('update')
    expect(await at('2026-08-01T10:00:00Z')).toBe(0)
    expect(await at('2026-08-03T05:59:59Z')).toBe(0)
    expect(await at('2026-08-03T06:00:00Z')).toBe(1)
    expect(await at('2026-08-03T07:00:00Z')).toBe(1)
    expect(await at('2026-08-31T07:00:00Z')).toBe(1)
    expect(sent[0]?.subject).toBe('gift.example: This is due in 2026-08: 1, late: 1')
    expect(sent[0]?.text).toContain('50.00 EUR owed to 1 organisation, the oldest since 2026-03-10.')
  })

  it('is one however many servers look at once, and comes later where the site was off', async () => {
    await give()
    const others = await Promise.all([test.another(), test.another()])
    expect(await at('2026-04-20T12:00:00Z', test.db, ...others)).toBe(1)
    expect(await at('2026-04-20T18:00:00Z', test.db, ...others)).toBe(1)
  })

  it('is followed by one for each duty that becomes late, however many servers look, also where the site was off', async () => {
    await haveAccount()
    await give()
    const others = await Promise.all([test.another(), test.another()])
    const late = () =>
      sent.filter(({ subject }) => subject.includes(': Late: ')).map(({ subject }) => subject)
    await at('2026-04-01T12:00:00Z')
    await at('2026-04-15T12:00:00Z')
    expect(late()).toEqual([])
    // The 16th begins in Madrid two hours before it does in UTC, and the mail waits for the morning.
    await at('2026-04-15T23:00:00Z')
    expect(late()).toEqual([])
    clock.set('2026-04-18T12:00:00Z')
    await look(test.db, ...others)
    expect(late()).toEqual(['gift.example: Late: pay the organisations in one run'])
    expect(sent.at(-1)?.text).toContain('Late since 2026-04-16: pay the organisations in one run. 50.00 EUR')
    await at('2026-04-19T12:00:00Z')
    await at('2026-04-30T12:00:00Z')
    expect(late()).toHaveLength(2)
    expect(late()[1]).toContain('VAT')
  })

  it('of a duty that has become late is written once, whatever process dies behind a commit', async () => {
    const told = await mailsOf('duty-late', async () => {
      await test.close()
      test = await openTestDatabase()
      clock.set(CREATED_AT)
      await beginCounts(test.db, testKeys, CREATED_AT)
      await haveAccount()
      await give()
      await at('2026-04-15T12:00:00Z')
      clock.set('2026-04-16T12:00:00Z')
      return { db: test.db, clock, act: by => jobOf(by).run({ goOn: async () => {} }) }
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(oneEach(told))
  })

  it('does not come where nothing is due', async () => {
    await give()
    const made = await pay()
    await markPaid(test.db, { id: made.id, reference: 'R1' }, clock())
    clock.set('2026-04-01T00:00:00Z')
    await note('vat')
    expect(await at('2026-04-01T12:00:00Z')).toBe(0)
  })

  it('is read in a process of its own, which finds the same', async () => {
    await give()
    expect(await askWorker('duties', test.location, clock())).toEqual(await QUERIES.duties(test.db, clock()))
  })
})
