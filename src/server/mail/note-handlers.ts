import type { Selectable } from 'kysely'
import { money } from '#domain/money/money.ts'
import type { LostLinksPayload } from '#server/cards/lost-links.ts'
import type { Reader } from '#server/db/database.ts'
import type { CardsTable, VolunteeringCard } from '#server/db/schema.ts'
import type { Handler } from '#server/outbox/worker.ts'
import type { Deliver } from './deliver.ts'
import { MailFailure } from './failure.ts'
import type { MailParts } from './mail.ts'
import { autoDonatedMail, lostLinksMail, reminderMail, type UnusedCard } from './notes.ts'

export type NoteHandlers = Readonly<Record<'reminder' | 'auto-donated' | 'lost-links', Handler>>

type Card = Selectable<CardsTable>

/**
 * Send the notes about cards. What they say is read when they are sent: a card that was used meanwhile is not
 * reminded of, and the links are the ones that work now.
 */
export function createNoteHandlers(parts: MailParts, deliver: Deliver): NoteHandlers {
  const { db, keys, siteUrl } = parts
  const addressee = (card: Card | VolunteeringCard) => ({
    language: card.language,
    themeId: card.theme_id,
    senderName: card.sender_name,
  })
  const siteFor = ({ language }: Card | VolunteeringCard) => ({
    url: siteUrl,
    name: parts.siteName(language),
    contact: parts.contact(),
  })
  const unused = (card: Card): UnusedCard => ({
    cardId: card.id,
    privateKey: keys.privateKey(card.id, card.key_version),
    publicKey: keys.publicKey(card.id, card.key_version),
    renewalKey: keys.renewalKey(card.id, card.key_version),
    credit: money(card.credit, card.currency),
    createdAt: card.created_at,
    autoDonateAt: card.auto_donate_at,
  })

  return {
    async reminder(job) {
      const card = await db.read(reader => cardOf(reader, cardIdOf(job.payload)))
      if (card?.status !== 'active' || card.email === null) return
      await deliver(reminderMail(addressee(card), unused(card), siteFor(card)), { job, to: card.email })
    },

    async 'auto-donated'(job) {
      const cardId = cardIdOf(job.payload)
      const [card, draw] = await db.read(async reader => [
        await cardOf(reader, cardId),
        await reader.selectFrom('draws').selectAll().where('card_id', '=', cardId).executeTakeFirst(),
      ])
      if (card === undefined || draw === undefined) throw new MailFailure('card-not-found', true)
      const gift = {
        credit: money(card.credit, card.currency),
        ngoName: parts.ngoName(draw.ngo_id, card.language),
        candidates: (JSON.parse(draw.candidates) as string[]).length,
        createdAt: card.created_at,
      }
      await deliver(autoDonatedMail(addressee(card), gift, siteFor(card)), { job, to: card.email })
    },

    /** An address that bought nothing gets no mail. */
    async 'lost-links'(job) {
      const { cards, invitations } = await db.read(async reader => {
        const address = await addressOf(reader, job.payload as LostLinksPayload)
        return {
          cards: await unusedOf(reader, address),
          invitations: await invitationsOf(reader, address),
        }
      })
      const newest = cards[0] ?? invitations[0]
      if (newest === undefined) return
      const links = {
        cards: cards.map(unused),
        invitations: invitations.map(card => ({
          cardId: card.id,
          key: keys.privateKey(card.id, card.key_version),
          renewalKey: keys.renewalKey(card.id, card.key_version),
          createdAt: card.created_at,
        })),
      }
      await deliver(lostLinksMail(addressee(newest), links, siteFor(newest)), { job, to: newest.email })
    },
  }
}

const cardIdOf = (payload: unknown): string => (payload as { cardId: string | null }).cardId ?? ''

function cardOf(db: Reader, cardId: string): Promise<Card | undefined> {
  return db.selectFrom('cards').selectAll().where('id', '=', cardId).executeTakeFirst()
}

/** In lower case; null when the cards are nobody's any more. */
async function addressOf(db: Reader, { cardId, invitationId }: LostLinksPayload): Promise<string | null> {
  const [of, id] =
    cardId === null ? (['volunteering_cards', invitationId] as const) : (['cards', cardId] as const)
  const row = await db
    .selectFrom(of)
    .select(eb => eb.fn<string | null>('lower', ['email']).as('address'))
    .where('id', '=', id ?? '')
    .executeTakeFirst()
  return row?.address ?? null
}

/** Newest first. */
function unusedOf(db: Reader, address: string | null): Promise<Card[]> {
  return db
    .selectFrom('cards')
    .selectAll()
    .where('status', '=', 'active')
    .where(eb => eb(eb.fn<string>('lower', ['email']), '=', address))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Newest first; answered or not, since an answer can change. */
function invitationsOf(db: Reader, address: string | null): Promise<VolunteeringCard[]> {
  return db
    .selectFrom('volunteering_cards')
    .selectAll()
    .where('status', '=', 'active')
    .where(eb => eb(eb.fn<string>('lower', ['email']), '=', address))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}
