import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { DESK_PATH, deskPath } from '#paths'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { Job } from '#server/platform/outbox/claim.ts'
import type { Handler } from '#server/platform/outbox/worker.ts'
import { type AlarmKind, type Facts, isAlarm, wordsOf } from './alarm-kinds.ts'
import { MailFailure } from './failure.ts'
import { type Message, messageIdOf } from './message.ts'
import type { MailTransport } from './transport.ts'

/** The kind of mail. */
export const ALARM = 'alarm'
const PERIOD_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, once: Number.POSITIVE_INFINITY }

interface AlarmPayload {
  readonly kind: AlarmKind
  readonly facts: Facts
  /** Epoch ms UTC. */
  readonly at: number
  /** The id of the person at the desk whom it goes to; missing where it goes to the operator. */
  readonly person?: string
}

/** Somebody at the desk, and where they are written to. */
interface Addressee {
  readonly id: string
  readonly address: string
}

export interface AlarmParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly transport: MailTransport
  /** The operator's address. */
  readonly to: string
  /** Everybody else at the desk. */
  readonly others?: () => Promise<readonly Addressee[]>
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
 * Tells the operator, by mail, what the log says in vain when nobody reads it: at most one mail per kind and hour or
 * day (and order, where it is about the money of one), with what the log knows of the first. What concerns everybody at the desk goes to
 * each of them, as a mail of their own. The mails go through the outbox, so that a mail server that is away delays them and loses nothing.
 */
export function createAlarms(parts: AlarmParts): Alarms {
  const { db, clock, log, transport, to, others = nobody, mailFrom, siteUrl } = parts
  /**
   * Nobody else is told that this one did not arrive: also what the mail server refuses for good is tried again, until
   * the mailbox, or OPERATOR_MAIL, is put right, or the person it goes to is ended.
   */
  const sendAndKeepTrying = (message: Message): Promise<void> =>
    transport.send(message).catch((error: unknown) => {
      throw error instanceof MailFailure ? new MailFailure(error.code, false) : error
    })
  /**
   * When the mail of an event was kept with the transaction of what it tells of. The event goes to `error` later, perhaps in
   * the next hour or day: by a clock that is read again its mail would have another key, and go out a second time.
   */
  const keptAt = new Map<string, number>()
  /**
   * Queues one mail for each person at the desk, so that a mailbox that is refused keeps the mail from nobody else. A
   * job that is tried again queues nobody's a second time.
   */
  async function queueForOthers(job: Job, payload: AlarmPayload): Promise<void> {
    const people = (await others()).filter(({ address }) => address !== to)
    await db.transaction(async trx => {
      for (const { id: person } of people) {
        const dedupeKey = `${job.dedupeKey}:to:${person}`
        await queueMail(trx, { kind: ALARM, dedupeKey, payload: { ...payload, person }, runAt: clock() })
      }
    })
  }
  /** undefined where the person was ended meanwhile. */
  const addressOf = async (person: string | undefined): Promise<string | undefined> =>
    person === undefined ? to : (await others()).find(({ id }) => id === person)?.address
  return {
    log: {
      info: log.info,
      error(event, error, facts = {}) {
        log.error(event, error, facts)
        if (!isAlarm(event)) return
        const about = aboutOf(event, facts)
        const [now, kept] = [clock(), keptAt.get(about)]
        keptAt.delete(about)
        // Where nobody came from a transaction to here, this is another event: by the key of then it would go out to nobody.
        const at = kept !== undefined && Math.abs(now - kept) < HOUR_MS ? kept : now
        // Nobody waits for it: what was being done goes on.
        db.transaction(trx => queueAlarm(trx, event, facts, at)).catch(failure =>
          log.error('alarm-not-queued', failure),
        )
      },
      async queueAlarm(trx, event, facts) {
        if (!isAlarm(event)) return
        const at = clock()
        keptAt.set(aboutOf(event, facts), at)
        await queueAlarm(trx, event, facts, at)
      },
    },
    async handler(job) {
      const { hostname } = new URL(siteUrl)
      const payload = job.payload as AlarmPayload
      // Before the operator's own is sent: also where that one fails, the others get theirs.
      if (payload.person === undefined && wordsOf(payload.kind).toAll) await queueForOthers(job, payload)
      const address = await addressOf(payload.person)
      if (address === undefined) return
      if (!isMailAddress(address)) throw new MailFailure('invalid-address', true)
      await sendAndKeepTrying({
        from: mailFrom,
        to: address,
        replyTo: to,
        subject: `${hostname}: ${wordsOf(payload.kind).title(payload.facts)}`,
        text: textOf(payload, siteUrl),
        messageId: messageIdOf(job.dedupeKey, hostname),
        date: new Date(clock()),
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': 'en' },
      })
      log.info('mail-sent', { kind: ALARM, job: job.id })
    },
  }
}

const nobody = async (): Promise<readonly Addressee[]> => []

/** Queues the mail of an alarm in the transaction of what it tells of. @param at epoch ms UTC */
export async function queueAlarm(trx: Writer, kind: AlarmKind, facts: Facts, at: number): Promise<void> {
  const payload: AlarmPayload = { kind, facts, at }
  await queueMail(trx, { kind: ALARM, dedupeKey: keyOf(payload), payload, runAt: at })
}

/** Only one alarm of each key is sent. */
const keyOf = ({ kind, facts, at }: AlarmPayload): string =>
  [alarmKey(kind, at), ...subjectsOf(kind, facts)].join(':')

/** What two alarms that are about the same have in common, whenever they come. */
const aboutOf = (kind: AlarmKind, facts: Facts): string => [kind, ...subjectsOf(kind, facts)].join(':')

function subjectsOf(kind: AlarmKind, facts: Facts) {
  const { of, and = [] } = wordsOf(kind)
  const subjects = (of === undefined ? [] : [of, ...and]).map(name => facts[name])
  return subjects.filter(each => each !== undefined && each !== null)
}

/** The beginning of the keys of a kind's alarms at a time. The subject follows, where the kind has one. */
export function alarmKey(kind: AlarmKind, at = 0): string {
  return ['alarm', kind, Math.floor(at / PERIOD_MS[wordsOf(kind).atMostPer])].join(':')
}

const OFTEN: Readonly<Record<'hour' | 'day' | 'week' | 'once', string>> = {
  hour: 'at most one such mail per hour',
  day: 'at most one such mail per day',
  week: 'at most one such mail per week',
  once: 'one such mail',
}

function textOf({ kind, facts, at }: AlarmPayload, siteUrl: string): string {
  const { atMostPer, meaning, of, says, timeline } = wordsOf(kind)
  const about = timeline === undefined ? undefined : facts[timeline]
  const known = says
    ? [says(facts)]
    : Object.entries(facts)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${value}`)
  const each = of === undefined ? '' : ` for each ${of}`
  return [
    meaning,
    '',
    ...known,
    about === undefined || about === null
      ? `desk: ${siteUrl}${DESK_PATH}`
      : `timeline: ${siteUrl}${deskPath(String(about))}`,
    `time: ${new Date(at).toISOString()}`,
    `site: ${siteUrl}`,
    '',
    `There is ${OFTEN[atMostPer]}${each}; the log has every event "${kind}", with amounts in minor units.`,
    '',
  ].join('\n')
}
