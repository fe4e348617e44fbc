import type { MailKind } from '#domain/mail/mail-jobs.ts'
import type { WhenDone } from '#server/platform/outbox/claim.ts'
import type { Handler } from '#server/platform/outbox/worker.ts'
import { deliverWith } from './deliver.ts'
import { answersHandlers, forgetWhatWasTold } from './handlers/answers.ts'
import { confirmationHandlers } from './handlers/confirmations.ts'
import { invoiceHandlers } from './handlers/invoices.ts'
import { newsletterHandlers } from './handlers/newsletter.ts'
import { payeeHandlers, whenPayeeTold } from './handlers/payees.ts'
import { sendingHandlers, whenGiftSent } from './handlers/sendings.ts'
import { unusedCardsHandlers } from './handlers/unused-cards.ts'
import { withdrawalHandlers } from './handlers/withdrawals.ts'
import type { MailHandlers, MailParts } from './parts.ts'

/** The letters of the site; the alarms to its operator have a handler of their own (alarms.ts). */
type LetterKind = Exclude<MailKind, 'alarm'>

export interface Mail {
  /** One handler for each kind of letter. */
  readonly handlers: Readonly<Record<LetterKind, Handler>>
  /** What is written down when a letter was handed over, or was given up. */
  readonly whenDone: Readonly<Partial<Record<LetterKind, WhenDone>>>
  close(): void
}

/**
 * Sends the letters that the outbox asks for. Everything is read when a letter is due: the card, its address, and
 * the content's contact; only then are the keys derived, for the one message they go into.
 */
export function createMail(parts: MailParts): Mail {
  const deliver = deliverWith(parts)
  const handlers: MailHandlers<LetterKind> = {
    ...confirmationHandlers(parts, deliver),
    ...unusedCardsHandlers(parts, deliver),
    ...answersHandlers(parts, deliver),
    ...newsletterHandlers(parts, deliver),
    ...withdrawalHandlers(parts, deliver),
    ...payeeHandlers(parts, deliver),
    ...sendingHandlers(parts, deliver),
    ...invoiceHandlers(parts, deliver),
  }
  // The job holds what its kind declares, since `gifts/queue-mail.ts` wrote it.
  return {
    handlers: handlers as Readonly<Record<LetterKind, Handler>>,
    whenDone: { ...forgetWhatWasTold, ...whenPayeeTold(parts), ...whenGiftSent(parts) },
    close: () => parts.transport.close(),
  }
}
