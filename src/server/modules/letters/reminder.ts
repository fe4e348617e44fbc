import type { Reminder } from '#domain/card/reminders.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath } from '#paths'
import { checkWordSection } from './check-word.ts'
import type { Gift } from './confirmation.ts'
import { afterLastDay, lastDayOf } from './last-day.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'
import { linkToSend } from './send-on.ts'

/** A card that nobody has used, as its buyer may know it. */
export interface UnusedCard extends Gift {
  readonly cardId: string
  readonly renewalKey: string
  /** Epoch ms UTC. */
  readonly createdAt: number
}

/** Says that nobody has used a card, and until when it can be, with its link once more; the last one says that it is. */
export function reminderMail(
  to: Addressee,
  { which, ...card }: UnusedCard & { readonly which: Reminder },
  site: MailSite,
): MailData {
  const t = getT(to.language)
  const amount = formatMoney(card.credit, to.language, 'when-needed')
  return letter(to, site, {
    subject: t(`mail-reminder-${which}-subject`),
    preheader: t(`mail-reminder-${which}-preheader`),
    opening: [t(`mail-reminder-${which}-opening`, { amount }), lastDayOf(card, to.language)].join(' '),
    sections: [
      {
        title: t('mail-gift-title'),
        note: t('mail-gift-note'),
        ...linkToSend(site.url + giftLinkPath(card.unfoldsAs, card.privateKey), {
          label: t('donation-success-share'),
          subject: t('receiver-heading-anonymous'),
          text: t('donation-success-share-text'),
        }),
      },
      ...checkWordSection(card.checkWord, to.language, site),
      {
        title: t('mail-reminder-after-title'),
        note: [afterLastDay(card, to.language), t('mail-reminder-after-text')].join(' '),
      },
    ],
  })
}
