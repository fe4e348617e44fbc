import { lastDayBefore } from '#domain/dates.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import { getT } from '#i18n/index.ts'
import { cardPath } from '#paths'
import type { Gift } from './confirmation.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'
import { linkToSend } from './send-on.ts'

/** A card that nobody has used, as its buyer may know it. */
export interface UnusedCard extends Gift {
  readonly cardId: string
  readonly renewalKey: string
  /** Epoch ms UTC. */
  readonly createdAt: number
}

/** Says that a card's year is nearly over, with its link once more. */
export function reminderMail(to: Addressee, card: UnusedCard, site: MailSite): MailData {
  const t = getT(to.language)
  const amount = formatMoney(card.credit, to.language, 'when-needed')
  const date = lastDayBefore(card.autoDonateAt, to.language)
  return letter(to, site, {
    subject: t('mail-reminder-subject'),
    preheader: t('mail-reminder-preheader'),
    opening: t('mail-reminder-opening', { amount, date }),
    sections: [
      {
        title: t('mail-gift-title'),
        note: t('mail-gift-note'),
        ...linkToSend(site.url + cardPath(card.privateKey, 'introduction', 'final'), {
          label: t('donation-success-share'),
          subject: t('receiver-heading-anonymous'),
          text: t('donation-success-share-text'),
        }),
      },
      { title: t('mail-reminder-after-title'), note: t('mail-reminder-after-text') },
    ],
  })
}
