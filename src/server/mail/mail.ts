import { isVisible } from '#domain/card/states.ts'
import type { Language } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import { isPackageId, type PackageId } from '#domain/pricing/packages.ts'
import type { Clock, Log } from '#server/app.ts'
import type { Database, Reader } from '#server/db/database.ts'
import { NEWSLETTER_CONFIRM } from '#server/newsletter/newsletter.ts'
import type { Tokens } from '#server/newsletter/tokens.ts'
import type { Handler } from '#server/outbox/worker.ts'
import { confirmationMail, freeCardMail, type Gift } from './confirmation.ts'
import { deliverWith } from './deliver.ts'
import { MailFailure } from './failure.ts'
import { newsletterHandler } from './newsletter.ts'
import { createNoteHandlers, type NoteHandlers } from './note-handlers.ts'
import type { MailTransport } from './transport.ts'
import { createVolunteeringHandlers, type VolunteeringHandlers } from './volunteering-handlers.ts'

export interface MailParts {
  readonly db: Database
  /** Derives a card's keys again: jobs and tables hold none (decisions §7). */
  readonly keys: {
    privateKey(cardId: string, version: number): string
    publicKey(cardId: string, version: number): string
    renewalKey(cardId: string, version: number): string
  }
  readonly clock: Clock
  /** Renders a page of the site in process and gives its HTML; rejects when the page fails. */
  readonly render: (path: string, locals: object) => Promise<string>
  readonly transport: MailTransport
  /** Origin of the site, without a trailing slash. */
  readonly siteUrl: string
  /** `Name <address>` or an address. */
  readonly mailFrom: string
  /** What the content says now: the product's name and the contact mailbox. */
  readonly siteName: (language: Language) => string
  readonly contact: () => string
  /** The name of an organisation that is, or once was, on the list. */
  readonly ngoName: (ngoId: string, language: Language) => string
  /** Makes the links of the newsletter's mails. */
  readonly newsletterTokens: Tokens
  readonly log: Log
}

export interface Mail {
  /** One handler for each kind of outbox job that sends a mail. */
  readonly handlers: Readonly<Record<'confirmation', Handler>> &
    NoteHandlers &
    VolunteeringHandlers &
    Readonly<Record<'newsletter-confirm', Handler>>
  close(): void
}

/**
 * Sends the mails that the outbox asks for. Everything is read when the mail is due: the card, its address, and
 * the content's contact; only then are the keys derived, for the one message they go into.
 */
export function createMail(parts: MailParts): Mail {
  const { keys, siteUrl, transport } = parts
  const deliver = deliverWith(parts)

  /** Payload `{ cardId }`. @throws MailFailure, for good when the card cannot be told of or its address is none */
  const confirmation: Handler = async job => {
    const { cardId } = job.payload as { cardId: string }
    const card = await parts.db.read(db => readCard(db, cardId))
    if (card === undefined || !isVisible(card.status)) throw new MailFailure('card-not-found', true)
    const { currency, language } = card
    const gift: Gift = {
      language,
      themeId: card.theme_id,
      senderName: card.sender_name,
      privateKey: keys.privateKey(cardId, card.key_version),
      publicKey: keys.publicKey(cardId, card.key_version),
      autoDonateAt: card.auto_donate_at,
      credit: money(card.credit, currency),
    }
    const site = { url: siteUrl, name: parts.siteName(language), contact: parts.contact() }
    const order = await parts.db.read(db => readOrder(db, card.order_id))
    const mail = order
      ? confirmationMail(
          {
            ...gift,
            packageId: packageOf(order.package_id),
            net: money(order.support_amount - order.tax_amount, currency),
            tax: money(order.tax_amount, currency),
            total: money(order.total_amount, currency),
          },
          site,
        )
      : freeCardMail(gift, site)
    await deliver(mail, { job, to: card.email })
  }

  const handlers = {
    confirmation,
    ...createNoteHandlers(parts, deliver),
    ...createVolunteeringHandlers(parts, deliver),
    [NEWSLETTER_CONFIRM]: newsletterHandler(parts, parts.newsletterTokens, deliver),
  }
  return { handlers, close: () => transport.close() }
}

/** Cards with a credit come of orders of the five packages only. */
function packageOf(id: string): PackageId {
  if (!isPackageId(id)) throw new MailFailure('card-not-found', true)
  return id
}

async function readCard(db: Reader, cardId: string) {
  return db
    .selectFrom('cards')
    .where('id', '=', cardId)
    .select([
      'order_id',
      'status',
      'theme_id',
      'sender_name',
      'language',
      'currency',
      'credit',
      'email',
      'key_version',
      'auto_donate_at',
    ])
    .executeTakeFirst()
}

/** What was paid for a card; undefined for a free one. */
async function readOrder(db: Reader, orderId: string | null) {
  if (orderId === null) return undefined
  return db
    .selectFrom('orders')
    .where('id', '=', orderId)
    .select(['package_id', 'support_amount', 'tax_amount', 'total_amount'])
    .executeTakeFirstOrThrow()
}
