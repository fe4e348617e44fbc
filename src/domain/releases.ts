import type { LegalPage } from './legal/legal-texts.ts'

/** What is kept in every version that was published: the texts of the law, and what was on offer. */
export type Released = LegalPage | 'offer'

/** Whoever saw a version before it was replaced may still accept it for so long, in ms. */
export const GRACE_MS = 3_600_000

/** From an instant on a version was the one published. */
export interface Release {
  readonly version: string
  /** Epoch ms UTC. */
  readonly since: number
}

/**
 * The releases that may still be accepted: the newest, and those that were replaced within the last hour.
 * @param releases of one thing, the newest first
 * @param now epoch ms UTC
 * @param graceEndedAt what was replaced until then is accepted no more; epoch ms UTC
 */
export function acceptedReleases<R extends Release>(
  releases: readonly R[],
  now: number,
  graceEndedAt = 0,
): readonly R[] {
  return releases.filter(
    (_, newer) => newer === 0 || releases[newer - 1]!.since > Math.max(now - GRACE_MS, graceEndedAt),
  )
}

/** Was this version published within the last hour? Times as above. */
export const isStillAccepted = (releases: readonly Release[], version: string, now: number): boolean =>
  acceptedReleases(releases, now).some(release => release.version === version)
