import { createHash } from 'node:crypto'
import type { Selection } from '#domain/redemption/split.ts'

/** The same for the same points to the same organisations, in whatever order they were sent. */
export function requestDigestOf(chosen: readonly Selection[]): string {
  const canonical = chosen.map(({ ngoId, points }) => JSON.stringify([ngoId, points])).sort()
  return createHash('sha256').update(canonical.join('\n')).digest('hex')
}
