import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { reminderDue } from '#domain/card/reminders.ts'
import type { MailJobs } from '#domain/mail/mail-jobs.ts'
import { money } from '#domain/money/money.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import { LOST_LINKS_OF } from '#server/modules/gifts/cards/lost-links.ts'
import { namedOrganisations } from '#server/modules/gifts/cards/named-organisations.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { mailedOf, ordersOfMany } from '#server/modules/gifts/of-many.ts'
import { type Card, STORED_CARDS, storedCard, unusedCardsOf } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { VolunteeringCard } from '#server/platform/db/schema.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { autoDonatedMail, type GivenAway } from '../given-away.ts'
import { lostLinksMail } from '../lost-links.ts'
import { type ManyCards, manyGivenAwayMail, manyReminderMail } from '../many.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { reminderMail, type UnusedCard } from '../reminder.ts'
import { addresseeOf, giftOf, unfoldsAs } from '../rows.ts'
import { buyerOf, givenAwayOf, manyOf } from './many.ts'

/**
 * Send the letters about cards that nobody used. They read the card at the time of sending: a card that was used
 * meanwhile gets no reminder, and the links are those that work now.
 */
export function unusedCardsHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<'reminder' | 'auto-donated' | 'lost-links'> {
  const { db, keys } = parts
  const siteFor = ({ language }: Card | VolunteeringCard) => siteIn(language, parts)
  const renewable = (card: Card | VolunteeringCard) => ({
    cardId: card.id,
    renewalKey: keys.renewalKey(card.id, card.key_version),
    createdAt: card.created_at,
  })
  const unused = (card: Card, fallbacks: ReadonlyMap<string, string>): UnusedCard => ({
    ...giftOf(card, fallbacks.get(card.id), parts),
    ...renewable(card),
  })

  return {
    async reminder(job) {
      const { card, many } = await db.read(async reader => {
        const card = await storedCard(reader, 'donation', job.payload.cardId)
        return { card, many: card && (await manyOf(reader, card, parts)) }
      })
      if (card && many) {
        const { to, address, language } = await buyerOf(many, parts)
        const isOver = parts.clock() >= card.auto_donate_at || many.told.unused === 0
        if (isOver || address === null || isOvertaken(job.payload.days, card, parts.clock())) return
        const which = job.payload.which ?? 'first'
        const mail = manyReminderMail(to, many.told, which, siteIn(language, parts))
        return deliver(mail, { job, to: address })
      }
      if (card?.status !== 'active' || card.email === null) return
      // It waited too long to be sent: what it says would not be so any more.
      if (parts.clock() >= card.auto_donate_at) return
      if (isOvertaken(job.payload.days, card, parts.clock())) return
      const fallbacks = await db.read(reader => namedOrganisations(reader, keys, [card]))
      const reminded = { ...unused(card, fallbacks), which: job.payload.which ?? 'first' }
      await deliver(reminderMail(await addresseeOf(card, parts), reminded, siteFor(card)), {
        job,
        to: card.email,
      })
    },

    async 'auto-donated'(job) {
      const cardId = job.payload.cardId
      const { card, draw, fallbacks, many } = await db.read(async reader => {
        const card = await storedCard(reader, 'donation', cardId)
        const many = card && (await manyOf(reader, card, parts))
        const given = many && (await givenAwayOf(reader, many, parts))
        const draw = await reader
          .selectFrom('draws')
          .selectAll()
          .where('card_id', '=', cardId)
          .executeTakeFirst()
        return {
          card,
          draw,
          many: many && given && { ...many, ...given },
          fallbacks: await namedOrganisations(reader, keys, card ? [card] : []),
        }
      })
      if (card === undefined || draw === undefined) throw new MailFailure('card-not-found', true)
      if (many) {
        const { to, address, language } = await buyerOf(many, parts)
        const told = { ...many.told, given: many.given, to: many.to }
        return deliver(manyGivenAwayMail(to, told, siteIn(language, parts)), { job, to: address })
      }
      const gift = {
        credit: money(card.credit, card.currency),
        ngoName: parts.ngoName(draw.ngo_id, card.language),
        named: namedBy(draw, fallbacks.get(card.id), ngoId => parts.ngoName(ngoId, card.language)),
        candidates: (JSON.parse(draw.candidates) as string[]).length,
        createdAt: card.created_at,
      }
      await deliver(autoDonatedMail(await addresseeOf(card, parts), gift, siteFor(card)), {
        job,
        to: card.email,
      })
    },

    /** An address that bought nothing gets no mail. */
    async 'lost-links'(job) {
      const { newestCard, many, cards, invitations, fallbacks } = await db.read(async reader => {
        const address = await addressOf(reader, job.payload)
        const unusedCards = await unusedCardsOf(reader, 'donation', address)
        const ofMany = await ordersOfMany(reader, unusedCards)
        const cards = unusedCards.filter(card => mailedOf(card, ofMany) === card.id)
        const many: ManyCards[] = []
        for (const id of ofMany) {
          const found = await manyOf(reader, { order_id: id }, parts)
          if (found) many.push(found.told)
        }
        return {
          newestCard: unusedCards[0],
          many,
          cards,
          fallbacks: await namedOrganisations(reader, keys, cards),
          invitations: await unusedCardsOf(reader, 'volunteering', address),
        }
      })
      const newest = newestCard ?? invitations[0]
      if (newest === undefined) return
      const links = {
        many,
        cards: cards.map(card => unused(card, fallbacks)),
        invitations: invitations.map(card => {
          const key = keys.privateKey(card.id, card.key_version)
          return {
            ...renewable(card),
            key,
            checkWord: printedWordOf(card, key),
            unfoldsAs: unfoldsAs(card, 'volunteering'),
          }
        }),
      }
      // Each card has its own link beside it.
      const { publicKey: _, ...to } = await addresseeOf(newest, parts)
      await deliver(lostLinksMail(to, links, siteFor(newest)), {
        job,
        to: newest.email,
      })
    },
  }
}

/** Has the next reminder come meanwhile? Mails that had to wait are sent together: the nearest says all of it. */
function isOvertaken(days: number | undefined, card: Card, now: number): boolean {
  if (days === undefined) return false
  const { reminderDays } = termOf(card)
  const { due } = reminderDue({ autoDonateAt: card.auto_donate_at, reminderDays, sent: 0 }, now)
  return due !== undefined && due.days < days
}

/**
 * Whether the buyer's wish was kept: undefined if the buyer named no organisation. A wish is not kept if the organisation
 * is no longer on the list.
 */
function namedBy(
  { chosen_by: chosenBy }: { readonly chosen_by: string | null },
  fallback: string | undefined,
  nameOf: (ngoId: string) => string,
): GivenAway['named'] {
  if (fallback === undefined) return undefined
  return chosenBy === 'buyer' ? { kept: true } : { kept: false, name: nameOf(fallback) }
}

/** In lower case; null when the cards are nobody's any more. */
async function addressOf(db: Reader, known: MailJobs['lost-links']): Promise<string | null> {
  for (const kind of ALL_GIFT_KINDS) {
    const id = known[LOST_LINKS_OF[kind]]
    if (id === null) continue
    const row = await db
      .selectFrom(STORED_CARDS[kind].table)
      .select('email')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.email ?? null
  }
  return null
}
