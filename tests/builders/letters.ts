import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/outbox/worker.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { testKeys } from './server.ts'

/** What an organisation is called in the letters of the tests. */
export const ngoNameIn = (id: string, language: Language): string => `${id} in ${language}`

/** A worker whose letters are kept instead of sent; the HTML part is the letter's words as JSON. */
export function letterWorker(
  {
    db,
    clock,
    log = quietLog(),
    keys = testKeys,
  }: { readonly db: Database; readonly clock: Clock; readonly log?: Log; readonly keys?: CardKeys },
  sent: { push(message: Message): unknown },
): Worker {
  const { handlers, whenDone } = createMail({
    db,
    keys,
    clock,
    log,
    render: async (_, locals) => JSON.stringify((locals as { mail: MailData }).mail),
    transport: { send: async message => void sent.push(message), close() {} },
    siteUrl: 'https://cards.example',
    mailFrom: 'Keep the Chain <cards@cards.example>',
    siteName: () => 'Keep the Chain',
    contact: () => 'hello@cards.example',
    identity: () => 'Association of the tests · G1 · A street 1',
    newsletterTokens: createTokens('a secret'),
    ngoName: ngoNameIn,
  })
  return createWorker({ db, clock, handlers, whenDone, log })
}
