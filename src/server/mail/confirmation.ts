import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'
import { formatMoney } from '#domain/money/format.ts'
import { type Money, zero } from '#domain/money/money.ts'
import { TAX_SHARE } from '#domain/money/tax.ts'
import { PACKAGES, type PackageId } from '#domain/pricing/packages.ts'
import type { ThemeId } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { cardPath } from '#paths'
import { lastDayBefore } from './dates.ts'
import { note } from './notes.ts'

/** A card to tell its giver of. */
export interface Gift {
  readonly language: Language
  readonly themeId: ThemeId
  /** null when anonymous. */
  readonly senderName: string | null
  readonly privateKey: string
  readonly publicKey: string
  /** End of the card's last day, epoch ms UTC. */
  readonly autoDonateAt: number
  /** What the card holds and the organisations receive. */
  readonly credit: Money
}

export interface Purchase extends Gift {
  readonly packageId: PackageId
  /** The support amount without its tax. */
  readonly net: Money
  readonly tax: Money
  readonly total: Money
}

export interface MailSite {
  /** Origin, without a trailing slash. */
  readonly url: string
  readonly name: string
  readonly contact: string
}

/** Says what was bought, in the buyer's language; amounts paid to the cent, links built from the configured site. */
export function confirmationMail(purchase: Purchase, site: MailSite): MailData {
  const { language } = purchase
  const t = getT(language)
  const paid = (amount: Money) => formatMoney(amount, language, 'always')
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(TAX_SHARE)
  return letter(purchase, site, {
    opening: t('mail-confirmation-opening', {
      amount: formatMoney(purchase.credit, language, 'when-needed'),
      package: t(`package-${PACKAGES[purchase.packageId].kind}-title`),
    }),
    amounts: {
      title: t('mail-confirmation-amounts-title'),
      rows: [
        { label: t('mail-confirmation-amounts-ngo'), amount: paid(purchase.credit) },
        { label: t('mail-confirmation-amounts-support'), amount: paid(purchase.net) },
        { label: t('mail-confirmation-amounts-tax', { share }), amount: paid(purchase.tax) },
      ],
      total: { label: t('mail-confirmation-amounts-total'), amount: paid(purchase.total) },
    },
  })
}

/** The same for a free card: who claimed it pays nothing, and reads who does. */
export function freeCardMail(gift: Gift, site: MailSite): MailData {
  const { language, credit } = gift
  const t = getT(language)
  const exactly = (amount: Money) => formatMoney(amount, language, 'always')
  return letter(gift, site, {
    opening: t('mail-free-opening', { amount: formatMoney(credit, language, 'when-needed') }),
    amounts: {
      title: t('mail-free-amounts-title'),
      rows: [
        { label: t('mail-confirmation-amounts-ngo'), amount: exactly(credit) },
        { label: t('mail-free-amounts-campaign'), amount: exactly(credit) },
      ],
      total: { label: t('mail-free-amounts-total'), amount: exactly(zero(credit.currency)) },
    },
  })
}

/** What every mail about a new card says: the links, and what happens after a year. */
function letter(gift: Gift, site: MailSite, words: Pick<MailData, 'opening' | 'amounts'>): MailData {
  const { language } = gift
  const name = nameInLetter(gift.senderName)
  const t = getT(language)
  return note(gift, site, {
    subject: t('mail-confirmation-subject'),
    preheader: t('mail-confirmation-preheader'),
    greeting:
      name === null ? t('mail-confirmation-greeting-anonymous') : t('mail-confirmation-greeting', { name }),
    sections: [
      {
        title: t('mail-confirmation-gift-title'),
        note: t('mail-confirmation-gift-note'),
        copy: site.url + cardPath(gift.privateKey, 'introduction', 'final'),
      },
      {
        title: t('mail-confirmation-preview-title'),
        note: t('mail-confirmation-preview-note'),
        buttons: [
          {
            label: t('mail-confirmation-preview-link'),
            url: site.url + cardPath(gift.publicKey, 'introduction', 'preview'),
          },
        ],
      },
      {
        title: t('mail-confirmation-year-title'),
        note: t('mail-confirmation-year-text', { date: lastDayBefore(gift.autoDonateAt, language) }),
      },
    ],
    ...words,
  })
}
