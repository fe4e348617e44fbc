import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { MailJobs } from '#domain/mail/mail-jobs.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { type CardOfKind, cardByIdAndKey } from '#server/modules/gifts/cards/by-id-and-key.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { LostLinks, RenewableCard } from '#server/modules/gifts/interface.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { changeCard, linksOf, unusedCardOf } from '#server/modules/gifts/stored-cards.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

/** The kind of the mail with the links of every unused card of an address. */
export const LOST_LINKS = 'lost-links'

/** The name of each kind of card in a job. */
export const LOST_LINKS_OF = {
  donation: 'cardId',
  volunteering: 'invitationId',
} as const satisfies Record<GiftKind, keyof MailJobs['lost-links']>

const MAILS_PER_DAY = 3

export interface LostLinksTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  /** Called when a mail may have been queued. */
  readonly onQueued?: () => void
}

/** Makes the way to new links for somebody who lost theirs. */
export function createLostLinks(tools: LostLinksTools): LostLinks {
  return {
    request: address => requestLinks(tools, address),
    open: (cardId, key) => openRenewal(tools, cardId, key),
    renew: (cardId, key) => renewLinks(tools, cardId, key),
  }
}

/**
 * Queues the mail with an address's links. Whether the address bought anything is neither said nor shown by the time
 * it takes: the same is read and written for every address, and one that bought nothing gets a job that sends nothing.
 * The table holds a pseudonym of the address, made with the server's secret.
 */
async function requestLinks({ db, keys, clock, onQueued }: LostLinksTools, address: string): Promise<void> {
  const now = clock()
  const subject = keys.pseudonym(address.toLowerCase())
  await db.transaction(async trx => {
    const payload: Record<keyof MailJobs['lost-links'], string | null> = { cardId: null, invitationId: null }
    for (const kind of ALL_GIFT_KINDS)
      payload[LOST_LINKS_OF[kind]] = (await unusedCardOf(trx, kind, address)) ?? null
    const day = Math.floor(now / DAY_MS)
    // Each mail of a day has a number that can be taken once: however many ask at once, there are so many mails.
    for (let n = 0; n < MAILS_PER_DAY; n++) {
      const dedupeKey = `${LOST_LINKS}:${subject}:${day}:${n}`
      if (await queueMail(trx, { kind: LOST_LINKS, dedupeKey, payload, runAt: now, subject })) return
    }
  })
  onQueued?.()
}

/** Deletes jobs of this kind that count no more. @returns how many; 0 when done */
export async function forgetRequests(db: Database, now: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('jobs')
      .where('id', 'in', eb =>
        eb
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', LOST_LINKS)
          .where('done_at', 'is not', null)
          .where('created_at', '<', now - 2 * DAY_MS)
          .limit(100),
      )
      .returning('id')
      .execute(),
  )
  return gone.length
}

/**
 * The card as the page with the button shows it. Problem card-not-found for every wrong key, and for cards that are
 * not active.
 */
async function openRenewal(
  { db, keys }: LostLinksTools,
  cardId: string,
  key: string,
): Promise<RenewableCard> {
  const { kind, card, theme } = await db.read(async reader => {
    const found = await cardToRenew(reader, keys, cardId, key)
    return { ...found, theme: await themeOf(reader, found.card.theme_id, found.card.created_at) }
  })
  const shown = {
    privateKey: keys.privateKey(card.id, card.key_version),
    createdAt: card.created_at,
    theme,
  }
  if (kind === 'volunteering') return { kind: 'invitation', ...shown }
  const publicKey = keys.publicKey(card.id, card.key_version)
  return { kind: 'gift', ...shown, publicKey, credit: money(card.credit, card.currency) }
}

/**
 * Gives a card new keys: the old links, and the key that allowed this, are dead from the same moment on.
 * @returns the key that allows the next replacement. Problem card-not-found
 */
async function renewLinks(
  { db, keys }: LostLinksTools,
  cardId: string,
  key: string,
): Promise<{ readonly key: string }> {
  return db.transaction(async trx => {
    const { kind, card } = await cardToRenew(trx, keys, cardId, key)
    const next = keys.nextVersion(card.key_version)
    // If the links were replaced a moment ago, the version is higher and this key no longer works.
    const isOurs = await changeCard(trx, keys, kind, card, linksOf(keys, kind, card.id, next))
    if (!isOurs) throw new Problem('card-not-found')
    return { key: keys.renewalKey(card.id, next) }
  })
}

async function cardToRenew(db: Reader, keys: CardKeys, cardId: string, key: string): Promise<CardOfKind> {
  const found = await cardByIdAndKey(db, keys, { cardId, key }, keys.renewalKey)
  if (found.card.status !== 'active') throw new Problem('card-not-found')
  return found
}
