import { sql } from 'kysely'
import { dayInMadrid, dayInUtc } from '#domain/days.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/durations.ts'
import { isDeadlineNear } from '#domain/payment/dispute-states.ts'
import { areFailuresRising } from '#domain/payment/failures-rising.ts'
import { isProblem } from '#domain/problems.ts'
import { countOfSilent, sharesPaid } from '#server/app/schedule/newest-orders.ts'
import type { FreeCampaign } from '#server/modules/content/snapshot.ts'
import { CARD_NOT_SHOWN } from '#server/modules/gifts/confirmation-jobs.ts'
import { CARD_TABLES, isOfCard } from '#server/modules/gifts/stored-cards.ts'
import type { Count } from '#server/modules/integrity/checkpoints.ts'
import type { Examination } from '#server/modules/integrity/examine.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import { alarmKey } from '#server/modules/letters/alarms.ts'
import { PAYOUT_ADVICE } from '#server/modules/payouts/advices/advices.ts'
import { PAYEE_CHANGE } from '#server/modules/payouts/payee-accounts.ts'
import { disturbedParts, keepDisturbances } from '#server/modules/reports/disturbances.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import { withLease } from '#server/platform/job-runner/with-lease.ts'
import { type Log, reasonOf } from '#server/platform/log.ts'
import { isGivenUp } from '#server/platform/outbox/unsent.ts'

export interface WatchTools {
  readonly db: Database
  readonly clock: Clock
  /** Its alarms reach the operator. */
  readonly log: Log
  readonly campaigns: () => readonly FreeCampaign[]
  readonly isReviewDue: (now: number) => boolean
  /** Where settings and content are still those of an example. */
  readonly placeholders?: () => readonly string[]
  /** Does this site have to be backed up? One that is only tried out does not. */
  readonly expectsBackups: boolean
}

/** Something that the operator has to know, with its figures. */
interface Seen {
  readonly alarm: AlarmKind
  readonly facts: Readonly<Record<string, string | number>>
}

type Rule = (db: Reader, now: number, tools: WatchTools) => Promise<readonly Seen[]>

/** Checks whether anything needs a person, and writes it to the log as an alarm, which becomes a mail. */
export function watch(tools: WatchTools): PeriodicJob {
  return {
    name: 'watch',
    everyMs: 15 * MINUTE_MS,
    firstAfterMs: 5 * MINUTE_MS,
    async run() {
      const now = tools.clock()
      let alarms = 0
      let unseen = 0
      const kinds = new Set<AlarmKind>()
      for (const rule of RULES) {
        try {
          const seen = await tools.db.read(reader => rule(reader, now, tools))
          for (const { alarm, facts } of seen) {
            tools.log.error(alarm, new Error(alarm), facts)
            kinds.add(alarm)
          }
          alarms += seen.length
        } catch (error) {
          // The database is away, so no other rule could be checked either.
          if (isProblem(error)) throw error
          const alarm: AlarmKind = 'watch-failing'
          tools.log.error(alarm, error, { rule: rule.name, reason: reasonOf(error) })
          unseen++
        }
      }
      // What visitors are told of it (domain/status.ts).
      await keepDisturbances(tools.db, await tools.db.read(db => disturbedParts(db, kinds, now)), now)
      return unseen > 0 ? { alarms, unseen } : { alarms }
    },
  }
}

const count = sql<number>`count(*)`

const mailFailing: Rule = async db => {
  const { mails } = await db
    .selectFrom('jobs')
    .select(count.as('mails'))
    .where('done_at', 'is', null)
    .where('failed_reason', 'is not', null)
    .where('attempts', '>=', 3)
    .executeTakeFirstOrThrow()
  return mails > 0 ? [{ alarm: 'mail-failing', facts: { mails } }] : []
}

/** The most alarms of one turn, so that a wrong setting of the mail server floods nobody. The next turn goes on. */
const TOLD_AT_ONCE = 10

/**
 * Reports each mail of a card that will not be tried again, once. A card that was frozen or refunded before its mail
 * was sent needs no mail, and is not reported.
 */
const mailGivenUp: Rule = async (db, now) => {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'subject', 'kind', 'failed_reason'])
    .where(isGivenUp(now))
    .where('failed_reason', '<>', CARD_NOT_SHOWN)
    .where(isOfCard)
    .where(isUntold('mail-given-up'))
    .orderBy('done_at')
    .limit(TOLD_AT_ONCE)
    .execute()
  return rows.map(({ id, subject, kind, failed_reason: reason }) => ({
    alarm: 'mail-given-up',
    facts: { mail: id, card: subject ?? '', kind, reason: reason ?? '' },
  }))
}

