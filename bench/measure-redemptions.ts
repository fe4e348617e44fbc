import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { EngineName } from '#server/db/database.ts'
import { type Databases, openDatabases } from './databases.ts'
import { type Effort, FEW_CARDS } from './effort.ts'
import { GOALS } from './goals.ts'
import type { Figure } from './judge.ts'
import type { RedeemerTimes, RedeemerWork, Stocked } from './redeemer.ts'
import { percentile, spread } from './statistics.ts'
import { stockUp } from './stock.ts'

const CALLERS = 32

/** Redemptions through the server's own rooms, each on disk before it counts, among few cards and among many. */
export async function measureRedemptions(
  engine: EngineName,
  { cards, redemptions }: Pick<Effort, 'cards' | 'redemptions'>,
  { lateMs = 0 }: { lateMs?: number } = {},
): Promise<Figure[]> {
  const databases = await openDatabases(engine)
  try {
    const few = await stocked(databases, 'few', FEW_CARDS, redemptions)
    const many = await stocked(databases, 'many', cards, redemptions * 2)
    const times = await redeem({ few, many, oneByOne: redemptions, callers: CALLERS, lateMs })
    return figuresOf(engine, cards, times)
  } finally {
    await databases.remove()
  }
}

async function stocked(databases: Databases, name: string, cards: number, sold: number): Promise<Stocked> {
  const location = await databases.create(name)
  const toBeUsed = await stockUp(location, { fillers: Math.max(0, cards - sold), sold })
  return { location, keys: toBeUsed.map(({ privateKey }) => privateKey) }
}

async function redeem(work: RedeemerWork): Promise<RedeemerTimes> {
  const file = fileURLToPath(new URL('redeemer.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`${JSON.stringify(work)}\n`)
  const answer = await text(child.stdout)
  if (answer === '') throw new Error('the process that redeems ended without an answer')
  return JSON.parse(answer) as RedeemerTimes
}

function figuresOf(engine: EngineName, cards: number, { few, many, together }: RedeemerTimes): Figure[] {
  const part = `Redemptions on ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, on disk before they count`
  const compared = (what: string, share: number, goal: Figure['goal']): Figure => ({
    part,
    what: `${what}, ${cards.toLocaleString('en')} cards against ${FEW_CARDS.toLocaleString('en')}`,
    unit: 'ms',
    measured: percentile(many, share),
    reference: percentile(few, share),
    spread: spread(many),
    ...(goal && { goal }),
  })
  const mean = many.reduce((sum, ms) => sum + ms, 0) / many.length
  return [
    { part, what: 'one after the other', unit: '/s', measured: 1_000 / mean, spread: spread(many) },
    { part, what: `${CALLERS} callers at once`, unit: '/s', measured: together },
    compared('the usual one (p50)', 0.5, GOALS.redemption.p50),
    compared('a slow one (p99)', 0.99, GOALS.redemption.p99),
  ]
}
