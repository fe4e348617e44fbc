import { isVisible } from '#domain/card/states.ts'
import type { Language } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import type { Clock, Log } from '#server/app.ts'
import type { Database, Reader } from '#server/db/database.ts'
import type { Handler } from '#server/outbox/worker.ts'
import { confirmationMail } from './confirmation.ts'
import { MailFailure } from './failure.ts'
import { buildMessage } from './message.ts'
import type { MailTransport } from './transport.ts'

export interface MailParts {
  readonly db: Database
  /** Derives a card's keys again: jobs and tables hold none (decisions §7). */
  readonly keys: {
    privateKey(cardId: string, version: number): string
    publicKey(cardId: string, version: number): string
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
  readonly log: Log
}

export interface Mail {
  /** One handler for each kind of outbox job that sends a mail. */
  readonly handlers: { readonly confirmation: Handler }
  close(): void
}

/**
 * Sends the mails that the outbox asks for. Everything is read when the mail is due: the card, its address, and
 * the content's contact; only then are the keys derived, for the one message they go into.
 */
export function createMail(parts: MailParts): Mail {
  const { clock, keys, log, siteUrl, transport } = parts

  /** Payload `{ cardId }`. @throws MailFailure, for good when the card cannot be told of or its address is none */
  const confirmation: Handler = async job => {
    const { cardId } = job.payload as { cardId: string }
    const card = await parts.db.read(db => readPurchase(db, cardId))
    if (card === undefined || !isVisible(card.status)) throw new MailFailure('card-not-found', true)
    const { currency, language } = card
    const mail = confirmationMail(
      {
        language,
        themeId: card.theme_id,
        senderName: card.sender_name,
        packageId: card.package_id,
        privateKey: keys.privateKey(cardId, card.key_version),
        publicKey: keys.publicKey(cardId, card.key_version),
        autoDonateAt: card.auto_donate_at,
        credit: money(card.credit, currency),
        net: money(card.support_amount - card.tax_amount, currency),
        tax: money(card.tax_amount, currency),
        total: money(card.total_amount, currency),
      },
      { url: siteUrl, name: parts.siteName(language), contact: parts.contact() },
    )
    const html = await parts.render('/internal/mail/confirmation', { mail, language })
    const message = buildMessage(mail, html, {
      from: parts.mailFrom,
      to: card.email ?? '',
      dedupeKey: job.dedupeKey,
      host: new URL(siteUrl).hostname,
      at: clock(),
    })
    await transport.send(message)
    log.info('mail-sent', { kind: 'confirmation', job: job.id, language })
  }

  return { handlers: { confirmation }, close: () => transport.close() }
}

/** The card, and what was paid for it. */
async function readPurchase(db: Reader, cardId: string) {
  return db
    .selectFrom('cards')
    .innerJoin('orders', 'orders.id', 'cards.order_id')
    .where('cards.id', '=', cardId)
    .select([
      'cards.status',
      'cards.theme_id',
      'cards.sender_name',
      'cards.language',
      'cards.currency',
      'cards.credit',
      'cards.email',
      'cards.key_version',
      'cards.auto_donate_at',
      'orders.package_id',
      'orders.support_amount',
      'orders.tax_amount',
      'orders.total_amount',
    ])
    .executeTakeFirst()
}
