import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { forEachSealed, type SealedRows, sealedPage } from './sealed-rows.ts'

/** Rows that are read at once: a million of them do not fit into memory. */
const PAGE = 2_000

export interface SealCheck {
  readonly keys: CardKeys
  /** Rows from before there were seals may still have none. */
  readonly mayLackSeals: boolean
  /** Waited for between two pages. */
  readonly onPage: () => unknown
}

/** Looks at every sealed row of a table: would the product, which has the secret, have given it this seal? */
async function broken<Row extends { readonly seal: string | null }>(
  db: Reader,
  rows: SealedRows<Row>,
  { keys, mayLackSeals, onPage }: SealCheck,
): Promise<readonly Finding[]> {
  const { id, rule, sealOf, isWhole, amiss, alsoAmiss } = rows
  const findings: Finding[] = []
  for (let after = ''; findings.length < MOST; ) {
    const page = await sealedPage(db, rows, after, PAGE)
    for (const row of page) {
      const isSealed = row.seal === null ? mayLackSeals : row.seal === sealOf(keys, row)
      if (isSealed && (isWhole?.(keys, row) ?? true)) continue
      for (const each of [rule, ...(amiss?.(keys, row) ?? []), ...(alsoAmiss?.(row) ?? [])])
        findings.push({ rule: each, subject: String(row[id]) })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = String(last[id])
    await onPage()
  }
  return findings.slice(0, MOST)
}

/** A rule for each table that has seals, named as what it finds. */
export const SEAL_RULES = forEachSealed(rows => ({
  name: rows.rule,
  findings: (db: Reader, check: SealCheck) => broken(db, rows, check),
}))
