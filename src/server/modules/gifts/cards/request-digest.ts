import { createHash } from 'node:crypto'
import type { Selection } from '#domain/redemption/split.ts'

/** The digest of a selection. It does not depend on the order of the organisations. */
export function requestDigestOf(chosen: readonly Selection[]): string {
  const canonical = chosen.map(({ ngoId, points }) => JSON.stringify([ngoId, points])).sort()
  return createHash('sha256').update(canonical.join('\n')).digest('hex')
}
