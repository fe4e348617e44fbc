import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { askAll, asked, type Question } from '#server/modules/integrity/ask-all.ts'
import { checkBooks, checkLedger } from '#server/modules/integrity/check.ts'
import { type Count, countNow, isPause, rowsMissing } from '#server/modules/integrity/checkpoints.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

export interface Examination {
  readonly findings: readonly Finding[]
  /** Where nothing was found: what the next checkpoint may say. */
  readonly count?: Count
  /**
   * Where nothing was found but that no checkpoint was written for days: what the next may say once a person has told why.
   */
  readonly countAfterPause?: Count
}

/**
 * Everything that can be asked of the books: every invariant of the money, every seal, the guards of the database itself,
 * and whether all is still there that was counted once.
 * @param keys without them (no secret is at hand) nothing that is sealed can be looked at
 * @param now epoch ms UTC
 */
export async function examineBooks(
  db: Database,
  {
    keys,
    now,
    publicLedgerAndSeals: elsewhere,
    onRule = () => {},
  }: {
    readonly keys: CardKeys | undefined
    readonly now: number
    /** Findings of `checkPublicLedgerAndSeals`, where it runs elsewhere at the same time. Without them all is checked here. */
    readonly publicLedgerAndSeals?: Promise<readonly Finding[]> | undefined
    /** Called with the name of each rule, and between the pages of long ones, and waited for. */
    readonly onRule?: (rule: string) => unknown
  },
): Promise<Examination> {
  const findings: Finding[] = [
    ...(elsewhere ? await checkBooks(db, { onRule }) : await checkLedger(db, { keys, now, onRule })),
  ]
  await onRule('publicLedgerAndSeals')
  if (elsewhere) findings.push(...(await asked('publicLedgerAndSeals', elsewhere)))
  await onRule('guards')
  findings.push(...(await asked('guards', guardsAmiss(db))))
  let count: Count | undefined
  const counting: Question[] = [
    ...(keys ? [{ name: 'rowsMissing', ask: (reader: Reader) => rowsMissing(reader, keys, now) }] : []),
    {
      name: 'countNow',
      async ask(reader) {
        count = await countNow(reader, now)
        return []
      },
    },
  ]
  findings.push(...(await askAll(db, counting, onRule)))
  if (count === undefined) return { findings }
  if (findings.length === 0) return { findings, count }
  return findings.every(isPause) ? { findings, countAfterPause: count } : { findings }
}

async function guardsAmiss(db: Database): Promise<readonly Finding[]> {
  return (await db.guardsAmiss()).map(subject => ({ rule: 'guard-differs', subject }))
}
