import { randomInt } from 'node:crypto'
import { STATEMENT_KEPT_DAYS } from '#domain/withdrawal/withdrawal.ts'
import { photoBook as photoBookJob } from '#server/app/schedule/book.ts'
import { organisationLinks } from '#server/app/schedule/links.ts'
import { expiry, reconciliation, withdrawals as withdrawalsJob } from '#server/app/schedule/orders.ts'
import { sealing } from '#server/app/schedule/sealing.ts'
import { providerMovements } from '#server/app/schedule/treasury.ts'
import { ledgerCheck, watch } from '#server/app/schedule/watch.ts'
import { autoDonation, reminders, retention } from '#server/app/schedule/yearly.ts'
import { deleteOldAnalytics } from '#server/modules/analytics/retention.ts'
import { createAskLink } from '#server/modules/content/links/ask.ts'
import { lookAtLinks } from '#server/modules/content/links/looks.ts'
import { forgetRequests } from '#server/modules/gifts/cards/lost-links.ts'
import { writeCheckpoint } from '#server/modules/integrity/checkpoints.ts'
import { deleteUnconfirmed } from '#server/modules/letters/newsletter/newsletter.ts'
import { forgetStatements } from '#server/modules/payments/withdrawals/state.ts'
import { isReviewDue } from '#server/modules/reports/operator-reports.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import type { Jobs } from '#server/platform/job-runner/job-runner.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { ContentParts } from './content.ts'
import type { Foundation } from './foundation.ts'
import type { GiftParts } from './gifts.ts'

const DAY_MS = 24 * 3_600_000

/**
 * The periodic work of the site: every job, with what it needs.
 * @param leaving ends the reading that nobody waits for any more
 */
export function createPeriodicJobs(
  settings: Settings,
  { db, keys, clock, log, location, provider }: Foundation,
  { content }: Pick<ContentParts, 'content'>,
  { payments, photoBook, withdrawals }: Pick<GiftParts, 'payments' | 'photoBook' | 'withdrawals'>,
  leaving: AbortSignal,
): Jobs {
  const { keepPersonsDays } = settings
  const secrets = { current: settings.cardKeySecret, earlier: settings.earlierCardKeySecrets }
  const ask = createAskLink({ siteUrl: settings.siteUrl })
  const examineInWorker = () => askWorker('findings', location, clock(), { signal: leaving, secrets })
  return createJobs({
    db,
    clock,
    log,
    jobs: [
      reconciliation(() => payments.reconcile()),
      expiry({ db, clock }),
      withdrawalsJob(() => withdrawals.finish()),
      providerMovements(goOn =>
        readMovements({ db, clock, keys, log, stripe: provider.clients.stripe }, goOn),
      ),
      autoDonation({ db, keys, clock, draw: randomInt, listedNgoIds: () => content.listedNgoIds() }),
      reminders({ db, clock }),
      watch({
        db,
        clock,
        log,
        campaigns: () => content.snapshot().freeCampaigns,
        isReviewDue: now => isReviewDue(content.snapshot().ngoList.reviewedAt, now),
      }),
      sealing({ db, keys, clock, log }),
      ledgerCheck(log, examineInWorker, count => writeCheckpoint(db, keys, count)),
      retention({
        db,
        clock,
        keepPersonsMs: keepPersonsDays * DAY_MS,
        alsoForget: [
          now => deleteOldAnalytics(db, now),
          now => forgetRequests(db, now),
          now => deleteUnconfirmed(db, now),
          now => forgetStatements(db, now - STATEMENT_KEPT_DAYS * DAY_MS),
        ],
      }),
      photoBookJob(() => photoBook.made()),
      // A site that is only tried out asks nobody.
      ...(settings.production
        ? [organisationLinks(log, rest => lookAtLinks({ db, clock, content: content.snapshot, ask, rest }))]
        : []),
    ],
  })
}
