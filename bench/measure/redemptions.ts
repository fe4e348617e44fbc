import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { EngineName } from '#server/platform/db/database.ts'
import { type Databases, ENGINE_NAMES, openDatabases } from '../harness/databases.ts'
import type { Profile } from '../harness/profile.ts'
import type { RedeemerTimes, RedeemerWork, SeededDatabase } from '../harness/redeemer.ts'
import { fillDatabase } from '../harness/seed-data.ts'
import { goalOf } from '../report/goals.ts'
import { percentile, spread } from '../report/statistics.ts'
import type { Figure, Goal } from '../report/threshold.ts'

const CALLERS = 32

/** Redemptions through the server's own rooms, each on disk before it counts, among few cards and among many. */
export async function measureRedemptions(
  engine: EngineName,
  { redemptionSizes, redemptions }: Pick<Profile, 'redemptionSizes' | 'redemptions'>,
  { lateMs = 0 }: { lateMs?: number } = {},
): Promise<Figure[]> {
  const databases = await openDatabases(engine)
  try {
    const seeded: SeededDatabase[] = []
    for (const [n, cards] of redemptionSizes.entries()) {
      const sold = n === redemptionSizes.length - 1 ? redemptions * 2 : redemptions
      seeded.push(await seedDatabase(databases, `of_${cards}`, cards, sold))
    }
    const times = await redeem({ databases: seeded, oneByOne: redemptions, callers: CALLERS, lateMs })
    return figuresOf(engine, redemptionSizes, times)
  } finally {
    await databases.remove()
  }
}

async function seedDatabase(
  databases: Databases,
  name: string,
  cards: number,
  sold: number,
): Promise<SeededDatabase> {
  const location = await databases.create(name)
  const toBeUsed = await fillDatabase(location, { fillers: Math.max(0, cards - sold), sold })
  return { location, keys: toBeUsed.map(({ privateKey }) => privateKey) }
}

async function redeem(work: RedeemerWork): Promise<RedeemerTimes> {
  const file = fileURLToPath(new URL('../harness/redeemer.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`${JSON.stringify(work)}\n`)
  const answer = await text(child.stdout)
  if (answer === '') throw new Error('the process that redeems ended without an answer')
  return JSON.parse(answer) as RedeemerTimes
}

function figuresOf(
  engine: EngineName,
  sizes: readonly number[],
  { times, together }: RedeemerTimes,
): Figure[] {
  const part = `Redemptions on ${ENGINE_NAMES[engine]}, on disk before they count`
  const [fewest = 0, ...larger] = sizes
  const [few = [], ...others] = times
  const compared = (what: string, share: number, n: number, goal: Goal): Figure => ({
    id: `${goal.id} ${larger[n]}`,
    part,
    what: `${what}, ${larger[n]!.toLocaleString('en')} cards against ${fewest.toLocaleString('en')}`,
    unit: 'ms',
    measured: percentile(others[n]!, share),
    reference: percentile(few, share),
    spread: spread(others[n]!),
    goal,
  })
  const most = others.at(-1) ?? []
  const mean = most.reduce((sum, ms) => sum + ms, 0) / most.length
  return [
    {
      id: 'one-caller',
      part,
      what: 'one after the other',
      unit: '/s',
      measured: 1_000 / mean,
      spread: spread(most),
    },
    { id: 'together', part, what: `${CALLERS} callers at once`, unit: '/s', measured: together },
    ...larger.flatMap((_, n) => [
      compared('the usual one (p50)', 0.5, n, goalOf('redemption-p50')),
      compared('a slow one (p99)', 0.99, n, goalOf('redemption-p99')),
    ]),
  ]
}
