import { areLinksShown } from '#domain/card/shown-links.ts'
import { type CardTerm, DEFAULT_TERM } from '#domain/card/term.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import type { Currency } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import { Problem } from '#domain/problems.ts'
import type { ThemeId } from '#domain/themes.ts'
import type { FreeCampaign } from '#server/modules/content/snapshot.ts'
import { createEach } from '#server/modules/gifts/cards/create.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueFirstConfirmations } from '#server/modules/gifts/confirmation-jobs.ts'
import type { ClaimFree } from '#server/modules/gifts/interface.ts'
import { sealOfStored } from '#server/modules/gifts/stored-cards.ts'
import { recordFreeGifts } from '#server/modules/ledger/record.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

/** One claimant. Beside the claim itself, only the digests of the mailbox and of the press are kept. */
export interface Claimant {
  readonly claim: ClaimFree & { readonly themeId: ThemeId }
  readonly addressDigest: string
  readonly attemptDigest: string | null
}

/** A mailbox's card, and the press that got it. */
interface StoredClaim {
  readonly key: string
  /** Is it this press that got it? */
  isOf(attemptDigest: string): boolean
  /** Whether that press still gives the card's key. */
  readonly isShown: boolean
  /** When it is of this very group. */
  readonly to?: Claimant
}

interface Tools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly log: Log
  readonly termOf?: (currency: Currency) => CardTerm
}

/** The alarm of a campaign that has given its last card. */
export const FINISHED = 'free-campaign-finished'

/** Other servers claimed what this one saw: nothing of the group is kept, and it looks again. */
class ClaimConflict extends Error {}

/** Each time somebody else has got a card; so often in a row it is a fault, not a rival. */
const MOST_LOOKS = 50

/**
 * Serves a group in the order of its coming: reads once who has had a card and how many are left, then writes all
 * new cards in one transaction. What it read may be old by then, so the two rules stand in the writes: a mailbox
 * is in `free_claims` once, and the count is raised only up to the stock. Where one of them refuses, the whole is
 * undone and done again from a new reading.
 * @returns an answer for each, in the group's order: the private key, or why there is none; and the campaign's
 *   count, when it was raised
 */
export async function giveToGroup(
  tools: Tools,
  campaign: FreeCampaign,
  group: readonly Claimant[],
): Promise<{ answers: readonly (string | Problem)[]; claimed: number | undefined }> {
  for (let looks = 1; ; looks++) {
    const { given, claimed } = await tools.db.read(db => stateOf(db, tools, campaign.tag, group))
    const winners = firstOfEach(group, given).slice(0, Math.max(0, campaign.stock - (claimed ?? 0)))
    if (winners.length === 0) return { answers: answersTo(group, given), claimed: undefined }
    try {
      const written = await tools.db.transaction(async trx => {
        if (claimed === undefined) await openCount(trx, campaign.tag)
        const written = await writeCards(trx, tools, campaign, winners)
        const { tag, stock } = campaign
        if (written.claimed === stock) await tools.log.queueAlarm?.(trx, FINISHED, { campaign: tag, stock })
        return written
      })
      return { answers: answersTo(group, new Map([...given, ...written.given])), claimed: written.claimed }
    } catch (error) {
      if (!(error instanceof ClaimConflict) || looks === MOST_LOOKS) throw error
    }
  }
}

/** The claimants who have no card yet. If several use one mailbox, only the first counts. */
function firstOfEach(
  group: readonly Claimant[],
  given: ReadonlyMap<string, StoredClaim>,
): readonly Claimant[] {
  const firsts = new Map<string, Claimant>()
  for (const one of group) {
    if (!given.has(one.addressDigest) && !firsts.has(one.addressDigest)) firsts.set(one.addressDigest, one)
  }
  return [...firsts.values()]
}

/** The card's key for the press that got it; for every other press its mailbox has had its card. */
function answersTo(
  group: readonly Claimant[],
  given: ReadonlyMap<string, StoredClaim>,
): readonly (string | Problem)[] {
  return group.map(one => {
    const card = given.get(one.addressDigest)
    if (!card) return new Problem('finished-campaign-offer')
    const isSamePress = one.attemptDigest !== null && card.isOf(one.attemptDigest)
    if (card.to === one || (isSamePress && card.isShown)) return card.key
    return isSamePress
      ? new Problem('links-by-mail', { maskedAddress: maskAddress(one.claim.address.address) })
      : new Problem('email-already-used')
  })
}

