import { dayOf, lastDayBefore } from '#domain/dates.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath, renewalPath } from '#paths'
import { checkWordsSection } from './check-word.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'
import { type ManyCards, manyLinksSection } from './many.ts'
import type { UnusedCard } from './reminder.ts'

/** A volunteering card, as its buyer may know it. */
export interface OpenInvitation
  extends Pick<UnusedCard, 'cardId' | 'renewalKey' | 'createdAt' | 'checkWord' | 'unfoldsAs'> {
  readonly key: string
}

export interface LostLinksOf {
  readonly cards: readonly UnusedCard[]
  /** Orders of many, whose links are on their pages. */
  readonly many?: readonly ManyCards[]
  readonly invitations: readonly OpenInvitation[]
}

/** The links of every unused card of one address. */
export function lostLinksMail(
  to: Addressee,
  { cards, many = [], invitations }: LostLinksOf,
  site: MailSite,
): MailData {
  const t = getT(to.language)
  const replacing = (card: OpenInvitation | UnusedCard) => ({
    label: t('key' in card ? 'mail-lost-links-replace-invitation' : 'mail-lost-links-replace'),
    url: site.url + renewalPath(card.cardId, card.renewalKey),
  })
  const withWord = (note: string, { checkWord: word }: Pick<UnusedCard, 'checkWord'>) =>
    word === null ? note : `${note} ${t('is-this-real-printed')} ${word}`
  const invitationSection = (card: OpenInvitation): MailSection => ({
    title: t('mail-lost-links-invitation', { date: dayOf(card.createdAt, to.language) }),
    note: withWord(t('mail-lost-links-invitation-note'), card),
    copy: site.url + giftLinkPath(card.unfoldsAs, card.key),
    buttons: [replacing(card)],
  })
  const sectionOf = (card: UnusedCard): MailSection => ({
    title: t('mail-lost-links-card', {
      amount: formatMoney(card.credit, to.language, 'when-needed'),
      date: dayOf(card.createdAt, to.language),
    }),
    note: withWord(t('mail-lost-links-note', { date: lastDayBefore(card.autoDonateAt, to.language) }), card),
    copy: site.url + giftLinkPath(card.unfoldsAs, card.privateKey),
    buttons: [
      {
        label: t('mail-preview-link'),
        url: site.url + giftLinkPath(card.unfoldsAs, card.publicKey),
      },
      {
        label: t('passport-title'),
        url: site.url + giftLinkPath(card.unfoldsAs, card.publicKey, 'passport'),
      },
      replacing(card),
    ],
  })
  return letter(to, site, {
    subject: t('mail-lost-links-subject'),
    preheader: t('mail-lost-links-preheader'),
    opening: t('mail-lost-links-opening'),
    sections: [
      ...many.map(each => manyLinksSection(each, to.language, site)),
      ...cards.map(sectionOf),
      ...invitations.map(invitationSection),
      ...([...cards, ...invitations].some(({ checkWord }) => checkWord !== null)
        ? [checkWordsSection(to.language, site)]
        : []),
      { title: t('mail-lost-links-why-title'), note: t('mail-lost-links-why-text') },
    ],
  })
}
