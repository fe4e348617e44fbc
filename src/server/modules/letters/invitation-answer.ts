import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import { getT } from '#i18n/index.ts'
import type { StoredMission } from '#server/modules/gifts/interface.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'

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
