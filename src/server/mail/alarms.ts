import { isMailAddress } from '#domain/mail/address.ts'
import type { Clock, Log } from '#server/app.ts'
import type { Database } from '#server/db/database.ts'
import { enqueue } from '#server/outbox/enqueue.ts'
import type { Handler } from '#server/outbox/worker.ts'
import { MailFailure } from './failure.ts'
import { messageIdOf } from './message.ts'
import type { MailTransport } from './transport.ts'

/** The log's events that a person has to hear of, and what they mean for that person. */
export const ALARMS = {
  'payment-reversed-at-a-loss':
    'Money went back to a buyer whose card was given away already. The books show the loss. Look at the order in the payment account.',
  'payment-not-ours':
    'A payment names an order of ours, or should, and does not fit it to the cent. No card was made. Look for it in the payment account.',
  'limit-of-all-visitors-spent':
    'All visitors together use something faster than is allowed, and are refused until it is slower. With the limit "gateway" somebody may be testing stolen cards; with "free-claim" somebody may be emptying a free campaign; with "newsletter" somebody may be writing to strangers through us.',
  'free-campaign-finished':
    'The last card of a free campaign is given: whoever comes now reads that it is sold out. More stock, or an end to its adverts, is for you to decide.',
  'content-broken':
    'Something was published that the pages cannot show, so visitors go on seeing the content before it. The fields below say what to put right in the Studio; once it is published again, the site follows by itself.',
  'publish-failed':
    'New content was published, but pages that show it could not be rendered, so visitors go on seeing the pages before it. The log says which pages and why.',
  'ledger-broken':
    'The books do not agree with what they tell of. Run `npm run ops -- check`, which names every place, before anything is paid out.',
  'mail-failing':
    'Mails do not get through after several tries. They are kept and tried again every hour; `npm run ops -- doctor` tries the mail server.',
  'webhook-silent':
    'Orders were paid, and the payment account sent no event of it. Cards are made all the same, later; look at the webhook in the payment account.',
  'payment-disputed':
    'Buyers have disputed payments, and their cards are frozen. Answer in the payment account before its time is over.',
  'payment-failures-rising':
    'Far fewer orders are paid than usual. Try a purchase, and look at the payment account.',
  'campaign-stock-low': 'A free campaign has nearly given all its cards.',
  'ngo-review-overdue':
    'The yearly review of the organisations is overdue. Look through the list in the Studio and set the day of the review.',
  'clock-not-believed':
    'This machine says that more time has gone by than a site is ever silent, so nothing was given away or deleted. When the clock is right, run `npm run ops -- run auto-donation --trust-clock`, and the same for reminders and retention.',
} as const

/** States that last: their mail comes once a day, not once an hour. */
const DAILY: ReadonlySet<string> = new Set<keyof typeof ALARMS>([
  'ledger-broken',
  'mail-failing',
  'webhook-silent',
  'payment-disputed',
  'payment-failures-rising',
  'campaign-stock-low',
  'ngo-review-overdue',
  'clock-not-believed',
])

export type AlarmKind = keyof typeof ALARMS

export const ALARM = 'alarm'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Facts = Readonly<Record<string, string | number | boolean | null>>

interface AlarmPayload {
  readonly kind: AlarmKind
  readonly facts: Facts
  /** Epoch ms UTC. */
  readonly at: number
}

export interface AlarmParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly transport: MailTransport
  /** The operator's address. */
  readonly to: string
  /** `Name <address>` or an address. */
  readonly mailFrom: string
  /** Origin of the site, without a trailing slash. */
  readonly siteUrl: string
}

export interface Alarms {
  /** Writes what it is given to the log, and queues a mail when it is an alarm. */
  readonly log: Log
  /** Sends the mails of jobs of the kind `alarm`. */
  readonly handler: Handler
}

/**
 * Tells the operator, by mail, what the log says in vain when nobody reads it: at most one mail per kind and hour,
 * with the facts of the first (ids and amounts, as the log has them). The mail goes through the outbox, so that a
 * mail server that is away delays it and loses nothing.
 */
export function createAlarms({ db, clock, log, transport, to, mailFrom, siteUrl }: AlarmParts): Alarms {
  const raise = (payload: AlarmPayload): Promise<unknown> =>
    db.transaction(trx =>
      enqueue(trx, {
        kind: ALARM,
        dedupeKey: `alarm:${payload.kind}:${Math.floor(payload.at / (DAILY.has(payload.kind) ? DAY_MS : HOUR_MS))}`,
        payload,
        runAt: payload.at,
      }),
    )
  return {
    log: {
      info: log.info,
      error(event, error, facts = {}) {
        log.error(event, error, facts)
        if (!isAlarm(event)) return
        // Nobody waits for it: what was being done goes on.
        raise({ kind: event, facts, at: clock() }).catch(failure => log.error('alarm-not-queued', failure))
      },
    },
    async handler(job) {
      if (!isMailAddress(to)) throw new MailFailure('invalid-address', true)
      const { hostname } = new URL(siteUrl)
      const payload = job.payload as AlarmPayload
      await transport.send({
        from: mailFrom,
        to,
        replyTo: to,
        subject: `${hostname}: ${payload.kind}`,
        text: textOf(payload, siteUrl),
        messageId: messageIdOf(job.dedupeKey, hostname),
        date: new Date(clock()),
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': 'en' },
      })
      log.info('mail-sent', { kind: ALARM, job: job.id })
    },
  }
}

function textOf({ kind, facts, at }: AlarmPayload, siteUrl: string): string {
  const known = Object.entries(facts).filter(([, value]) => value !== null)
  return [
    ALARMS[kind],
    '',
    ...known.map(([name, value]) => `${name}: ${value}`),
    `time: ${new Date(at).toISOString()}`,
    `site: ${siteUrl}`,
    '',
    `There is one such mail per ${DAILY.has(kind) ? 'day' : 'hour'}; the log has every event "${kind}". Amounts are in minor units.`,
    '',
  ].join('\n')
}

const isAlarm = (event: string): event is AlarmKind => Object.hasOwn(ALARMS, event)
