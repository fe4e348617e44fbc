import type { Handler } from '#server/platform/outbox/worker.ts'
import { confirmationHandlers } from './confirmation-handler.ts'
import { deliverWith } from './deliver.ts'
import { newsletterHandlers } from './newsletter-handler.ts'
import type { MailParts } from './parts.ts'
import { unusedCardsHandlers } from './unused-cards-handlers.ts'
import { volunteeringHandlers } from './volunteering-handlers.ts'

export interface Mail {
  /** One for each kind of outbox job that sends a letter. */
  readonly handlers: Readonly<Record<string, Handler>>
  close(): void
}

/**
 * Sends the letters that the outbox asks for. Everything is read when a letter is due: the card, its address, and
 * the content's contact; only then are the keys derived, for the one message they go into.
 */
export function createMail(parts: MailParts): Mail {
  const deliver = deliverWith(parts)
  const handlers = {
    ...confirmationHandlers(parts, deliver),
    ...unusedCardsHandlers(parts, deliver),
    ...volunteeringHandlers(parts, deliver),
    ...newsletterHandlers(parts, deliver),
  }
  return { handlers, close: () => parts.transport.close() }
}