/** No alarm of this kind was queued about the mail. A condition on `jobs`. */
const isUntold = (alarm: AlarmKind) =>
  sql<boolean>`not exists (select 1 from jobs as told
    where told.dedupe_key = ${sql.lit(`${alarmKey(alarm)}:`)} || jobs.id)`

/** Warnings to organisations that will not be tried again: their money may be about to go to somebody else. */
const payeeWarningGivenUp: Rule = async (db, now) => {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('payee_accounts', 'payee_accounts.id', 'jobs.subject')
    .select(['jobs.id', 'payee_accounts.ngo_id', 'jobs.failed_reason'])
    .where('jobs.kind', '=', PAYEE_CHANGE)
    .where(isGivenUp(now))
    .where(isUntold('payee-warning-given-up'))
    .orderBy('jobs.done_at')
    .limit(TOLD_AT_ONCE)
    .execute()
  return rows.map(({ id, ngo_id: organisation, failed_reason: reason }) => ({
    alarm: 'payee-warning-given-up',
    facts: { mail: id, organisation, reason: reason ?? '' },
  }))
}

/** Mails about payouts that will not be tried again, unless their link was ended: that was seen already. */
const payoutAdviceGivenUp: Rule = async (db, now) => {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('payout_advices', 'payout_advices.id', 'jobs.subject')
    .innerJoin('payouts', 'payouts.id', 'payout_advices.payout_id')
    .select(['jobs.id', 'jobs.failed_reason', 'payouts.id as payout'])
    .select(['payouts.ngo_id', 'payouts.amount', 'payouts.currency'])
    .where('jobs.kind', '=', PAYOUT_ADVICE)
    .where('payout_advices.withdrawn_at', 'is', null)
    .where(isGivenUp(now))
    .where(isUntold('payout-advice-given-up'))
    .orderBy('jobs.done_at')
    .limit(TOLD_AT_ONCE)
    .execute()
  return rows.map(({ id, payout, ngo_id: organisation, amount, currency, failed_reason: reason }) => ({
    alarm: 'payout-advice-given-up',
    facts: { mail: id, payout, organisation, amount, currency, reason: reason ?? '' },
  }))
}

/** Reports missing events. */
const webhookSilent: Rule = async (db, now) => {
  const payments = await countOfSilent(db, now)
  return payments > 0 ? [{ alarm: 'webhook-silent', facts: { payments } }] : []
}

/**
 * Reports a day on which the share of paid orders is less than half of that in the week before. The orders that a partner's
 * program opens are judged apart: how many of them are ever paid is that program's doing.
 */
const failuresRising: Rule = async (db, now) =>
  (await sharesPaid(db, now - HOUR_MS))
    .filter(({ day, week }) => areFailuresRising(day, week))
    .map(({ partner, day }): Seen => {
      const facts = { ...day, ...(partner !== undefined && { partner }) }
      return { alarm: 'payment-failures-rising', facts }
    })

/** Each dispute that waits for an answer: when it was opened, and once more when its last day is near. */
const disputesToAnswer: Rule = async (db, now) => {
  const rows = await db
    .selectFrom('disputes')
    .selectAll()
    .where('state', '=', 'to-answer')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id: dispute, order_id: order, amount, currency, answer_by: answerBy }) => {
    const until = answerBy === null ? '' : dayInMadrid(answerBy)
    const facts = { dispute, order, amount, currency, until }
    const opened: Seen = { alarm: 'dispute-to-answer', facts }
    return isDeadlineNear(answerBy, now) ? [opened, { alarm: 'dispute-deadline-near', facts }] : [opened]
  })
}

