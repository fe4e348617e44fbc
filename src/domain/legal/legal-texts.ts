/** The texts of the law (product.md#texts-of-the-law): which there are, and how long an earlier version may be accepted. */

/** By the last part of their address. */
export const LEGAL_PAGES = ['legal-notice', 'terms', 'privacy'] as const

export type LegalPage = (typeof LEGAL_PAGES)[number]

export const isLegalPage = (value: unknown): value is LegalPage =>
  (LEGAL_PAGES as readonly unknown[]).includes(value)

/** How a version is written: the beginning of a SHA-256 in hexadecimal digits. */
export const LEGAL_VERSION = /^[0-9a-f]{20}$/

/** Whoever read the terms before they changed may still accept them for so long, in ms. */
export const TERMS_GRACE_MS = 3_600_000

/** From an instant on a version was the one in force. */
export interface LegalRelease {
  readonly version: string
  /** Epoch ms UTC. */
  readonly since: number
}

/**
 * Was this version in force within the last hour?
 * @param releases of one text, the newest first
 * @param now epoch ms UTC
 */
export function isStillAccepted(releases: readonly LegalRelease[], version: string, now: number): boolean {
  return releases.some(
    (release, newer) =>
      release.version === version && (newer === 0 || releases[newer - 1]!.since > now - TERMS_GRACE_MS),
  )
}
