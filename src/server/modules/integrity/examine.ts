import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { type Count, countNow, rowsMissing } from '#server/modules/integrity/checkpoints.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Database } from '#server/platform/db/database.ts'

export interface Examination {
  readonly findings: readonly Finding[]
  /** Where nothing was found: what the next checkpoint may say. */
  readonly count?: Count
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
    seals,
    onRule = () => {},
  }: {
    readonly keys: CardKeys | undefined
    readonly now: number
    /** What somebody else finds who looks at the seals at the same time; missing: they are looked at here. */
    readonly seals?: Promise<readonly Finding[]> | undefined
    /** Called with the name of each rule, and between the pages of long ones, and waited for. */
    readonly onRule?: (rule: string) => unknown
  },
): Promise<Examination> {
  const findings: Finding[] = [...(await checkLedger(db, { keys: seals ? undefined : keys, now, onRule }))]
  await onRule('seals')
  findings.push(...((await seals) ?? []))
  await onRule('guards')
  for (const subject of await db.guardsAmiss()) findings.push({ rule: 'guard-differs', subject })
  await onRule('rowsMissing')
  return db.snapshot(async reader => {
    if (keys) findings.push(...(await rowsMissing(reader, keys, now)))
    return findings.length > 0 ? { findings } : { findings, count: await countNow(reader, now) }
  })
}
