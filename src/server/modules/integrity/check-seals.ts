import { autoDonateAt } from '#server/modules/gifts/cards/auto-donate-at.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { requestDigestOf } from '#server/modules/gifts/cards/request-digest.ts'
import { type Finding, type FindingRule, MOST } from '#server/modules/integrity/findings.ts'
import {
  type SealedCard,
  type SealedInvitation,
  sealOfCard,
  sealOfInvitation,
  sealOfOrder,
  sealOfRedemption,
  sealOfReversal,
} from '#server/modules/ledger/seals.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { cardPage, invitationPage, orderPage, redemptionPage, reversalPage } from './sealed-rows.ts'

/** Rows that are read at once: a million of them do not fit into memory. */
const PAGE = 2_000

export interface SealCheck {
  readonly keys: CardKeys
  /** Rows from before there were seals may still have none. */
  readonly mayLackSeals: boolean
  /** Waited for between two pages. */
  readonly onPage: () => unknown
}

/** Looks at every sealed row of a kind: would the product, which has the secret, have given it this seal? */
async function broken<Row extends { readonly seal: string | null }>(
  { mayLackSeals, onPage }: SealCheck,
  rule: FindingRule,
  page: (after: string) => Promise<readonly Row[]>,
  {
    of,
    idOf,
    also,
  }: {
    readonly of: (row: Row) => string
    readonly idOf: (row: Row) => string
    /** What exactly is wrong with a row whose seal is broken, where that can be said. */
    readonly also?: (row: Row) => readonly FindingRule[]
  },
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (let after = ''; findings.length < MOST; ) {
    const rows = await page(after)
    for (const row of rows) {
      if (row.seal === null ? mayLackSeals : row.seal === of(row)) continue
      for (const each of [rule, ...(also?.(row) ?? [])]) findings.push({ rule: each, subject: idOf(row) })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    after = idOf(last)
    await onPage()
  }
  return findings.slice(0, MOST)
}

export function cardSealsBroken(db: Reader, check: SealCheck): Promise<readonly Finding[]> {
  const { keys } = check
  return broken<SealedCard>(check, 'card-seal-broken', after => cardPage(db, after, PAGE), {
    of: card => sealOfCard(keys, card),
    idOf: ({ id }) => id,
    also: card => amissOf(keys, card),
  })
}

/** What of a card can be worked out anew, and is another thing. */
export function amissOf(keys: CardKeys, card: SealedCard): readonly FindingRule[] {
  const { id, key_version: version } = card
  const areKeysRight =
    card.private_digest === keys.digest(keys.privateKey(id, version)) &&
    card.public_digest === keys.digest(keys.publicKey(id, version))
  const isDayRight = card.auto_donate_at === autoDonateAt(card.created_at)
  return [
    ...(areKeysRight ? [] : ['card-keys-differ' as const]),
    ...(isDayRight ? [] : ['auto-donation-day-differs' as const]),
  ]
}

/** The same of an invitation. */
export function amissOfInvitation(keys: CardKeys, card: SealedInvitation): readonly FindingRule[] {
  const { id, key_version: version } = card
  return card.key_digest === keys.digest(keys.privateKey(id, version)) ? [] : ['card-keys-differ']
}

export function orderSealsBroken(db: Reader, check: SealCheck): Promise<readonly Finding[]> {
  return broken(check, 'order-seal-broken', after => orderPage(db, after, PAGE), {
    of: order => sealOfOrder(check.keys, order),
    idOf: ({ id }) => id,
  })
}

export function invitationSealsBroken(db: Reader, check: SealCheck): Promise<readonly Finding[]> {
  const { keys } = check
  return broken(check, 'invitation-seal-broken', after => invitationPage(db, after, PAGE), {
    of: card => sealOfInvitation(keys, card),
    idOf: ({ id }) => id,
    also: card => amissOfInvitation(keys, card),
  })
}

export function reversalSealsBroken(db: Reader, check: SealCheck): Promise<readonly Finding[]> {
  return broken(check, 'reversal-seal-broken', after => reversalPage(db, after, PAGE), {
    of: row => sealOfReversal(check.keys, row),
    idOf: row => row.order_id,
  })
}

export function redemptionSealsBroken(db: Reader, check: SealCheck): Promise<readonly Finding[]> {
  return broken(check, 'redemption-seal-broken', after => redemptionPage(db, after, PAGE), {
    of: row => sealOfRedemption(check.keys, row, row.allocations),
    idOf: row => row.card_id,
    also: ({ cause, request_digest, allocations }) => {
      if (cause !== 'recipient') return []
      const chosen = allocations.map(({ ngo_id: ngoId, points }) => ({ ngoId, points }))
      return request_digest === requestDigestOf(chosen) ? [] : ['request-differs']
    },
  })
}
