import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { TAX_SHARE } from '#domain/money/tax.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import { getT } from '#i18n/index.ts'
import { photoBookPath, volunteeringCardPath } from '#paths'
import type { StoredMission } from '#server/app.ts'
import type { MailSite } from './confirmation.ts'
import { type Addressee, note } from './notes.ts'

export interface Invitation {
  readonly key: string
  readonly price: Money
  /** The support amount without its tax. */
  readonly net: Money
  readonly tax: Money
  readonly total: Money
}

/** What the buyer of a volunteering card gets: the link to send, the photo-book, and what was paid. */
export function invitationMail(to: Addressee, invitation: Invitation, site: MailSite): MailData {
  const { language } = to
  const { key } = invitation
  const t = getT(language)
  const paid = (amount: Money) => formatMoney(amount, language, 'always')
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(TAX_SHARE)
  return note(to, site, {
    subject: t('mail-volunteering-subject'),
    preheader: t('mail-volunteering-preheader'),
    opening: t('mail-volunteering-opening'),
    sections: [
      {
        title: t('mail-volunteering-link-title'),
        note: t('mail-volunteering-link-note'),
        copy: site.url + volunteeringCardPath(key),
      },
      {
        title: t('mail-volunteering-book-title'),
        note: t('mail-volunteering-book-note'),
        buttons: [{ label: t('mail-volunteering-book-link'), url: site.url + photoBookPath(key, language) }],
      },
    ],
    amounts: {
      title: t('mail-volunteering-amounts-title'),
      rows: [
        { label: t('mail-volunteering-amounts-invitation'), amount: paid(invitation.price) },
        { label: t('mail-confirmation-amounts-support'), amount: paid(invitation.net) },
        { label: t('mail-confirmation-amounts-tax', { share }), amount: paid(invitation.tax) },
      ],
      total: { label: t('mail-confirmation-amounts-total'), amount: paid(invitation.total) },
    },
  })
}

/** Tells the giver what the recipient wanted them to know, and no more: no link, no name. */
export function answerMail(
  to: Addressee,
  { answer, mission }: { readonly answer: Answer; readonly mission: StoredMission },
  site: MailSite,
): MailData {
  const t = getT(to.language)
  return note(to, site, {
    subject: t('mail-answer-subject'),
    preheader: t('mail-answer-preheader'),
    opening: t(`mail-answer-opening-${answer}`),
    sections: [{ title: t('mail-answer-mission-title'), note: missionText(mission, to.language) }],
  })
}

function missionText(mission: StoredMission, language: Language): string {
  if (mission.kind === 'decide-later') return getT(language)('mail-answer-mission-later')
  return mission.kind === 'listed' ? mission.title[language] : mission.text
}