/** Cards that are held by disputes of which nothing else is known: those from before the site kept them. */
const disputesOfBefore: Rule = async db => {
  const { cards } = await db
    .selectFrom('card_holds')
    .select(count.as('cards'))
    .where('reason', '=', 'dispute')
    .where(({ not, exists, selectFrom, or }) =>
      not(
        or(
          CARD_TABLES.map(table =>
            exists(
              selectFrom(table)
                .select(`${table}.id`)
                .whereRef(`${table}.id`, '=', 'card_holds.card_id')
                .where(`${table}.order_id`, 'in', selectFrom('disputes').select('disputes.order_id')),
            ),
          ),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return cards > 0 ? [{ alarm: 'payment-disputed', facts: { cards } }] : []
}

/**
 * Refunds of which nothing was heard for an hour: no event ends what they hold, if they were not made. One that a clock which was
 * ahead has noted is none of a time to come.
 */
const refundsUnanswered: Rule = async (db, now) => {
  const rows = await db
    .selectFrom('card_holds')
    .select('card_id')
    .where('reason', '=', 'refund')
    .where(eb => eb.or([eb('created_at', '<=', now - HOUR_MS), eb('created_at', '>=', now + HOUR_MS)]))
    // Those that were told of today leave their place to the others, of which there can be hundreds.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .where(
              'jobs.dedupe_key',
              '=',
              sql<string>`${sql.lit(`${alarmKey('refund-unanswered', now)}:`)} || card_holds.card_id`,
            ),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('card_id')
    .limit(TOLD_AT_ONCE)
    .execute()
  return rows.map(({ card_id: card }) => ({ alarm: 'refund-unanswered', facts: { card } }))
}

/** Campaigns that are switched on and have given their last tenth, or have nothing to give, maybe from the beginning. */
const stockLow: Rule = async (db, _, { campaigns }) => {
  const rows = await db.selectFrom('free_campaigns').selectAll().execute()
  return campaigns().flatMap(({ tag, active, stock }): Seen[] => {
    const left = stock - (rows.find(row => row.tag === tag)?.claimed ?? 0)
    if (!active || left > Math.ceil(stock / 10)) return []
    return left > 0
      ? [{ alarm: 'campaign-stock-low', facts: { campaign: tag, left, stock } }]
      : [{ alarm: 'campaign-without-stock', facts: { campaign: tag, stock } }]
  })
}

/** How many places a mail names. */
const PLACES_NAMED = 10

const placeholdersLeft: Rule = async (_, __, { placeholders = () => [] }) => {
  const found = placeholders()
  if (found.length === 0) return []
  const more = found.length > PLACES_NAMED ? ', …' : ''
  const fields = found.slice(0, PLACES_NAMED).join(', ') + more
  return [{ alarm: 'placeholders-left', facts: { all: found.length, fields } }]
}

const reviewOverdue: Rule = async (_, now, { isReviewDue }) =>
  isReviewDue(now) ? [{ alarm: 'ngo-review-overdue', facts: {} }] : []

/** One nightly backup may be missed, but not two. */
const BACKUP_EVERY_MS = 2 * DAY_MS

/** Reports that no backup was made for two days, or ever. The audit log knows of each, wherever it was written to. */
const backupOverdue: Rule = async (db, now, { expectsBackups }) => {
  if (!expectsBackups) return []
  const made = await db
    .selectFrom('audit_log')
    .select(sql<number | null>`max(created_at)`.as('at'))
    .where('action', '=', 'backup')
    .where('outcome', '=', 'done')
    .executeTakeFirst()
  const began = await db.selectFrom('checkpoints').select('at').where('number', '=', 1).executeTakeFirst()
  const since = made?.at ?? began?.at
  if (since === undefined || now - since < BACKUP_EVERY_MS) return []
  return [{ alarm: 'backup-overdue', facts: { last: made?.at ? dayInUtc(made.at) : 'never' } }]
}

const RULES: readonly Rule[] = [
  mailFailing,
  mailGivenUp,
  payeeWarningGivenUp,
  payoutAdviceGivenUp,
  webhookSilent,
  disputesToAnswer,
  disputesOfBefore,
  refundsUnanswered,
  failuresRising,
  stockLow,
  placeholdersLeft,
  reviewOverdue,
  backupOverdue,
]

/**
 * Verifies every invariant of the money, once a day. A check that cannot finish is an alarm at once: books that cannot
 * be checked may be broken.
 * @param keep writes a checkpoint of books that are in order
 */
export function ledgerCheck(
  log: Log,
  check: () => Promise<Examination>,
  keep: (count: Count) => Promise<void> = async () => {},
): PeriodicJob {
  return {
    name: 'ledger-check',
    everyMs: DAY_MS,
    firstAfterMs: 10 * MINUTE_MS,
    failure: 'ledger-unchecked' satisfies AlarmKind,
    async run(turn) {
      const { findings, count } = await withLease(turn, check())
      if (count) await keep(count)
      if (findings.length > 0) {
        const alarm: AlarmKind = 'ledger-broken'
        log.error(alarm, new Error(alarm), { findings: findings.length, first: findings[0]?.rule ?? '' })
      }
      return { findings: findings.length }
    },
  }
}
