import { dayInUtc } from '#domain/days.ts'
import { fromHex, toBase64 } from '#domain/public-ledger/bytes.ts'
import { type ShownChain, shownChain } from '#domain/public-ledger/chain.ts'
import { type CurrencyFigures, figuresOfLeaves } from '#domain/public-ledger/figures.ts'
import { type Cause, type Leaf, NGO_ACCOUNT, readLeaf } from '#domain/public-ledger/leaf.ts'
import { type MonthOfLines, monthsOfLeaves } from '#domain/public-ledger/months.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { lastHead, leavesFrom } from './heads.ts'

/** What is published of the money: the sums of the lines below the newest head. */
export interface PublicFigures {
  /** Lines of the log. */
  readonly size: number
  /** Base64, as the head has it. */
  readonly root: string
  /** The head as it was signed, without the lines of witnesses. */
  readonly note: string
  /** `YYYY-MM-DD`, UTC: when the head was signed. */
  readonly day: string
  readonly currencies: readonly CurrencyFigures[]
  readonly months: readonly MonthOfLines[]
  /** `YYYY-MM-DD`, UTC: the day as of which everything is said. */
  readonly today: string
  /** Gifts that were begun by recipients of earlier ones. Of no line: the site counts them. */
  readonly chain: ShownChain
  /** The accounts that lines name, organisations left out. */
  readonly accounts: readonly string[]
  /** What lines are about. */
  readonly causes: readonly Cause[]
  /** The newest lines of unused cards, the newest first. */
  readonly draws: readonly ShownDraw[]
}

/** How the organisation of an unused card was found, for whoever reads. */
export interface ShownDraw {
  /** From 1. */
  readonly line: number
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly ngoId: string
  readonly by: 'buyer' | 'chance' | 'drand' | 'witness'
  /** Of drand. */
  readonly round?: number
}

/** So many are shown to whoever reads. */
const DRAWS_SHOWN = 20

export interface PublicFiguresInMemory {
  /** As they were last read, so that no page waits for the database; undefined before the first head. */
  current(): PublicFigures | undefined
  /** Reads again, and says whether there are others now. A failure is logged, and what was read stays. */
  refresh(): Promise<boolean>
}

/** So many lines are added up at once: some milliseconds. */
const AT_ONCE = 500

interface Parts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Called between portions of lines, so that visitors are answered. */
  readonly rest: () => Promise<void>
}

/** Adds the lines up once, and after each new head those that are new: a line never changes. */
export function createPublicFigures({ db, clock, log, rest }: Parts): PublicFiguresInMemory {
  const figures = figuresOfLeaves()
  const months = monthsOfLeaves()
  const accounts = new Set<string>()
  const causes = new Set<Cause>()
  /** The rounds that were announced, by their lines, from 0. */
  const rounds = new Map<number, number>()
  let draws: readonly ShownDraw[] = []
  let added = 0
  let kept: PublicFigures | undefined

  const addUntil = async (size: number): Promise<void> => {
    while (added < size) {
      const texts = await db.read(reader => leavesFrom(reader, added, Math.min(added + AT_ONCE, size)))
      if (texts.length === 0) throw new Error(`The public ledger has no line ${added}.`)
      // All are read before one is added: a line that cannot be read leaves the sums as they were.
      for (const [n, leaf] of texts.map(readLeaf).entries()) {
        figures.add(leaf)
        if (leaf.announcement?.by === 'drand') rounds.set(added + n, leaf.announcement.round)
        if (leaf.draw) draws = [shownDraw(leaf, added + n, rounds), ...draws].slice(0, DRAWS_SHOWN)
        months.add(leaf)
        causes.add(leaf.cause)
        for (const [account] of leaf.amounts) if (!account.startsWith(NGO_ACCOUNT)) accounts.add(account)
      }
      added += texts.length
      await rest()
    }
  }

  return {
    current: () => kept,
    async refresh() {
      const before = kept
      try {
        const head = await db.read(lastHead)
        if (head === undefined) return false
        const today = dayInUtc(clock())
        if (head.size === kept?.size && today === kept.today) return false
        const chain = await db.read(reader => chainShown(reader, today))
        await addUntil(head.size)
        kept = {
          size: head.size,
          root: toBase64(fromHex(head.root)),
          note: head.note,
          day: dayInUtc(head.at),
          currencies: figures.read(),
          months: months.read(),
          today,
          chain,
          accounts: [...accounts],
          causes: [...causes],
          draws,
        }
      } catch (error) {
        log.error('public-figures-not-read', error)
      }
      return kept !== before
    },
  }
}

const chainShown = async (db: Reader, today: string): Promise<ShownChain> =>
  shownChain(await db.selectFrom('chain_days').selectAll().execute(), today)

function shownDraw(
  { day, amounts, draw }: Leaf,
  index: number,
  rounds: ReadonlyMap<number, number>,
): ShownDraw {
  const account = amounts.find(([each]) => each.startsWith(NGO_ACCOUNT))?.[0] ?? ''
  const round = draw?.by === 'drand' ? rounds.get(draw.announcement) : undefined
  return {
    line: index + 1,
    day,
    ngoId: account.slice(NGO_ACCOUNT.length),
    by: draw?.by ?? 'chance',
    ...(round !== undefined && { round }),
  }
}
