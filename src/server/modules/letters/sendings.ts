import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath, sendingPath, type UnfoldsAs, unwantedPath } from '#paths'
import { checkWordSection } from './check-word.ts'
import { type Addressee, letter, type MailSite, ownWords } from './letter.ts'
import { linkToSend } from './send-on.ts'

/** A gift as a letter gives it to its recipient. */
export interface GivenGift {
  readonly kind: GiftKind
  readonly which: 'first' | 'reminder'
  readonly privateKey: string
  readonly unfoldsAs: UnfoldsAs
  readonly checkWord: string | null
  /** The last day on which it can be used, in Madrid, `YYYY-MM-DD`; undefined where it has none. */
  readonly lastDay: string | undefined
  /** null when anonymous. */
  readonly giver: string | null
  /** What the giver writes; null without anything. */
  readonly message: string | null
  /** The reader's mailbox, and the key by which they stop such mails. */
  readonly mailbox: string
  readonly unwantedKey: string
}

/**
 * Gives a gift to its recipient: who it is from, what they write, and a button that opens it. No amount stands in it. It
 * says how to stop such mails.
 */
export function sendingMail(
  to: Pick<Addressee, 'language' | 'theme'>,
  gift: GivenGift,
  site: MailSite,
): MailData {
  const { language } = to
  const { kind, which } = gift
  const t = getT(language)
  const name = nameInLetter(gift.giver)
  const from = name === null ? 'anonymous' : 'from'
  return letter({ ...to, name: null }, site, {
    subject: t(`mail-sending-${which}-subject`),
    preheader: t('mail-sending-preheader'),
    opening: t(`mail-sending-${which}-${from}`, { name: name ?? '' }),
    sections: [
      ...ownWords(gift.message, language, 'mail-sending-message-title'),
      {
        title: t(`mail-sending-${kind}-title`),
        note: [t(`mail-sending-${kind}-note`), ...untilWhen(gift.lastDay, language)].join(' '),
        buttons: [
          {
            label: t('mail-sending-open'),
            url: site.url + giftLinkPath(gift.unfoldsAs, gift.privateKey),
            isFilled: true,
          },
        ],
      },
      ...checkWordSection(gift.checkWord, language, site),
    ],
    smallPrint: {
      text: t('mail-sending-unwanted-text'),
      link: {
        label: t('mail-sending-unwanted-link'),
        url: `${site.url}${unwantedPath(gift.mailbox, gift.unwantedKey)}?lang=${language}`,
      },
    },
  })
}

const untilWhen = (lastDay: string | undefined, language: Language): readonly string[] =>
  lastDay === undefined
    ? []
    : [getT(language)('mail-sending-last-day', { day: dayOf(Date.parse(lastDay), language) })]

/** A gift that its giver may have mailed. */
export interface Sendable {
  readonly cardId: string
  readonly sendingKey: string
}

/** Leads a giver to the page on which they have the gift mailed on a day. */
export function sendForMe(gift: Sendable, language: Language, site: MailSite): MailSection {
  const t = getT(language)
  return {
    title: t('sending-door'),
    note: t('mail-sending-offer'),
    buttons: [{ label: t('mail-sending-offer-go'), url: sendingUrl(gift, language, site) }],
  }
}

const sendingUrl = ({ cardId, sendingKey }: Sendable, language: Language, site: MailSite): string =>
  `${site.url}${sendingPath(cardId, sendingKey)}?lang=${language}`

/** A gift that was to be mailed, and is its giver's again. */
export interface ReturnedGift extends Sendable, Pick<GivenGift, 'kind' | 'privateKey' | 'unfoldsAs'> {
  /** After a restore: nobody knows whether the mail went. */
  readonly mayHaveGone: boolean
}

/** Gives a giver their link back, which a mail could not bring, or may not have brought, to its recipient. */
export function sendingReturnedMail(to: Addressee, gift: ReturnedGift, site: MailSite): MailData {
  const { language } = to
  const t = getT(language)
  return letter(to, site, {
    subject: t(gift.mayHaveGone ? 'mail-returned-unsure-subject' : 'mail-returned-subject'),
    preheader: t('mail-returned-preheader'),
    opening: t(gift.mayHaveGone ? 'mail-returned-unsure' : 'mail-returned-opening'),
    sections: [
      {
        title: t('mail-gift-title'),
        note: t('mail-returned-note'),
        ...linkToSend(site.url + giftLinkPath(gift.unfoldsAs, gift.privateKey), {
          label: t('donation-success-share'),
          subject: t(
            gift.kind === 'donation' ? 'receiver-heading-anonymous' : 'invitation-heading-anonymous',
          ),
          text: t(
            gift.kind === 'donation' ? 'donation-success-share-text' : 'volunteering-success-share-text',
          ),
        }),
        buttons: [{ label: t('mail-returned-again'), url: sendingUrl(gift, language, site) }],
      },
    ],
  })
}

/**
 * Tells a giver that their gift was not mailed, since it is held. Until it can be used again its links open nothing, so
 * none stands here but that of the page on which they choose another day, and the letter says when that one opens.
 */
export function sendingHeldMail(to: Addressee, gift: Sendable, site: MailSite): MailData {
  const t = getT(to.language)
  return letter(to, site, {
    subject: t('mail-returned-subject'),
    preheader: t('mail-held-preheader'),
    opening: t('mail-held-opening'),
    sections: [
      {
        title: t('mail-held-title'),
        note: t('mail-held-note'),
        buttons: [{ label: t('mail-held-go'), url: sendingUrl(gift, to.language, site) }],
      },
    ],
  })
}
