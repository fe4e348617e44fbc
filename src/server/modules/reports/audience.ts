import { FUNNEL_ROUTES } from '#domain/analytics/events.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** Figures of the visits for the operator. They count groups, and show no single person (product.md#privacy). */
export interface Audience {
  /** From when on, epoch ms UTC; polls and claims are counted from the beginning. */
  readonly since: number
  readonly visits: readonly { readonly level: string; readonly language: string; readonly visits: number }[]
  /** Visits that saw each screen of a buyer's way, in its order. */
  readonly funnel: readonly { readonly route: string; readonly language: string; readonly visits: number }[]
  readonly campaigns: readonly { readonly code: string; readonly visits: number; readonly claims: number }[]
  readonly polls: readonly PollResult[]
  readonly vitals: readonly {
    readonly route: string
    readonly name: string
    readonly p75: number
    readonly samples: number
  }[]
}

export interface PollResult {
  readonly poll: string
  readonly question: string
  readonly value: string
  readonly answers: number
}

/** The time of visits that the operator sees. */
export const AUDIENCE_DAYS = 30

/** A smaller group could be one person's. */
export const SMALLEST_GROUP = 10
/** Measurements that are looked at; the newest of more. */
const MOST_SAMPLES = 50_000

/** Reads everything on one state of the data: of the last thirty days. @param now epoch ms UTC */
export async function readAudience(db: Reader, now: number): Promise<Audience> {
  const since = now - AUDIENCE_DAYS * DAY_MS
  return {
    since,
    visits: await readVisits(db, since),
    funnel: await readFunnel(db, since),
    campaigns: await readCampaigns(db, since),
    polls: await readPolls(db),
    vitals: await readVitals(db, since),
  }
}

async function readVisits(db: Reader, since: number): Promise<Audience['visits']> {
  const rows = await db
    .selectFrom('analytics_sessions')
    .select(eb => ['level', 'language', eb.fn.countAll<number>().as('visits')])
    .where('created_at', '>=', since)
    .groupBy(['level', 'language'])
    .orderBy('level')
    .orderBy('language')
    .execute()
  return rows.map(row => ({ ...row, visits: Number(row.visits) }))
}

async function readFunnel(db: Reader, since: number): Promise<Audience['funnel']> {
  const rows = await db
    .selectFrom('analytics_events')
    .select(eb => ['route', 'language', eb.fn.count<number>('session_id').distinct().as('visits')])
    .where('name', '=', 'screen-view')
    .where('created_at', '>=', since)
    .where('route', 'in', [...FUNNEL_ROUTES])
    .groupBy(['route', 'language'])
    .execute()
  const place = (route: string): number => (FUNNEL_ROUTES as readonly string[]).indexOf(route)
  return rows
    .map(row => ({ ...row, visits: Number(row.visits) }))
    .sort((a, b) => place(a.route) - place(b.route) || a.language.localeCompare(b.language))
}

async function readCampaigns(db: Reader, since: number): Promise<Audience['campaigns']> {
  const visits = await db
    .selectFrom('analytics_sessions')
    .select(eb => ['campaign', eb.fn.countAll<number>().as('visits')])
    .where('campaign', 'is not', null)
    .where('created_at', '>=', since)
    .groupBy('campaign')
    .execute()
  const claims = await db.selectFrom('free_campaigns').select(['tag', 'claimed']).execute()
  const visitsOf = new Map(visits.map(row => [row.campaign ?? '', Number(row.visits)]))
  const claimsOf = new Map(claims.map(({ tag, claimed }) => [tag, claimed]))
  return [...new Set([...visitsOf.keys(), ...claimsOf.keys()])].sort().map(code => ({
    code,
    visits: visitsOf.get(code) ?? 0,
    claims: claimsOf.get(code) ?? 0,
  }))
}

/** Only what at least ten answers said alike; capitals make no difference in what was written freely. */
async function readPolls(db: Reader): Promise<readonly PollResult[]> {
  const rows = await db
    .selectFrom('poll_answers')
    .select(eb => [
      'poll',
      'question',
      eb.fn<string>('lower', ['value']).as('said'),
      eb.fn.countAll<number>().as('n'),
    ])
    .groupBy(['poll', 'question', eb => eb.fn('lower', ['value'])])
    .having(eb => eb(eb.fn.countAll(), '>=', SMALLEST_GROUP))
    .orderBy('poll')
    .orderBy('question')
    .execute()
  return rows.map(({ poll, question, said, n }) => ({ poll, question, value: said, answers: Number(n) }))
}

async function readVitals(db: Reader, since: number): Promise<Audience['vitals']> {
  const rows = await db
    .selectFrom('analytics_events')
    .select(['route', 'metadata'])
    .where('name', '=', 'web-vital')
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(MOST_SAMPLES)
    .execute()
  const samples = new Map<
    string,
    { readonly route: string; readonly name: string; readonly values: number[] }
  >()
  for (const { route, metadata } of rows) {
    const { name, value } = JSON.parse(metadata) as { name?: unknown; value?: unknown }
    if (typeof name !== 'string' || typeof value !== 'number') continue
    const key = `${route} ${name}`
    const sample = samples.get(key) ?? { route, name, values: [] }
    sample.values.push(value)
    samples.set(key, sample)
  }
  return [...samples.values()]
    .map(({ route, name, values }) => ({ route, name, p75: percentile75(values), samples: values.length }))
    .sort((a, b) => a.route.localeCompare(b.route) || a.name.localeCompare(b.name))
}

/** The value that three quarters do not exceed. */
function percentile75(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0
}
