import type { EngineName } from '#server/platform/db/database.ts'
import type { Fault, Mode } from '#tests/support/faults/system-under-test.ts'
import type { Use } from '#tests/support/product/every-route.ts'

/** What a visitor may be answered with while something is broken. */
export type Outcome =
  /** As always. */
  | 'good'
  /** 503 with a time to come back: a problem, or the page that says so. */
  | 'unavailable'
  /** 502: the payment could not be asked for; nothing was taken. */
  | 'provider'
  /** 400: an event whose signature seems too old; the provider sends it again. */
  | 'signature'

type Row = Partial<Record<Use, readonly Outcome[]>>

const AWAY = ['unavailable'] as const
const PERHAPS = ['good', 'unavailable'] as const

/** The embedded database: somebody else holds its write lock. Reading goes on. */
const LOCKED: Row = { writes: AWAY, counts: PERHAPS, provider: AWAY, signed: AWAY }
const SOMETIMES_LOCKED: Row = { writes: PERHAPS, counts: PERHAPS, provider: PERHAPS, signed: PERHAPS }
/** A database elsewhere: it cannot be reached. */
const GONE: Row = {
  readiness: AWAY,
  reads: AWAY,
  writes: AWAY,
  counts: PERHAPS,
  provider: AWAY,
  signed: AWAY,
  content: PERHAPS,
}
const SOMETIMES_GONE: Row = {
  readiness: PERHAPS,
  reads: PERHAPS,
  writes: PERHAPS,
  counts: PERHAPS,
  provider: PERHAPS,
  signed: PERHAPS,
  content: PERHAPS,
}
const NO_PROVIDER: Row = { provider: ['provider'], signed: ['provider'] }
const SOMETIMES_NO_PROVIDER: Row = { provider: ['good', 'provider'], signed: ['good', 'provider'] }
const NO_CONTENT: Row = { content: PERHAPS }
const FULL: Row = { writes: AWAY, counts: PERHAPS, provider: AWAY, signed: AWAY, content: PERHAPS }
const SOMETIMES_FULL: Row = {
  writes: PERHAPS,
  counts: PERHAPS,
  provider: PERHAPS,
  signed: PERHAPS,
  content: PERHAPS,
}
const OTHER_TIME: Row = { signed: ['signature'] }

/**
 * What each fault may do to a route, by what the route leans on; what is not named is served as always. Without
 * naming: published pages, files, what is answered from memory, and, but for their own fault, everything. A mail that
 * cannot be sent waits, and nobody waits for it.
 */
export const EXPECTED: Readonly<Record<EngineName, { readonly [F in Fault]: Partial<Record<Mode, Row>> }>> = {
  sqlite: {
    database: { down: LOCKED, slow: SOMETIMES_LOCKED, flapping: SOMETIMES_LOCKED },
    mail: {},
    provider: { down: NO_PROVIDER, slow: NO_PROVIDER, flapping: SOMETIMES_NO_PROVIDER },
    content: { down: NO_CONTENT, slow: NO_CONTENT, flapping: NO_CONTENT },
    disk: { down: FULL, flapping: SOMETIMES_FULL },
    clock: { ahead: OTHER_TIME, behind: {}, flapping: { signed: ['good', 'signature'] } },
  },
  postgres: {
    database: { down: GONE, slow: SOMETIMES_GONE, flapping: SOMETIMES_GONE },
    mail: {},
    provider: { down: NO_PROVIDER, slow: NO_PROVIDER, flapping: SOMETIMES_NO_PROVIDER },
    content: { down: NO_CONTENT, slow: NO_CONTENT, flapping: NO_CONTENT },
    disk: { down: { content: PERHAPS }, flapping: { content: PERHAPS } },
    clock: { ahead: OTHER_TIME, behind: {}, flapping: { signed: ['good', 'signature'] } },
  },
}

/** However broken it is, nobody waits longer: a browser of ours gives up after 20 s. A busy machine is late. */
export const TIMEOUT_MS = 25_000

/** How soon all is well again once it is mended. */
export const RECOVERY_MS = 5_000
