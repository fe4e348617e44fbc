import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import type { Money } from '#domain/money/money.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import { getT } from '#i18n/index.ts'
import { photoBookPath, volunteeringCardPath } from '#paths'
import type { StoredMission } from '#server/modules/gifts/interface.ts'
import { amountsPaid, type Paid } from './amounts.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'

export interface Invitation extends Paid {
  readonly key: string
  readonly price: Money
}

/** What the buyer of a volunteering card gets: the link to send, the photo-book, and what was paid. */
export function invitationMail(to: Addressee, invitation: Invitation, site: MailSite): MailData {
  const { language } = to
  const { key, price } = invitation
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
        copy: site.url + volunteeringCardPath(key),
      },
      {
        title: t('mail-volunteering-book-title'),
        note: t('mail-volunteering-book-note'),
        buttons: [{ label: t('mail-volunteering-book-link'), url: site.url + photoBookPath(key, language) }],
      },
    ],
    amounts: amountsPaid({ label: t('mail-volunteering-amounts-invitation'), price }, invitation, language),
  })
}

/** Tells the giver what the recipient wanted them to know, and no more: no link, no name. */
export function answerMail(
  to: Addressee,
  { answer, mission }: { readonly answer: Answer; readonly mission: StoredMission },
  site: MailSite,
): MailData {
  const t = getT(to.language)
  return letter(to, site, {
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
