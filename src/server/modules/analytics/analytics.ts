import { createHmac, randomBytes } from 'node:crypto'
import { deviceClassOf, isEventName, type Metadata } from '#domain/analytics/events.ts'
import { masked, maskedData } from '#domain/analytics/masked.ts'
import { routeOf } from '#domain/analytics/route.ts'
import { isCampaignCode } from '#domain/campaign/campaigns.ts'
import { isConsentChoice, isTextHash } from '#domain/consent/consent.ts'
import { dayInUtc } from '#domain/days.ts'
import { MINUTE_MS } from '#domain/durations.ts'
import type { Language } from '#domain/languages.ts'
import { isPollId, missingAnswers, readSentAnswers, valuesOf } from '#domain/polls/polls.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { Log } from '#server/platform/log.ts'
import { type Batch, createBatch } from './batch.ts'
import { createRecent } from './recent.ts'
import { createSalts } from './salts.ts'

/** The parts of a call's sender that statistics read. */
export interface Caller {
  readonly address: string
  readonly userAgent: string
  readonly language: Language
  /** The browser says by itself that it does not want to be measured (GPC, Do Not Track). */
  readonly refuses: boolean
}

export interface NewSession {
  readonly device: Metadata
  /** Minutes, as browsers count them. */
  readonly timezoneOffset: number
  /** '' where the browser keeps none. */
  readonly userId: string
  readonly isAnonymous: boolean
}

export interface NewEvent {
  readonly name: string
  readonly sessionId: string
  /** The address as the browser gave it. Only its route is kept. */
  readonly address: string
  readonly metadata: Metadata
  readonly isAnonymous: boolean
}

/** Statistics that visitors allowed (product.md#privacy). No visitor waits for it. */
export interface Analytics {
  /**
   * '' for both where the browser refuses. An anonymous visitor has no user id. A session of somebody stands in the
   * table before it is answered, so that whoever takes it back reaches it.
   * Problems: temporarily-unavailable.
   */
  newSession(
    asked: NewSession,
    caller: Caller,
  ): Promise<{ readonly sessionId: string; readonly userId: string }>
  /**
   * Drops an event of a session that is gone: it was sent under a yes that has been taken back. The first event of an
   * anonymous visitor opens a session, and counts as one.
   * Problems: invalid-fields; too-many-requests when more arrive than can be written, or an address opens too many sessions.
   */
  newEvent(event: NewEvent, caller: Caller): Promise<void>
  /** Takes the identifiers of a visitor out of everything that is kept; what was never ours is in nothing. */
  forget(known: { readonly userId: string; readonly sessionId: string }): Promise<void>
  /** Writes what waits. */
  flush(): Promise<void>
}

const ID_BYTES = 16
const ID = /^[0-9a-f]{32}$/
/** A page that is left before it hears the answer lets the next one ask again: that is one visit, and one session. */
const SAME_VISIT_MS = 30_000
/** Submissions that are remembered, well beyond what comes within the minutes in which one is sent again. */
const MOST_ATTEMPTS = 10_000
/** Anonymous visitors that are remembered. Whose row is written a second time has one row all the same. */
const MOST_SEEN = 20_000
const MOST_OFFSET_MINUTES = 24 * 60

export interface AnalyticsParts {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly log: Log
  /**
   * Counts a session that an event opens, against the limit of its sender. Sessions that are asked for were counted when
   * they came in. Throws Problem too-many-requests.
   */
  readonly countSession: (address: string) => void
}

/** The stored part of anonymous events, by the event's name. */
type Unlinked = (event: NewEvent, language: Language, now: number, batch: Batch) => void

/**
 * Events that a visitor sends by pressing a button for them. They need no consent to statistics (product.md#privacy).
 */
const SENT_BY_HAND: ReadonlySet<string> = new Set(['poll-submitted'])

const UNLINKED: Readonly<Record<string, Unlinked>> = { consent: keepConsent, 'poll-submitted': keepPoll }

