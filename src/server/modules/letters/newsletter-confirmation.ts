import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { PLAIN_THEME } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { letter, type MailSite } from './letter.ts'

/** The letter that asks whether it was really its reader who wants the newsletter. */
export function newsletterMail(
  { name, language }: { readonly name: string; readonly language: Language },
  links: { readonly confirm: string; readonly unsubscribe: string },
  site: MailSite,
): MailData {
  const t = getT(language)
  return letter({ name, language, theme: PLAIN_THEME }, site, {
    subject: t('newsletter-mail-subject'),
    preheader: t('newsletter-mail-preheader'),
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
  })
}
