import { dayInUtc } from '#domain/days.ts'
import { kindOfPartnerKey, type PartnerScope, readScopes } from '#domain/partner/partner.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import type { Mac } from '#server/platform/mac.ts'

/** Whose key a program has shown. */
export interface Partner {
  readonly id: string
  readonly scopes: readonly PartnerScope[]
}

/** A partner as a treasurer sees it. Times are epoch ms UTC. */
export interface PartnerShown {
  readonly id: string
  readonly name: string
  /** null once it was revoked, or erased. */
  readonly contact: string | null
  readonly scopes: string
  readonly createdAt: number
  /** The last day on which the key was used; null before. */
  readonly usedDay: string | null
  readonly revokedAt: number | null
}

/** Tells partners by their keys. */
export interface Partners {
  /**
   * Whose key this is. Notes the day. Problems: partner-key-unknown, for a revoked one too; partner-key-of-sandbox and
   * partner-key-of-real-site, for one that is meant for the other.
   */
  ofKey(key: string): Promise<Partner>
}

export interface PartnersParts {
  readonly db: Database
  readonly clock: Clock
  readonly mac: Mac
  /** Is this a sandbox? Its keys open nothing on the real site, and the other way round. */
  readonly sandbox?: boolean
}

/**
 * What the database holds of a key. A row is looked up by it, so no text that somebody sent is compared with a secret:
 * how long the look-up takes says nothing that helps to guess 256 bits.
 */
export const digestOfPartnerKey = (mac: Mac, key: string): string => mac(JSON.stringify(['partner key', key]))

/** Whoever writes to the database gives no key further scopes, and moves none to another partner. */
export const sealOfPartner = (
  mac: Mac,
  { id, scopes, keyDigest }: { readonly id: string; readonly scopes: string; readonly keyDigest: string },
): string => mac(JSON.stringify(['partner', id, scopes, keyDigest]))

/** The partners of this database. */
export function createPartners({ db, clock, mac, sandbox = false }: PartnersParts): Partners {
  return {
    async ofKey(key) {
      const kind = kindOfPartnerKey(key)
      if (kind === undefined) throw new Problem('partner-key-unknown')
      // It is told before it is looked up: a key of the real site leaves no trace in a sandbox.
      if ((kind === 'sandbox') !== sandbox) throw new Problem(`partner-key-of-${kind}`)
      const keyDigest = digestOfPartnerKey(mac, key)
      const row = await db.read(reader =>
        reader
          .selectFrom('partners')
          .select(['id', 'scopes', 'seal', 'used_day'])
          .where('key_digest', '=', keyDigest)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      )
      if (row === undefined || row.seal !== sealOfPartner(mac, { ...row, keyDigest }))
        throw new Problem('partner-key-unknown')
      const today = dayInUtc(clock())
      if (row.used_day !== today) await noteUse(db, row.id, today)
      return { id: row.id, scopes: readScopes(row.scopes) ?? [] }
    },
  }
}

/** A database that takes no writes for now still answers reads: the next call of the day notes it. */
async function noteUse(db: Database, id: string, today: string): Promise<void> {
  try {
    await db.transaction(trx =>
      trx.updateTable('partners').set({ used_day: today }).where('id', '=', id).execute(),
    )
  } catch (error) {
    if (!isProblem(error) || error.code !== 'temporarily-unavailable') throw error
  }
}

/** Every partner that there was, the newest first. */
export async function listPartners(reader: Reader): Promise<readonly PartnerShown[]> {
  const rows = await reader
    .selectFrom('partners')
    .select(['id', 'name', 'contact', 'scopes', 'created_at', 'used_day', 'revoked_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ created_at, used_day, revoked_at, ...rest }) => ({
    ...rest,
    createdAt: created_at,
    usedDay: used_day,
    revokedAt: revoked_at,
  }))
}
