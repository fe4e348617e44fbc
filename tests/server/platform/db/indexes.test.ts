import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ClaimAddress, readClaimAddress } from '#domain/campaign/claim-address.ts'
import { autoDonateAt } from '#domain/card/term.ts'
import { DAY_MS } from '#domain/durations.ts'
import { createMetrics } from '#server/app/metrics.ts'
import { expiry } from '#server/app/schedule/orders.ts'
import { watch } from '#server/app/schedule/watch.ts'
import { autoDonation, reminders, retention } from '#server/app/schedule/yearly.ts'
import { createAnalytics } from '#server/modules/analytics/analytics.ts'
import { deleteOldAnalytics } from '#server/modules/analytics/retention.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createClaim } from '#server/modules/gifts/cards/claim-free.ts'
import { createLostLinks, forgetRequests } from '#server/modules/gifts/cards/lost-links.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import {
  createNewsletter,
  deleteUnconfirmed,
  digestOfMailbox,
} from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { reconcile } from '#server/modules/payments/reconcile.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import { createFigures } from '#server/modules/reports/figures.ts'
import { createOperatorReports } from '#server/modules/reports/operator-reports.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import { letDoneJobsLeave } from '#server/platform/outbox/leave.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { CREATED_AT, inviteFor, sellCard, testKeys } from '#tests/builders/server.ts'
import { type QueryPlans, watchQueryPlans } from '#tests/support/query-plans.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

/** What grows with the cards and the visits. */
const GROWING =
  'orders|cards|volunteering_cards|redemptions|allocations|ledger_entries|jobs|free_claims|analytics_sessions|analytics_events|consent_records|poll_answers|newsletter_subscribers|draws|payout_allocations'
/** Indexes that hold only the few rows that are looked for, so that all of them may be read. */
const FEW = 'jobs_due|jobs_given_up|orders_open|cards_frozen|volunteering_cards_frozen'

/** Is every row of a table read, or every row after a first one? */
const isWhole = (plan: string): boolean =>
  new RegExp(`^SCAN (?:${GROWING})\\b(?! USING (?:COVERING )?INDEX (?:${FEW})\\b)`).test(plan) ||
  /\bsqlite_autoindex_\w+ \(\w*id>\?\)/.test(plan)

