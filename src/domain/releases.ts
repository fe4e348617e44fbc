import type { LegalPage } from './legal/legal-texts.ts'

/** What is kept in every published version: the texts of the law, and the offer. */
export type Released = LegalPage | 'offer'

/** How long a replaced version is still accepted, in ms, since a visitor may still be looking at it. */
export const GRACE_MS = 3_600_000

/** The instant from which a version was the published one. */
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
