import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import type { Receipts } from '#domain/market.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { certificatePath, giftLinkPath, type UnfoldsAs } from '#paths'
import { amountsPaid, type Paid } from './amounts.ts'
import { checkWordSection } from './check-word.ts'
import { afterLastDay, lastDayOf, remindersOf, type WaitingCard } from './last-day.ts'
import { type Addressee, letter, type MailSite, ownWords, termsOf } from './letter.ts'
import { linkToSend } from './send-on.ts'
import { type Sendable, sendForMe } from './sendings.ts'

/** A card to tell its giver of. */
export interface Gift extends WaitingCard {
  readonly privateKey: string
  readonly publicKey: string
  readonly unfoldsAs: UnfoldsAs
  /** Tells that the card is real; null for one from before there were words. */
  readonly checkWord: string | null
  /** The card's credit, which the organisations receive. */
  readonly credit: Money
}

/** A card that its giver is told of first. */
export interface NewGift extends Gift {
  /** Where the giver says that no letter is wanted about its use. */
  readonly lettersPath: string
}

export interface Purchase extends NewGift, Paid, Sendable {
  /** The title of the package at the time of the purchase, in the buyer's language. */
  readonly packageTitle: string
  /** What the giver writes to whoever gets it; null without anything. */
  readonly message: string | null
  /** The version of the terms that the buyer accepted. */
  readonly termsVersion: string
  /** Whether the operator gives certificates for the tax office in the purchase's market. */
  readonly receipts: Receipts
}

/** Says what was bought, in the buyer's language; amounts paid to the cent, links built from the configured site. */
export function confirmationMail(to: Addressee, purchase: Purchase, site: MailSite): MailData {
  const { language } = to
  // The credit is what the card holds: a lost dispute over a part leaves less than the price on it.
  const { credit, packageTitle } = purchase
  const t = getT(language)
  const amount = formatMoney(credit, language, 'when-needed')
  return newCardLetter(to, purchase, site, {
    opening: t('mail-confirmation-opening', { amount, package: packageTitle }),
    receipt: receiptSection(to, purchase, site),
    sending: sendForMe(purchase, language, site),
    message: purchase.message,
    amounts: amountsPaid(t('mail-confirmation-amounts-ngo'), purchase, language),
    ...termsOf(purchase.termsVersion, language, site),
  })
}

/** What the buyer can tell the tax office: nothing, or how to get a certificate. */
export function receiptSection(
  { language, order }: Addressee,
  { receipts }: Pick<Purchase, 'receipts'>,
  site: MailSite,
): MailSection {
  const t = getT(language)
  const title = t('mail-receipts-title')
  if (receipts === 'none' || order === undefined) return { title, note: t('receipts-none') }
  const url = `${site.url}${certificatePath(order.id, order.withdrawalKey)}?lang=${language}`
  return { title, note: t('receipts-own-mail'), buttons: [{ label: t('certificate-door'), url }] }
}

/** The confirmation of a free card. The claimant pays nothing, and reads who pays. */
export function freeCardMail(to: Addressee, gift: NewGift, site: MailSite): MailData {
  const { language } = to
  const { credit } = gift
  const t = getT(language)
  const exactly = (amount: Money) => formatMoney(amount, language, 'always')
  return newCardLetter(to, gift, site, {
    opening: t('mail-free-opening', { amount: formatMoney(credit, language, 'when-needed') }),
    amounts: {
      title: t('mail-free-amounts-title'),
      rows: [{ label: t('mail-confirmation-amounts-ngo'), amount: exactly(credit) }],
      total: { label: t('mail-free-amounts-campaign'), amount: exactly(credit) },
    },
  })
}

/** The part of every letter about a new card: the links, its last day, and what happens then. */
function newCardLetter(
  to: Addressee,
  gift: NewGift,
  site: MailSite,
  {
    receipt,
    sending,
    message = null,
    ...words
  }: Required<Pick<MailData, 'opening' | 'amounts'>> &
    Pick<MailData, 'terms'> & {
      readonly receipt?: MailSection
      readonly sending?: MailSection
      readonly message?: string | null
    },
): MailData {
  const t = getT(to.language)
  return letter(to, site, {
    subject: t('mail-confirmation-subject'),
    preheader: t('mail-confirmation-preheader'),
    thanks: true,
    sections: [
      {
        title: t('mail-gift-title'),
        note: t('mail-gift-note'),
        ...linkToSend(site.url + giftLinkPath(gift.unfoldsAs, gift.privateKey), {
          label: t('donation-success-share'),
          subject: t('receiver-heading-anonymous'),
          text: t('donation-success-share-text'),
        }),
      },
      ...ownWords(message, to.language),
      {
        title: t('mail-confirmation-preview-title'),
        note: t('mail-confirmation-preview-note'),
        buttons: [
          {
            label: t('mail-preview-link'),
            url: site.url + giftLinkPath(gift.unfoldsAs, gift.publicKey),
          },
        ],
      },
      ...(sending ? [sending] : []),
      ...checkWordSection(gift.checkWord, to.language, site),
      ...(receipt ? [receipt] : []),
      {
        title: t('mail-confirmation-year-title'),
        note: [
          lastDayOf(gift, to.language),
          afterLastDay(gift, to.language),
          remindersOf(gift, to.language),
        ].join(' '),
      },
    ],
    smallPrint: {
      text: t('mail-letters-text'),
      link: { label: t('mail-letters-link'), url: site.url + gift.lettersPath },
    },
    ...words,
  })
}
