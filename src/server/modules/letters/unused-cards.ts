import { dayOf, lastDayBefore } from '#domain/dates.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { cardPath, renewalPath, volunteeringCardPath } from '#paths'
import type { Gift } from './confirmation.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'

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
        copy: site.url + cardPath(card.privateKey, 'introduction', 'final'),
      },
      { title: t('mail-reminder-after-title'), note: t('mail-reminder-after-text') },
    ],
  })
}

export interface GivenAway {
  readonly credit: Money
  readonly ngoName: string
  /** How many organisations were on the list. */
  readonly candidates: number
  /** Epoch ms UTC. */
  readonly createdAt: number
}

/** Says which organisation the credit of a card that nobody used went to. */
export function autoDonatedMail(to: Addressee, gift: GivenAway, site: MailSite): MailData {
  const t = getT(to.language)
  const amount = formatMoney(gift.credit, to.language, 'when-needed')
  return letter(to, site, {
    subject: t('mail-auto-donated-subject'),
    preheader: t('mail-auto-donated-preheader'),
    opening: t('mail-auto-donated-opening', { amount, date: dayOf(gift.createdAt, to.language) }),
    sections: [
      {
        title: gift.ngoName,
        note: t('mail-auto-donated-text', { amount, organisation: gift.ngoName, number: gift.candidates }),
      },
    ],
  })
}

/** A volunteering card, as its buyer may know it. */
export interface OpenInvitation extends Pick<UnusedCard, 'cardId' | 'renewalKey' | 'createdAt'> {
  readonly key: string
}

export interface LostLinksOf {
  readonly cards: readonly UnusedCard[]
  readonly invitations: readonly OpenInvitation[]
}

/** The links of every unused card of one address. */
export function lostLinksMail(to: Addressee, { cards, invitations }: LostLinksOf, site: MailSite): MailData {
  const t = getT(to.language)
  const replacing = (card: OpenInvitation | UnusedCard) => ({
    label: t('key' in card ? 'mail-lost-links-replace-invitation' : 'mail-lost-links-replace'),
    url: site.url + renewalPath(card.cardId, card.renewalKey),
  })
  const invitationSection = (card: OpenInvitation): MailSection => ({
    title: t('mail-lost-links-invitation', { date: dayOf(card.createdAt, to.language) }),
    note: t('mail-lost-links-invitation-note'),
    copy: site.url + volunteeringCardPath(card.key),
    buttons: [replacing(card)],
  })
  const sectionOf = (card: UnusedCard): MailSection => ({
    title: t('mail-lost-links-card', {
      amount: formatMoney(card.credit, to.language, 'when-needed'),
      date: dayOf(card.createdAt, to.language),
    }),
    note: t('mail-lost-links-note', { date: lastDayBefore(card.autoDonateAt, to.language) }),
    copy: site.url + cardPath(card.privateKey, 'introduction', 'final'),
    buttons: [
      {
        label: t('mail-preview-link'),
        url: site.url + cardPath(card.publicKey, 'introduction', 'preview'),
      },
      replacing(card),
    ],
  })
  return letter(to, site, {
    subject: t('mail-lost-links-subject'),
    preheader: t('mail-lost-links-preheader'),
    opening: t('mail-lost-links-opening'),
    sections: [
      ...cards.map(sectionOf),
      ...invitations.map(invitationSection),
      { title: t('mail-lost-links-why-title'), note: t('mail-lost-links-why-text') },
    ],
  })
}
