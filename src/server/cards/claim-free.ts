import { sql } from 'kysely'
import { findCampaign } from '#domain/campaign/campaigns.ts'
import type { ClaimAddress } from '#domain/campaign/claim-address.ts'
import { money } from '#domain/money/money.ts'
import { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import { Problem } from '#domain/problems.ts'
import type { ClaimFree, Clock, Log } from '#server/app.ts'
import { createCard } from '#server/cards/create.ts'
import type { CardKeys } from '#server/cards/keys.ts'
import { runningCampaigns } from '#server/content/campaigns.ts'
import type { FreeCampaign } from '#server/content/snapshot.ts'
import type { Database, Reader, Writer } from '#server/db/database.ts'
import { recordFreeGift } from '#server/ledger/record.ts'
import { queueFirstConfirmation } from '#server/payments/confirmation-jobs.ts'

export interface ClaimTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly log: Log
  /** Asked at each claim: the operator may stop a campaign, or give it more cards. */
  readonly campaigns: () => readonly FreeCampaign[]
  /** Called when a mail has been queued. */
  readonly onQueued?: () => void
}

/**
 * Gives a free card of the campaign named, once per mailbox ever and never more cards than the campaign's stock
 * (decisions §9). The same press sent again, after a lost answer, gets the same card.
 * @returns the private key
 * @throws Problem invalid-campaign, finished-campaign-offer, email-already-used
 */
export async function claimFree(tools: ClaimTools, claim: ClaimFree): Promise<{ readonly key: string }> {
  const { db, keys, clock, log } = tools
  const campaign = campaignOf(tools.campaigns(), claim.campaignCode)
  if (!campaign) throw new Problem('invalid-campaign')
  const addressDigest = digestOfAddress(keys, claim.address)
  const attemptDigest = claim.attemptKey === undefined ? null : keys.digest(claim.attemptKey)

  // Most who come too late, or again, are answered without a write; the transaction decides the others.
  const known = await db.read(reader => stateOf(reader, addressDigest, campaign.tag))
  if (known.card_id !== null)
    return { key: await sameCard(db, keys, known.card_id, known.attempt_key_digest, attemptDigest) }
  if ((known.claimed ?? 0) >= campaign.stock) throw new Problem('finished-campaign-offer')

  const now = clock()
  const given = await db.transaction(async trx => {
    const credit = money(GIFT_CARD_ENTRIES.free.credit, claim.currency)
    const { cardId, privateKey } = await createCard(trx, keys, {
      orderId: null,
      themeId: claim.themeId,
      senderName: claim.sender.kind === 'own' ? claim.sender.name : null,
      language: claim.language,
      credit,
      email: claim.address.address,
      createdAt: now,
    })
    if (known.claimed === null) await openCount(trx, campaign.tag)
    const isFirst = await trx
      .insertInto('free_claims')
      .values({
        address_digest: addressDigest,
        tag: campaign.tag,
        card_id: cardId,
        attempt_key_digest: attemptDigest,
        created_at: now,
      })
      .onConflict(conflict => conflict.column('address_digest').doNothing())
      .returning('card_id')
      .executeTakeFirst()
    if (!isFirst) throw new Problem('email-already-used')
    await recordFreeGift(trx, { cardId, credit, at: now })
    await queueFirstConfirmation(trx, { orderId: `free:${cardId}`, cardId, now })
    // Last, since everybody who claims waits for this row until the one before is done.
    const claimed = await takeOne(trx, campaign)
    return { privateKey, claimed }
  })
  tools.onQueued?.()
  if (given.claimed === campaign.stock) {
    log.error('free-campaign-finished', new Error('the last card of a free campaign is given'), {
      campaign: campaign.tag,
      stock: campaign.stock,
    })
  }
  return { key: given.privateKey }
}

/** The running campaign of this tag, in whatever case an app has handed it on. */
function campaignOf(campaigns: readonly FreeCampaign[], code: string): FreeCampaign | undefined {
  const running = runningCampaigns({ adCampaigns: [], freeCampaigns: campaigns })
  const found = findCampaign(code, running)
  return found && campaigns.find(({ tag }) => tag === found.code)
}

/** One more of the stock. @throws Problem finished-campaign-offer when there is none: nothing is kept then */
async function takeOne(trx: Writer, { tag, stock }: FreeCampaign): Promise<number> {
  const taken = await trx
    .updateTable('free_campaigns')
    .set(eb => ({ claimed: eb('claimed', '+', 1) }))
    .where('tag', '=', tag)
    .where('claimed', '<', stock)
    .returning('claimed')
    .executeTakeFirst()
  if (!taken) throw new Problem('finished-campaign-offer')
  return taken.claimed
}

/** The campaign's row, made at its first claim. */
async function openCount(trx: Writer, tag: string): Promise<void> {
  await trx
    .insertInto('free_campaigns')
    .values({ tag, claimed: 0 })
    .onConflict(conflict => conflict.column('tag').doNothing())
    .execute()
}

/** In one question: the card that a mailbox has had, if any, and how many a campaign has given, if it began. */
function stateOf(db: Reader, addressDigest: string, tag: string) {
  return db
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('question'))
    .select(eb => {
      const claim = eb.selectFrom('free_claims').where('address_digest', '=', addressDigest)
      return [
        claim.select('card_id').as('card_id'),
        claim.select('attempt_key_digest').as('attempt_key_digest'),
        eb.selectFrom('free_campaigns').select('claimed').where('tag', '=', tag).as('claimed'),
      ]
    })
    .executeTakeFirstOrThrow()
}

/** The card's key for the press that got it; for everybody else the mailbox has had its card. */
async function sameCard(
  db: Database,
  keys: CardKeys,
  cardId: string,
  claimDigest: string | null,
  attemptDigest: string | null,
): Promise<string> {
  if (attemptDigest === null || attemptDigest !== claimDigest) throw new Problem('email-already-used')
  const { key_version } = await db.read(reader =>
    reader.selectFrom('cards').select('key_version').where('id', '=', cardId).executeTakeFirstOrThrow(),
  )
  return keys.privateKey(cardId, key_version)
}

/** The word before keeps it from being the digest of anything else. */
function digestOfAddress(keys: CardKeys, { folded }: ClaimAddress): string {
  return keys.digest(`free card of ${folded}`)
}
