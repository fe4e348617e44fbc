import { randomInt } from 'node:crypto'
import { DONORS_KEPT_YEARS } from '#domain/donor/identity.ts'
import { DAY_MS } from '#domain/durations.ts'
import { STATEMENT_KEPT_DAYS } from '#domain/withdrawal/withdrawal.ts'
import { photoBook as photoBookJob } from '#server/app/schedule/book.ts'
import { certificate } from '#server/app/schedule/certificate.ts'
import { duties } from '#server/app/schedule/duties.ts'
import { organisationLinks } from '#server/app/schedule/links.ts'
import { expiry, reconciliation, withdrawals as withdrawalsJob } from '#server/app/schedule/orders.ts'
import { publicLedger } from '#server/app/schedule/public-ledger.ts'
import { sealing } from '#server/app/schedule/sealing.ts'
import { sendings } from '#server/app/schedule/sendings.ts'
import { providerMovements } from '#server/app/schedule/treasury.ts'
import { ledgerCheck, watch } from '#server/app/schedule/watch.ts'
import { witnesses } from '#server/app/schedule/witnesses.ts'
import {
  type AnnouncedDraws,
  autoDonation,
  type RetentionTools,
  reminders,
  retention,
} from '#server/app/schedule/yearly.ts'
import { deleteOldAnalytics } from '#server/modules/analytics/retention.ts'
import { createAskLink } from '#server/modules/content/links/ask.ts'
import { lookAtLinks } from '#server/modules/content/links/looks.ts'
import { forgetDeadCalls } from '#server/modules/desk/refund-calls.ts'
import { forgetRequests } from '#server/modules/gifts/cards/lost-links.ts'
import { forgetRecipients } from '#server/modules/gifts/sendings/forget.ts'
import { writeCheckpoint } from '#server/modules/integrity/checkpoints.ts'
import { deleteUnconfirmed } from '#server/modules/letters/newsletter/newsletter.ts'
import { forgetHolders } from '#server/modules/payments/certificates/certificates.ts'
import { forgetDonors } from '#server/modules/payments/donors.ts'
import { forgetInvoiced, forgetInvoiceMails } from '#server/modules/payments/invoices/forget.ts'
import { forgetReferences } from '#server/modules/payments/partner-orders.ts'
import { forgetStatements } from '#server/modules/payments/withdrawals/state.ts'
import { forgetPayees } from '#server/modules/payouts/payee-accounts.ts'
import { notePublished, valuesDue } from '#server/modules/public-ledger/announcements.ts'
import { verifyBeacon } from '#server/modules/public-ledger/beacon.ts'
import { createDrandClient } from '#server/modules/public-ledger/drand-client.ts'
import { deriveFiles, ledgerFolder } from '#server/modules/public-ledger/files.ts'
import { sequenceOnceADay } from '#server/modules/public-ledger/publish.ts'
import { askWitness, askWitnesses } from '#server/modules/public-ledger/witnesses.ts'
import { isReviewDue } from '#server/modules/reports/operator-reports.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { lookAtCertificate } from '#server/platform/certificate.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Jobs } from '#server/platform/job-runner/job-runner.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { letDoneJobsLeave } from '#server/platform/outbox/leave.ts'
import { placeholdersIn, placeholdersOfContent } from '#server/platform/settings/placeholders.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { ContentParts } from './content.ts'
import type { Foundation } from './foundation.ts'
import type { GiftParts } from './gifts.ts'
import { keysIn } from './ledger-head.ts'

const YEAR_MS = 365.25 * DAY_MS

