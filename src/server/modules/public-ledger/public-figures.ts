import { dayInUtc } from '#domain/days.ts'
import { type CurrencyFigures, figuresOfLeaves } from '#domain/public-ledger/figures.ts'
import { readLeaf } from '#domain/public-ledger/leaf.ts'
import { type MonthOfLines, monthsOfLeaves } from '#domain/public-ledger/months.ts'
import type { Database } from '#server/platform/db/database.ts'
import { lastHead, leavesFrom } from './heads.ts'

/** What is published of the money: the sums of the lines below the newest head. */
export interface PublicFigures {
  /** Lines of the log. */
  readonly size: number
  /** `YYYY-MM-DD`, UTC: when the head was signed. */
  readonly day: string
  readonly currencies: readonly CurrencyFigures[]
  readonly months: readonly MonthOfLines[]
  /** The accounts that lines name, organisations left out. */
  readonly accounts: readonly string[]
}

export interface PublicFiguresReader {
  /** Undefined before the first head. Between two heads it is the same object. */
  read(): Promise<PublicFigures | undefined>
  /** Reads, and says whether there is a newer head than at the last refresh. */
  refresh(): Promise<boolean>
}

/** So many lines are added up at once: some milliseconds. */
const AT_ONCE = 500

/**
 * Adds the lines up once, and after each new head those that are new: a line never changes.
 * @param rest called between portions of lines, so that visitors are answered
 */
export function createPublicFigures(db: Database, rest: () => Promise<void>): PublicFiguresReader {
  const figures = figuresOfLeaves()
  const months = monthsOfLeaves()
  const accounts = new Set<string>()
  let added = 0
  let kept: PublicFigures | undefined
  let reading: Promise<PublicFigures | undefined> | undefined

  const readNow = async (): Promise<PublicFigures | undefined> => {
    const head = await db.read(lastHead)
    if (head === undefined || kept?.size === head.size) return kept
    while (added < head.size) {
      const texts = await db.read(reader => leavesFrom(reader, added, Math.min(added + AT_ONCE, head.size)))
      if (texts.length === 0) throw new Error(`The public ledger has no line ${added}.`)
      // All are read before one is added: a line that cannot be read leaves the sums as they were.
      for (const leaf of texts.map(readLeaf)) {
        figures.add(leaf)
        months.add(leaf)
        for (const [account] of leaf.amounts) if (!account.startsWith('ngo:')) accounts.add(account)
      }
      added += texts.length
      await rest()
    }
    kept = {
      size: head.size,
      day: dayInUtc(head.at),
      currencies: figures.read(),
      months: months.read(),
      accounts: [...accounts],
    }
    return kept
  }

  const read = (): Promise<PublicFigures | undefined> => {
    reading ??= readNow().finally(() => {
      reading = undefined
    })
    return reading
  }

  let refreshed: PublicFigures | undefined
  return {
    read,
    async refresh() {
      const before = refreshed
      refreshed = await read()
      return refreshed !== before
    },
  }
}
