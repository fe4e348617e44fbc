import { createHash } from 'node:crypto'
import { isMailAddress } from '#domain/mail/address.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { MailFailure } from './failure.ts'
import { mailText } from './text.ts'

/** A mail ready for any transport. */
export interface Message {
  /** `Name <address>` or an address, as configured. */
  readonly from: string
  readonly to: string
  readonly replyTo: string
  readonly subject: string
  /** Without it the mail is plain text. */
  readonly html?: string
  readonly text: string
  /** With its angle brackets. */
  readonly messageId: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
}

export interface Envelope {
  readonly from: string
  readonly to: string
  /** The job's id. It makes the Message-ID, so that a mail that is sent again keeps its own. */
  readonly dedupeKey: string
  /** The domain of the Message-ID. */
  readonly host: string
  /** Epoch ms UTC. */
  readonly at: number
}

/**
 * Puts a mail into its envelope. Every server on the way logs headers, so no header holds a key, an amount or a name.
 * The subject is one sentence of the catalogue.
 *
 * Only the newsletter's mails and those to recipients of gifts add List-Unsubscribe. In a mail about a purchase it would make mail programs offer to
 * unsubscribe from the buyer's own receipts.
 * @throws MailFailure invalid-address, for good
 */
export function buildMessage(mail: MailData, html: string, envelope: Envelope): Message {
  if (!isMailAddress(envelope.to)) throw new MailFailure('invalid-address', true)
  return {
    from: envelope.from,
    to: envelope.to,
    replyTo: mail.contact.address,
    subject: mail.subject,
    html,
    text: mailText(mail),
    messageId: messageIdOf(envelope.dedupeKey, envelope.host),
    date: new Date(envelope.at),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
  }
}

/** A Message-ID that follows from the job alone, so that receivers can drop what a crash made us send twice. */
export function messageIdOf(dedupeKey: string, host: string): string {
  return `<${createHash('sha256').update(dedupeKey).digest('hex').slice(0, 40)}@${host}>`
}
