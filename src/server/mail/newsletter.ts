import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'
import { CONFIRM_WITHIN_MS } from '#domain/newsletter/form.ts'
import { DEFAULT_THEME } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { newsletterPath, oneClickPath } from '#paths'
import type { Tokens } from '#server/newsletter/tokens.ts'
import type { Handler } from '#server/outbox/worker.ts'
import type { MailSite } from './confirmation.ts'
import type { Deliver } from './deliver.ts'
import type { MailParts } from './mail.ts'
import { paperOf } from './paper.ts'

/** The letter that asks whether it was really its reader who wants the newsletter. */
export function newsletterMail(
  { name, language }: { readonly name: string; readonly language: Language },
  links: { readonly confirm: string; readonly unsubscribe: string },
  site: MailSite,
): MailData {
  const t = getT(language)
  const named = nameInLetter(name)
  return {
    language,
    paper: paperOf(DEFAULT_THEME),
    siteName: site.name,
    subject: t('newsletter-mail-subject'),
    preheader: t('newsletter-mail-preheader'),
    greeting:
      named === null ? t('mail-note-greeting-anonymous') : t('newsletter-mail-greeting', { name: named }),
    opening: t('newsletter-mail-opening'),
    sections: [
      {
        title: t('newsletter-mail-confirm-title'),
        note: t('newsletter-mail-confirm-note'),
        buttons: [{ label: t('newsletter-mail-confirm'), url: links.confirm }],
      },
      {
        title: t('newsletter-mail-unsubscribe-title'),
        note: t('newsletter-mail-unsubscribe-note'),
        buttons: [{ label: t('newsletter-mail-unsubscribe'), url: links.unsubscribe }],
      },
    ],
    contact: { text: t('mail-contact'), address: site.contact },
  }
}

/** Sends it, with one-click unsubscribe (RFC 8058). Who has confirmed, left or waited too long gets no mail. */
export function newsletterHandler(parts: MailParts, tokens: Tokens, deliver: Deliver): Handler {
  const { db, clock, siteUrl } = parts
  return async job => {
    const { subscriberId } = job.payload as { subscriberId: string }
    const row = await db.read(reader =>
      reader
        .selectFrom('newsletter_subscribers')
        .select(['status', 'email', 'name', 'language', 'asked_at'])
        .where('id', '=', subscriberId)
        .executeTakeFirst(),
    )
    const isDue = row?.status === 'pending' && clock() - row.asked_at < CONFIRM_WITHIN_MS
    if (!isDue || row.email === null || row.name === null) return
    const { language, name, email } = row
    const unsubscribe = tokens.make('unsubscribe', subscriberId, row.asked_at)
    const mail = newsletterMail(
      { name, language },
      {
        confirm:
          siteUrl + newsletterPath(language, 'confirm', tokens.make('confirm', subscriberId, row.asked_at)),
        unsubscribe: siteUrl + newsletterPath(language, 'unsubscribe', unsubscribe),
      },
      { url: siteUrl, name: parts.siteName(language), contact: parts.contact() },
    )
    const headers = {
      'List-Unsubscribe': `<${siteUrl}${oneClickPath(unsubscribe)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    await deliver(mail, { job, to: email, headers })
  }
}