// PostgreSQL chooses by what it has counted, and of the few rows of a test it reads them all.
describe.runIf(process.env.TEST_ENGINE !== 'postgres')('among any number of cards', () => {
  let fixture: PaymentsFixture
  let plans: QueryPlans
  beforeAll(() => {
    plans = watchQueryPlans()
  })
  afterAll(() => plans.stop())
  beforeEach(async () => {
    fixture = await openPaymentsFixture()
    fixture.clock.set(CREATED_AT)
  })
  afterEach(() => fixture.close())

  const run = (job: PeriodicJob) => job.run({ goOn: async () => {} })
  const lostLinks = () => createLostLinks({ ...fixture.deps, keys: testKeys })
  const sendMails = async () => {
    const { handlers } = createMail({
      ...fixture.deps,
      log: quietLog(),
      keys: testKeys,
      render: async () => '',
      transport: { send: async () => {}, close() {} },
      mailFrom: 'Keep the Chain <cards@cards.example>',
      siteName: () => 'Keep the Chain',
      contact: () => 'hello@cards.example',
      identity: () => undefined,
      newsletterTokens: createTokens('a secret'),
      ngoName: id => id,
    })
    await createWorker({ ...fixture.deps, handlers, log: quietLog() }).runDue()
  }
  const inAYear = () => fixture.clock.set(autoDonateAt(CREATED_AT))

  it.each<readonly [string, () => Promise<unknown>, readonly string[]]>([
    [
      'who buys, is told of it and gets the mail',
      async () => {
        await fixture.buy()
        await fixture.deliver()
        await sendMails()
      },
      ['jobs_due'],
    ],
    [
      'who gives the credit',
      async () => {
        const { privateKey } = await fixture.test.db.transaction(trx => sellCard(trx))
        await createCards({ ...fixture.deps, keys: testKeys, listedNgoIds: () => ['msf'] }).redeem(
          privateKey,
          [{ ngoId: 'msf', points: 50 }],
        )
      },
      [],
    ],
    [
      'who gets the money back',
      async () => {
        await fixture.buy()
        await fixture.deliver()
        await fixture.refund()
        await fixture.deliver()
      },
      ['ledger_entries_reversals'],
    ],
    [
      'who asks for lost links',
      async () => {
        await fixture.test.db.transaction(async trx => {
          await sellCard(trx)
          await inviteFor(trx)
        })
        await lostLinks().request('buyer@example.org')
        await sendMails()
      },
      ['cards_by_address', 'volunteering_cards_by_address'],
    ],
    [
      'who claims a free card, subscribes, confirms and leaves',
      async () => {
        const address = readClaimAddress('ana@example.org') as ClaimAddress
        const campaign = { tag: 'free-es', language: 'es', source: 'other', active: true, stock: 7 } as const
        await createClaim({ ...fixture.deps, keys: testKeys, log: quietLog(), campaigns: () => [campaign] })({
          campaignCode: 'free-es',
          address,
          currency: 'EUR',
          themeId: 'palestine',
          sender: { kind: 'anonymous' },
          language: 'es',
        })
        const tokens = createTokens('a secret')
        const newsletter = createNewsletter({ ...fixture.deps, tokens })
        await newsletter.subscribe({ address, name: 'Ana', phone: undefined, language: 'es' })
        const { id } = await fixture.test.db.read(db =>
          db
            .selectFrom('newsletter_subscribers')
            .select('id')
            .where('address_digest', '=', digestOfMailbox(fixture.deps.keys, address))
            .executeTakeFirstOrThrow(),
        )
        await newsletter.confirm(tokens.make('confirm', id, CREATED_AT))
        expect(await newsletter.unsubscribe(tokens.make('unsubscribe', id, CREATED_AT))).toBe(true)
      },
      ['jobs_about'],
    ],
    [
      'who allows to be counted, and takes that back',
      async () => {
        const analytics = createAnalytics({ ...fixture.deps, log: quietLog(), countSession() {} })
        const caller = { address: '::1', userAgent: '', language: 'es', refuses: false } as const
        const asked = { device: {}, timezoneOffset: 0, userId: '', isAnonymous: false }
        const known = await analytics.newSession(asked, caller)
        const event = { name: 'scroll', address: '/es', metadata: {}, isAnonymous: false }
        await analytics.newEvent({ ...event, sessionId: known.sessionId }, caller)
        await analytics.flush()
        await analytics.forget(known)
      },
      ['analytics_sessions_of', 'analytics_events_of'],
    ],
    [
      'what is given away at the end of its year',
      async () => {
        await fixture.test.db.transaction(trx => sellCard(trx))
        inAYear()
        await run(autoDonation({ ...fixture.deps, draw: () => 0, listedNgoIds: () => ['msf'] }))
      },
      ['cards_to_auto_donate', 'cards_left'],
    ],
    ['who is reminded', () => run(reminders(fixture.deps)), ['cards_to_remind']],
    [
      'a withdrawal that has to be refunded',
      () => createWithdrawals({ ...fixture.deps, log: quietLog(), withdrawalDays: 14 }).finish(),
      ['withdrawals_unfinished'],
    ],
    ['an order that nobody pays', () => run(expiry(fixture.deps)), ['orders_open']],
    [
      'a payment whose events were lost',
      async () => {
        await fixture.buy()
        fixture.clock.advance(DAY_MS / 2)
        await reconcile(fixture.deps)
      },
      ['orders_open'],
    ],
    [
      'what an operator has to hear of',
      () =>
        run(
          watch({
            ...fixture.deps,
            log: quietLog(),
            campaigns: () => [],
            isReviewDue: () => false,
            expectsBackups: true,
          }),
        ),
      ['jobs_due', 'jobs_given_up', 'orders_by_age', 'orders_settled'],
    ],
    [
      'what an operator sees of the business, which another process reads',
      async () => {
        const figures = createFigures(fixture.test.db, fixture.test.location)
        await fixture.buy()
        await fixture.deliver()
        expect((await figures.summary(CREATED_AT)).money).toMatchObject([{ currency: 'EUR', orders: 1 }])
        expect((await figures.audience(CREATED_AT)).visits).toEqual([])
        const content = () => ({}) as ContentSnapshot
        expect(await createOperatorReports({ ...fixture.deps, content, figures }).payoutsCsv()).toContain(
          'payout,',
        )
      },
      [],
    ],
    [
      'what an operator’s monitoring sees of it, which another process reads as well',
      async () => {
        const figures = createFigures(fixture.test.db, fixture.test.location)
        await fixture.buy()
        await fixture.deliver()
        const metrics = createMetrics({ ...fixture.deps, figures })
        const port = await metrics.listen({ port: 0, host: '127.0.0.1' })
        const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
        await metrics.stop()
        expect(page).toMatch(/^gifts_cards\{status="active"\} 1$/m)
        expect(page).toMatch(/^gifts_mails\{state="waiting"\} 1$/m)
      },
      [],
    ],
    [
      'who is forgotten',
      () =>
        run(
          retention({
            ...fixture.deps,
            keepPersonsMs: DAY_MS,
            alsoForget: [deleteOldAnalytics, forgetRequests, letDoneJobsLeave, deleteUnconfirmed].map(
              forget => now => forget(fixture.test.db, now),
            ),
          }),
        ),
      [
        'cards_with_a_person',
        'orders_with_a_person',
        'volunteering_cards_with_a_person',
        'analytics_events_age',
        'analytics_sessions_age',
        'consent_records_age',
        'poll_answers_age',
        'jobs_lost_links',
        'jobs_leaving',
        'newsletter_unconfirmed',
      ],
    ],
  ])('finds without reading them all: %s', async (_, act, indexes) => {
    const path = join(fixture.test.location.dataDir, SQLITE_FILE)
    plans.take(path)
    await act()
    const taken = plans.take(path)
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.filter(isWhole)).toEqual([])
    for (const index of indexes) expect(taken.join('\n')).toMatch(new RegExp(`\\b${index}\\b`))
  })
})
