import { CONFIRM_WITHIN_MS } from '#domain/newsletter/form.ts'
import { SUBSCRIPTION_MOVES } from '#domain/newsletter/subscription-states.ts'
import { newsletterPath, oneClickPath } from '#paths'
import type { Deliver } from '../deliver.ts'
import { newsletterMail } from '../newsletter-confirmation.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'

/**
 * Sends the letter that asks for a confirmation, with one-click unsubscribe (RFC 8058). A person who has confirmed,
 * left or waited too long gets none.
 */
export function newsletterHandlers(parts: MailParts, deliver: Deliver): MailHandlers<'newsletter-confirm'> {
  const { db, clock, newsletterTokens: tokens, siteUrl } = parts
  return {
    async 'newsletter-confirm'(job) {
      const { subscriberId } = job.payload
      const row = await db.read(reader =>
        reader
          .selectFrom('newsletter_subscribers')
          .select(['status', 'email', 'name', 'language', 'asked_at'])
          .where('id', '=', subscriberId)
          .executeTakeFirst(),
      )
      const isDue =
        row !== undefined &&
        SUBSCRIPTION_MOVES.confirmed.from[row.status] &&
        clock() - row.asked_at < CONFIRM_WITHIN_MS
      if (!isDue || row.email === null || row.name === null) return
      const { language, name, email } = row
      const confirm = tokens.make('confirm', subscriberId, row.asked_at)
      const unsubscribe = tokens.make('unsubscribe', subscriberId, row.asked_at)
      const links = {
        confirm: siteUrl + newsletterPath(language, 'confirm', confirm),
        unsubscribe: siteUrl + newsletterPath(language, 'unsubscribe', unsubscribe),
      }
      const headers = {
        'List-Unsubscribe': `<${siteUrl}${oneClickPath(unsubscribe)}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
      // It is about no money.
      const site = { ...siteIn(language, parts), ledger: undefined }
      await deliver(newsletterMail({ name, language }, links, site), {
        job,
        to: email,
        headers,
      })
    },
  }
}