/** The cards that mailboxes of the group have had, and how many the campaign has given, if it began. */
async function stateOf(db: Reader, { keys, clock }: Tools, tag: string, group: readonly Claimant[]) {
  const digests = new Set(group.map(({ addressDigest }) => addressDigest))
  const claims = await db
    .selectFrom('free_claims')
    .innerJoin('cards', 'cards.id', 'free_claims.card_id')
    .selectAll('cards')
    .select(['address_digest', 'attempt_key_digest'])
    .where('address_digest', 'in', [...digests])
    .execute()
  const count = await db
    .selectFrom('free_campaigns')
    .select('claimed')
    .where('tag', '=', tag)
    .executeTakeFirst()
  const given = new Map<string, StoredClaim>()
  const now = clock()
  for (const row of claims) {
    const isOwn = row.kind === 'free' && row.seal === sealOfStored(keys, 'donation', row)
    const isShown = isOwn && areLinksShown({ since: row.created_at, keyVersion: row.key_version }, now)
    // A card of long ago may be of a secret that nobody has any more.
    const key = isShown ? keys.privateKey(row.id, row.key_version) : ''
    const isOf = (attemptDigest: string) => row.attempt_key_digest === pressOf(keys, attemptDigest, row.id)
    given.set(row.address_digest, { key, isOf, isShown })
  }
  return { given, claimed: count?.claimed }
}

/**
 * The digest of the press that got a card, made of the press and the card with the server's secret. Somebody who can
 * write to the database could point a claim at another person's card, but the digest would not fit it.
 */
function pressOf(keys: CardKeys, attemptDigest: string, cardId: string): string {
  return keys.mac(JSON.stringify(['press of a claim', attemptDigest, cardId]))
}

/** Everything that a new card is: itself, its claim, its place in the books, its mail. @throws ClaimConflict */
async function writeCards(
  trx: Writer,
  { keys, clock, termOf }: Tools,
  campaign: FreeCampaign,
  winners: readonly Claimant[],
): Promise<{ given: ReadonlyMap<string, StoredClaim>; claimed: number }> {
  const now = clock()
  const creditOf = ({ claim }: Claimant) => money(GIFT_CARD_ENTRIES.free.credit, claim.currency)
  const cards = await createEach(
    trx,
    keys,
    winners.map(winner => ({
      orderId: null,
      themeId: winner.claim.themeId,
      senderName: winner.claim.sender.kind === 'own' ? winner.claim.sender.name : null,
      language: winner.claim.language,
      credit: creditOf(winner),
      email: winner.claim.address.address,
      createdAt: now,
      term: termOf?.(winner.claim.currency) ?? DEFAULT_TERM,
    })),
  )
  const won = winners.map((winner, index) => ({ winner, card: cards[index]! }))
  const claims = await trx
    .insertInto('free_claims')
    .values(
      won
        .map(({ winner, card }) => ({
          address_digest: winner.addressDigest,
          tag: campaign.tag,
          card_id: card.cardId,
          attempt_key_digest: winner.attemptDigest && pressOf(keys, winner.attemptDigest, card.cardId),
          created_at: now,
        }))
        // In one order in every server, so that two of them never wait for each other.
        .sort((a, b) => (a.address_digest < b.address_digest ? -1 : 1)),
    )
    .onConflict(conflict => conflict.column('address_digest').doNothing())
    .returning('card_id')
    .execute()
  if (claims.length < won.length) throw new ClaimConflict('a mailbox has claimed elsewhere')
  await recordFreeGifts(
    trx,
    won.map(({ winner, card }) => ({ cardId: card.cardId, credit: creditOf(winner), at: now })),
  )
  await queueFirstConfirmations(
    trx,
    won.map(({ card: { cardId } }) => ({
      kind: 'donation' as const,
      orderId: `free:${cardId}`,
      cardId,
      now,
    })),
  )
  // Last, since every other server waits for this row until the transaction is done.
  const claimed = await take(trx, campaign, won.length)
  const given = won.map(
    ({ winner, card }) =>
      [
        winner.addressDigest,
        {
          key: card.privateKey,
          isOf: (attemptDigest: string) => attemptDigest === winner.attemptDigest,
          isShown: true,
          to: winner,
        },
      ] as const,
  )
  return { given: new Map(given), claimed }
}

/**
 * Takes so many cards out of the campaign's stock. @returns the new count @throws ClaimConflict when fewer are left
 */
async function take(trx: Writer, { tag, stock }: FreeCampaign, cards: number): Promise<number> {
  const taken = await trx
    .updateTable('free_campaigns')
    .set(eb => ({ claimed: eb('claimed', '+', cards) }))
    .where('tag', '=', tag)
    .where('claimed', '<=', stock - cards)
    .returning('claimed')
    .executeTakeFirst()
  if (!taken) throw new ClaimConflict('the campaign has fewer cards left')
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
