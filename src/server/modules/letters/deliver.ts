import type { MailData } from '#domain/mail/mail-data.ts'
import type { Job } from '#server/platform/outbox/claim.ts'
import { buildMessage } from './message.ts'
import type { MailParts } from './parts.ts'

/** Lays a mail out, puts it into its envelope and hands it to the transport. @throws MailFailure */
export type Deliver = (
  mail: MailData,
  envelope: {
    readonly job: Job
    readonly to: string | null
    /** Headers beside those of every mail. */
    readonly headers?: Readonly<Record<string, string>>
  },
) => Promise<void>

/** Makes what renders a mail and gives it to the transport. The transport’s failure is thrown. */
export function deliverWith({ render, transport, mailFrom, siteUrl, clock, log }: MailParts): Deliver {
  return async (mail, { job, to, headers }) => {
    const { language } = mail
    const html = await render('/internal/mail', { mail, language })
    const message = buildMessage(mail, html, {
      from: mailFrom,
      to: to ?? '',
      dedupeKey: job.dedupeKey,
      host: new URL(siteUrl).hostname,
      at: clock(),
    })
    await transport.send({ ...message, headers: { ...message.headers, ...headers } })
    log.info('mail-sent', { kind: job.kind, job: job.id, language })
  }
}
