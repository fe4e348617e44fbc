import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { cardPath } from '#paths'
import type { OrderAmounts } from '#server/modules/ledger/order-amounts.ts'
import { amountsPaid } from './amounts.ts'
import { afterLastDay, lastDayOf, remindersOf, type WaitingCard } from './last-day.ts'
import { type Addressee, letter, type MailSite, termsOf } from './letter.ts'
import { linkToSend } from './send-on.ts'

/** A card to tell its giver of. */
export interface Gift extends WaitingCard {
  readonly privateKey: string
  readonly publicKey: string
  /** What the card holds and the organisations receive. */
  readonly credit: Money
}

/** A card that its giver is told of first. */
export interface NewGift extends Gift {
  /** Where the giver says that no letter is wanted about its use. */
  readonly lettersPath: string
}

export interface Purchase extends NewGift, OrderAmounts {
  /** What was bought, as it was called then, in the buyer's language. */
  readonly packageTitle: string
  /** Of the terms that the buyer accepted. */
  readonly termsVersion: string
}

/** Says what was bought, in the buyer's language; amounts paid to the cent, links built from the configured site. */
export function confirmationMail(to: Addressee, purchase: Purchase, site: MailSite): MailData {
  const { language } = to
  // The credit is what the card holds: a lost dispute over a part leaves less than the price on it.
  const { credit, packageTitle } = purchase
  const t = getT(language)
  return newCardLetter(to, purchase, site, {
    opening: t('mail-confirmation-opening', {
      amount: formatMoney(credit, language, 'when-needed'),
      package: packageTitle,
    }),
    receipt: { title: t('mail-receipts-title'), note: t('receipts-none') },
    amounts: amountsPaid(t('mail-confirmation-amounts-ngo'), purchase, language),
    ...termsOf(purchase.termsVersion, language, site),
  })
}

/** The same for a free card: who claimed it pays nothing, and reads who does. */
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

/** What every letter about a new card says: the links, until when it can be used, and what happens then. */
function newCardLetter(
  to: Addressee,
  gift: NewGift,
  site: MailSite,
  {
    receipt,
    ...words
  }: Required<Pick<MailData, 'opening' | 'amounts'>> &
    Pick<MailData, 'terms'> & { readonly receipt?: MailSection },
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
        ...linkToSend(site.url + cardPath(gift.privateKey, 'introduction', 'final'), {
          label: t('donation-success-share'),
          subject: t('receiver-heading-anonymous'),
          text: t('donation-success-share-text'),
        }),
      },
      {
        title: t('mail-confirmation-preview-title'),
        note: t('mail-confirmation-preview-note'),
        buttons: [
          {
            label: t('mail-preview-link'),
            url: site.url + cardPath(gift.publicKey, 'introduction', 'preview'),
          },
        ],
      },
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
