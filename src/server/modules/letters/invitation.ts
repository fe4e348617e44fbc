import type { MailData } from '#domain/mail/mail-data.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath, type UnfoldsAs } from '#paths'
import { amountsPaid, type Paid } from './amounts.ts'
import { checkWordSection } from './check-word.ts'
import { type Addressee, letter, type MailSite, ownWords, termsOf } from './letter.ts'
import { linkToSend } from './send-on.ts'
import { type Sendable, sendForMe } from './sendings.ts'

export interface Invitation extends Paid, Sendable {
  readonly key: string
  readonly unfoldsAs: UnfoldsAs
  /** Tells that it is real; null for one from before there were words. */
  readonly checkWord: string | null
  /** What the giver writes to whoever gets it; null without anything. */
  readonly message: string | null
  /** The version of the terms that the buyer accepted. */
  readonly termsVersion: string
}

/** What the buyer of a volunteering card gets: the link to send, the photo-book, and what was paid. */
export function invitationMail(to: Addressee, invitation: Invitation, site: MailSite): MailData {
  const { language } = to
  const { key, unfoldsAs } = invitation
  const t = getT(language)
  return letter(to, site, {
    subject: t('mail-volunteering-subject'),
    preheader: t('mail-volunteering-preheader'),
    thanks: true,
    opening: t('mail-volunteering-opening'),
    sections: [
      {
        title: t('mail-volunteering-link-title'),
        note: t('mail-volunteering-link-note'),
        ...linkToSend(site.url + giftLinkPath(unfoldsAs, key), {
          label: t('volunteering-success-share'),
          subject: t('invitation-heading-anonymous'),
          text: t('volunteering-success-share-text'),
        }),
      },
      sendForMe(invitation, language, site),
      ...ownWords(invitation.message, language),
      ...checkWordSection(invitation.checkWord, language, site),
      {
        title: t('mail-volunteering-book-title'),
        note: t('mail-volunteering-book-note'),
        // It is fetched by a press there: no address then has the key, and what opens the links of mails presses nothing.
        buttons: [
          {
            label: t('mail-volunteering-book-link'),
            url: site.url + giftLinkPath(unfoldsAs, key, 'mission'),
          },
        ],
      },
    ],
    amounts: amountsPaid(t('mail-volunteering-amounts-invitation'), invitation, language),
    ...termsOf(invitation.termsVersion, language, site),
  })
}