/**
 * Makes every periodic job of the site, with what it needs.
 * @param leaving aborts reads whose result is not needed any more
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
      reconciliation(payments),
      expiry({ db, clock }),
      withdrawalsJob(() => withdrawals.finish()),
      providerMovements(goOn =>
        readMovements({ db, clock, keys, log, stripe: provider.clients.stripe }, goOn),
      ),
      unusedCards(settings, { db, keys, clock, log }, () => content.listedNgoIds()),
      reminders({ db, clock }),
      sendings({ db, keys, clock }),
      watch({
        db,
        clock,
        log,
        campaigns: () => content.snapshot().freeCampaigns,
        expectsBackups: settings.production,
        // A rehearsal may go on with the words of the example.
        placeholders: () =>
          settings.production && !settings.demonstration
            ? [...placeholdersIn(written(settings)), ...placeholdersOfContent(content.snapshot())]
            : [],
        isReviewDue: now => isReviewDue(content.snapshot().ngoList.reviewedAt, now),
      }),
      // Without an address to ask at, it would fill the log.
      ...(settings.operatorMail
        ? [
            duties({
              db,
              clock,
              log,
              version: settings.version,
              reviewedAt: () => content.snapshot().ngoList.reviewedAt,
              known: now => askWorker('duties', location, now, { signal: leaving }),
            }),
          ]
        : []),
      sealing({ db, keys, clock, log }),
      ...publicLedgerJob(settings, { db, clock }),
      ...witnessesJob(settings, { db, clock, log }),
      ledgerCheck(log, examineInWorker, count => writeCheckpoint(db, keys, count)),
      retention({
        db,
        clock,
        keepPersonsMs: keepPersonsDays * DAY_MS,
        alsoForget: forgets({ db, keys }, keepPersonsDays),
      }),
      photoBookJob(() => photoBook.made()),
      ...certificateJob(settings, { clock, log }),
      // A site that is only tried out sends no requests to organisations.
      ...(settings.production
        ? [organisationLinks(log, rest => lookAtLinks({ db, clock, content: content.snapshot, ask, rest }))]
        : []),
    ],
  })
}

/** What is forgotten beside the people of gifts, in portions. */
const forgets = (
  { db, keys }: Pick<Foundation, 'db' | 'keys'>,
  keepPersonsDays: number,
): NonNullable<RetentionTools['alsoForget']> => [
  now => deleteOldAnalytics(db, now),
  now => forgetRequests(db, now),
  now => forgetRecipients(db, now),
  now => deleteUnconfirmed(db, now),
  now => letDoneJobsLeave(db, now),
  now => forgetDonors(db, now),
  now => forgetHolders(db, now - DONORS_KEPT_YEARS * YEAR_MS),
  now =>
    forgetInvoiced(db, {
      paid: now - DONORS_KEPT_YEARS * YEAR_MS,
      others: now - keepPersonsDays * DAY_MS,
    }),
  now => forgetInvoiceMails(db, now - 2 * DAY_MS),
  now => forgetReferences(db, now - keepPersonsDays * DAY_MS),
  now => forgetDeadCalls(db, now),
  now => forgetStatements(db, now - STATEMENT_KEPT_DAYS * DAY_MS),
  now => db.transaction(trx => forgetPayees(trx, keys, { endedBefore: now - keepPersonsDays * DAY_MS })),
]

/** The settings that an example fills in, as they are written. */
const written = ({ siteUrl, mail, mailFrom, operatorMail }: Settings) => ({
  SITE_URL: siteUrl,
  MAIL_FROM: mailFrom,
  ...(mail.kind === 'smtp' && { SMTP_URL: mail.url }),
  ...(operatorMail !== undefined && { OPERATOR_MAIL: operatorMail }),
})

const CERTIFICATE_TIMEOUT_MS = 10_000

/** None where browsers ask for none, and on a machine where the site is only tried out. */
function certificateJob(
  { production, demonstration, siteUrl }: Settings,
  { clock, log }: Pick<Foundation, 'clock' | 'log'>,
): readonly PeriodicJob[] {
  const { protocol, hostname, port } = new URL(siteUrl)
  if (!production || demonstration || protocol !== 'https:') return []
  const look = () => lookAtCertificate(hostname, Number(port || 443), CERTIFICATE_TIMEOUT_MS)
  return [certificate({ clock, log, host: hostname, look })]
}

/** Gives unused cards away, by draws that are announced where they can be. */
function unusedCards(
  settings: Settings,
  { db, keys, clock, log }: Pick<Foundation, 'db' | 'keys' | 'clock' | 'log'>,
  listedNgoIds: () => readonly string[],
): PeriodicJob {
  const announced = announcedDraws(settings, { db, clock })
  return autoDonation({ db, keys, clock, log, draw: randomInt, listedNgoIds, announcedDraws: announced })
}

/** None where nothing can be signed. */
function publicLedgerJob(
  settings: Settings,
  { db, clock }: Pick<Foundation, 'db' | 'clock'>,
): readonly PeriodicJob[] {
  const keys = keysIn(settings)
  if (keys === undefined) return []
  const folder = ledgerFolder(settings.dataDir)
  const tools = { db, clock, folder, ...keys, draw: randomInt }
  return [
    publicLedger(
      goOn => sequenceOnceADay(tools, goOn),
      goOn => deriveFiles({ db, folder, goOn }),
      size => notePublished(db, size, clock()),
    ),
  ]
}

/** None where no witness is set. */
function witnessesJob(
  { ledgerWitnesses }: Settings,
  { db, clock, log }: Pick<Foundation, 'db' | 'clock' | 'log'>,
): readonly PeriodicJob[] {
  if (ledgerWitnesses.length === 0) return []
  const ask = (goOn: () => Promise<void>) =>
    askWitnesses({ db, clock, witnesses: ledgerWitnesses, ask: askWitness, goOn })
  return [witnesses({ clock, log }, ask)]
}

/** Nothing new is announced where nothing is published, or there is nothing to draw by. */
function announcedDraws(
  { drand, ledgerKey, ledgerWitnesses }: Settings,
  { db, clock }: Pick<Foundation, 'db' | 'clock'>,
): AnnouncedDraws {
  const source = drand && createDrandClient(drand)
  const witness = ledgerWitnesses[0]?.text
  const values = () => valuesDue({ db, clock, verifyBeacon, source })
  if (ledgerKey === undefined) return { values }
  if (source) return { values, drawnBy: async () => ({ chain: await source.chain() }) }
  return { values, ...(witness !== undefined && { drawnBy: async () => ({ witness }) }) }
}
