import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** A free campaign's count, by which it ends, is the number of cards that it gave. */
export async function campaignsMiscounted(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('free_campaigns')
    .leftJoin('free_claims', 'free_claims.tag', 'free_campaigns.tag')
    .select(eb => [
      'free_campaigns.tag',
      'free_campaigns.claimed',
      eb.fn.count<number>('free_claims.card_id').as('given'),
    ])
    .groupBy(['free_campaigns.tag', 'free_campaigns.claimed'])
    .having(eb => eb(eb.fn.count('free_claims.card_id'), '<>', eb.ref('free_campaigns.claimed')))
    .limit(MOST)
    .execute()
  return rows.map(({ tag, claimed, given }) => ({
    rule: 'campaign-count-differs',
    subject: tag,
    expected: given,
    found: claimed,
  }))
}

/** Each free card is some mailbox's claim, and each claim has its free card. */
export async function claimsAmiss(db: Reader): Promise<readonly Finding[]> {
  const unclaimed = await db
    .selectFrom('cards')
    .leftJoin('free_claims', 'free_claims.card_id', 'cards.id')
    .select('cards.id')
    .where('cards.kind', '=', 'free')
    .where('free_claims.card_id', 'is', null)
    .limit(MOST)
    .execute()
  const unmade = await db
    .selectFrom('free_claims')
    .leftJoin('cards', join =>
      join.onRef('cards.id', '=', 'free_claims.card_id').on('cards.kind', '=', 'free'),
    )
    .select('free_claims.card_id as id')
    .where('cards.id', 'is', null)
    .limit(MOST)
    .execute()
  return [...unclaimed, ...unmade].map(({ id }) => ({ rule: 'claim-missing', subject: id }))
}
