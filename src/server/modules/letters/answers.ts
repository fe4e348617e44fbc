import type { GiftAnswer } from '#domain/answer/answer.ts'
import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import { getT } from '#i18n/index.ts'
import type { StoredMission } from '#server/modules/gifts/interface.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'

/** A card that was used, as its giver may know it. */
export interface UsedCard {
  readonly cardId: string
  readonly credit: Money
  /** Epoch ms UTC. */
  readonly createdAt: number
  /** Epoch ms UTC. */
  readonly usedAt: number
}

/** The part of an answer that a letter says. */
export interface ToldAnswer extends Pick<GiftAnswer, 'words'> {
  /** It is empty if the recipient did not allow the organisations to be named. */
  readonly organisations: readonly string[]
}

/** Tells the giver that the card was used, and of the answer what the recipient had them told: no name, and no link but to where the money is. */
export function usedMail(
  to: Addressee,
  card: UsedCard,
  answer: ToldAnswer | undefined,
  site: MailSite,
): MailData {
  const { language } = to
  const t = getT(language)
  return letter(to, site, {
    subject: t('mail-used-subject'),
    preheader: t('mail-used-preheader'),
    opening: t('mail-used-opening', {
      amount: formatMoney(card.credit, language, 'when-needed'),
      date: dayOf(card.createdAt, language),
      day: dayOf(card.usedAt, language),
    }),
    sections: [
      ...(answer?.organisations.length
        ? []
        : [{ title: t('mail-used-chosen-title'), note: t('mail-used-chosen-text') }]),
      ...(answer ? toldSections(answer, language) : []),
    ],
    ...(answer && { smallPrint: reportLine(card.cardId, language) }),
  })
}

/** Tells a giver who has had that letter what the recipient has them told later. */
export function giftAnswerMail(
  to: Addressee,
  { cardId, credit }: UsedCard,
  answer: ToldAnswer,
  site: MailSite,
): MailData {
  const { language } = to
  const t = getT(language)
  return letter(to, site, {
    subject: t('mail-gift-answer-subject'),
    preheader: t('mail-gift-answer-preheader'),
    opening: t('mail-gift-answer-opening', { amount: formatMoney(credit, language, 'when-needed') }),
    sections: toldSections(answer, language),
    smallPrint: reportLine(cardId, language),
  })
}

/** The recipient's answer: the organisations, if they are named, and the recipient's line. */
function toldSections({ words, organisations }: ToldAnswer, language: Language): MailSection[] {
  const t = getT(language)
  const names = new Intl.ListFormat(language).format(organisations)
  return [
    ...(organisations.length > 0 ? [{ title: t('mail-told-where-title'), note: names }] : []),
    ...(words === null ? [] : [{ title: t('mail-told-words-title'), note: t('mail-told-words', { words }) }]),
  ]
}

/** Tells the giver what the person invited wanted them to know, and no more: no name, and no link but to where all the money is. */
export function invitationAnswerMail(
  to: Addressee,
  {
    cardId,
    answer,
    mission,
  }: { readonly cardId: string; readonly answer: Answer; readonly mission: StoredMission },
  site: MailSite,
): MailData {
  const t = getT(to.language)
  return letter(to, site, {
    subject: t('mail-answer-subject'),
    preheader: t('mail-answer-preheader'),
    opening: t(`mail-answer-opening-${answer}`),
    sections: [{ title: t('mail-answer-mission-title'), note: missionText(mission, to.language) }],
    smallPrint: reportLine(cardId, to.language),
  })
}

/** The line that says how to report a letter to the operator. It names the card's id, which opens nothing. */
function reportLine(cardId: string, language: Language): NonNullable<MailData['smallPrint']> {
  return { text: getT(language)('mail-told-report', { card: cardId }) }
}

function missionText(mission: StoredMission, language: Language): string {
  if (mission.kind === 'decide-later') return getT(language)('mail-answer-mission-later')
  return mission.kind === 'listed' ? mission.title[language] : mission.text
}