/** Makes the statistics. They keep only what the visitor’s consent allows. */
export function createAnalytics({ db, keys, clock, log, countSession }: AnalyticsParts): Analytics {
  const batch = createBatch({ db, clock, log })
  const saltOfToday = createSalts(db, clock)
  /** Anonymous visitors of today whose row is written or waits. */
  let seen = { day: '', ids: createRecent(MOST_SEEN) }

  /** Submissions taken lately, so that one whose answer was lost and that is sent again counts once; kept nowhere else. */
  const taken = createRecent(MOST_ATTEMPTS)

  /** One number for one visitor on one day, made of what every request shows; kept nowhere else. */
  const anonymousId = async ({ address, userAgent }: Caller): Promise<string> => {
    const salt = await saltOfToday()
    // The salt stands in the database for a day, so that all servers agree: with it alone nobody can confirm a guess.
    const whole = createHmac('sha256', salt)
      .update(keys.pseudonym(`${address}\n${userAgent}`))
      .digest('hex')
    return whole.slice(0, ID_BYTES * 2)
  }

  /** @param onNew may refuse a visitor who is not remembered */
  const openAnonymous = async (caller: Caller, onNew?: () => void): Promise<string> => {
    const id = await anonymousId(caller)
    const now = clock()
    if (seen.day !== dayInUtc(now)) seen = { day: dayInUtc(now), ids: createRecent(MOST_SEEN) }
    if (seen.ids.has(id)) return id
    onNew?.()
    batch.add('analytics_sessions', {
      id,
      user_id: null,
      level: 'anonymous',
      device_class: deviceClassOf(caller.userAgent),
      language: caller.language,
      campaign: null,
      timezone_offset: null,
      device: null,
      created_at: now,
    })
    seen.ids.note(id)
    return id
  }

  return {
    async newSession(asked, caller) {
      if (caller.refuses) return { sessionId: '', userId: '' }
      if (asked.isAnonymous) return { sessionId: await openAnonymous(caller), userId: '' }
      const userId = ownId(asked.userId) || newIdentifier()
      const { campaign } = asked.device
      const row = {
        id: newIdentifier(),
        user_id: userId,
        level: 'pseudo-anonymous' as const,
        device_class: deviceClassOf(caller.userAgent),
        language: caller.language,
        campaign: isCampaignCode(campaign) ? masked(campaign) : null,
        timezone_offset: Math.round(clamp(asked.timezoneOffset, MOST_OFFSET_MINUTES)),
        device: JSON.stringify(maskedData(asked.device)),
        created_at: clock(),
      }
      const sessionId = await db.transaction(async trx => {
        const open = await trx
          .selectFrom('analytics_sessions')
          .select('id')
          .where('user_id', '=', userId)
          .where('created_at', '>', row.created_at - SAME_VISIT_MS)
          // A time in the future was written by a clock that was put back since.
          .where('created_at', '<', row.created_at + SAME_VISIT_MS)
          .orderBy('created_at', 'desc')
          .executeTakeFirst()
        if (!open) await trx.insertInto('analytics_sessions').values(row).execute()
        return open?.id ?? row.id
      })
      return { sessionId, userId }
    },

    async newEvent(event, caller) {
      if (!isEventName(event.name))
        throw new Problem('invalid-fields', { fields: [{ path: 'name', rule: 'shape' }] })
      const { route, language = caller.language } = routeOf(event.address)
      const unlinked = Object.hasOwn(UNLINKED, event.name) ? UNLINKED[event.name] : undefined
      if (caller.refuses && !SENT_BY_HAND.has(event.name)) return
      const { attempt } = event.metadata
      if (unlinked && isAttempt(attempt) && taken.has(attempt)) return
      if (unlinked) {
        unlinked(event, language, clock(), batch)
        if (isAttempt(attempt)) taken.note(attempt)
        return
      }
      // The door counts an event. Whoever changes the User-Agent with each would open as many sessions as that.
      const sessionId = event.isAnonymous
        ? await openAnonymous(caller, () => countSession(caller.address))
        : event.sessionId
      const now = clock()
      batch.add('analytics_events', {
        id: newId(now),
        session_id: ownId(sessionId) || null,
        name: event.name,
        route,
        language,
        metadata: JSON.stringify(maskedData(event.metadata)),
        created_at: now,
      })
    },

    async forget(known) {
      // An id that we did not make is in no row, and PostgreSQL refuses to look for some of them.
      const [userId, sessionId] = [ownId(known.userId), ownId(known.sessionId)]
      if (!userId && !sessionId) return
      // Rows that still wait must not be written afterwards.
      await batch.flush()
      await db.transaction(async trx => {
        const sessions = trx
          .selectFrom('analytics_sessions')
          .select('id')
          .where('level', '=', 'pseudo-anonymous')
          .where(eb => eb.or([eb('user_id', '=', userId), eb('id', '=', sessionId)]))
        await trx
          .updateTable('analytics_events')
          .set({ session_id: null })
          .where('session_id', 'in', sessions)
          .execute()
        await trx
          .deleteFrom('analytics_sessions')
          .where('level', '=', 'pseudo-anonymous')
          .where(eb => eb.or([eb('user_id', '=', userId), eb('id', '=', sessionId)]))
          .execute()
      })
    },

    flush: () => batch.flush(),
  }
}

/** The answer, the words it answers, and its time to the minute. It holds nothing of the person who answered. */
function keepConsent({ metadata }: NewEvent, language: Language, now: number, batch: Batch): void {
  const { choice, version, text } = metadata
  if (!isConsentChoice(choice) || !Number.isSafeInteger(version) || !isTextHash(text))
    throw new Problem('invalid-fields', { fields: [{ path: 'metadata', rule: 'consent' }] })
  batch.add('consent_records', {
    id: newIdentifier(),
    choice,
    version: Number(version),
    text_hash: text,
    language,
    created_at: Math.floor(now / MINUTE_MS) * MINUTE_MS,
  })
}

/** Each thing said by itself, under a number of chance and the day: nothing ties it to the other things said. */
function keepPoll({ metadata }: NewEvent, language: Language, now: number, batch: Batch): void {
  const { poll } = metadata
  const answers = isPollId(poll) ? readSentAnswers(poll, metadata.answers) : {}
  if (!isPollId(poll) || missingAnswers(poll, answers).length > 0)
    throw new Problem('invalid-fields', { fields: [{ path: 'metadata', rule: 'poll' }] })
  for (const [question, answer] of Object.entries(answers))
    for (const value of valuesOf(answer))
      batch.add('poll_answers', {
        id: newIdentifier(),
        poll,
        question,
        value: masked(value),
        language,
        day: Date.parse(dayInUtc(now)),
      })
}

/** Could this be what a browser calls one submission? */
const isAttempt = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{16,64}$/.test(value)

/** '' for what is no number of our making. */
const ownId = (id: string): string => (ID.test(id) ? id : '')

const newIdentifier = (): string => randomBytes(ID_BYTES).toString('hex')

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, value))
