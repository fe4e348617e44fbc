import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath } from '#paths'
import { amountsPaid, type Paid } from './amounts.ts'
import { type Gift, type Purchase, receiptSection } from './confirmation.ts'
import { afterLastDay, lastDayOf, remindersOf } from './last-day.ts'
import { type Addressee, letter, type MailSite, termsOf } from './letter.ts'

/** Own money that went to organisations with its payment. */
export interface OwnMoneyGiven extends Paid, Pick<Purchase, 'termsVersion' | 'receipts'> {
  /** In the order in which the payer saw them. */
  readonly given: readonly { readonly name: string; readonly amount: Money }[]
}

/** Says what was paid and to whom it went, to the cent. It holds no link of a card: there is nothing left to divide. */
export function ownMoneyMail(to: Addressee, paid: OwnMoneyGiven, site: MailSite): MailData {
  const { language } = to
  const t = getT(language)
  return letter(to, site, {
    subject: t('mail-own-money-subject'),
    preheader: t('mail-own-money-preheader'),
    thanks: true,
    opening: t('mail-own-money-opening', { amount: formatMoney(paid.price, language, 'when-needed') }),
    sections: [
      ...paid.given.map(({ name, amount }) => ({
        title: name,
        note: formatMoney(amount, language, 'always'),
      })),
      receiptSection(to, paid, site),
    ],
    amounts: amountsPaid(t('mail-confirmation-amounts-ngo'), paid, language),
    ...termsOf(paid.termsVersion, language, site),
  })
}

/** Own money that could not go as its payer had divided it: a card to be divided. */
export type OwnMoneyToDivide = Paid &
  Pick<Purchase, 'termsVersion' | 'receipts'> &
  Omit<Gift, 'publicKey' | 'checkWord'>

/**
 * Says that it has to be divided anew, and gives the link for it to whoever paid: it is no gift of theirs to somebody
 * else, so nothing invites them to send it on.
 */
export function ownMoneyToDivideMail(to: Addressee, paid: OwnMoneyToDivide, site: MailSite): MailData {
  const { language } = to
  const t = getT(language)
  const amount = formatMoney(paid.credit, language, 'when-needed')
  const url = site.url + giftLinkPath(paid.unfoldsAs, paid.privateKey)
  return letter(to, site, {
    subject: t('mail-own-money-divide-subject'),
    preheader: t('mail-own-money-divide-preheader'),
    thanks: true,
    opening: t('mail-own-money-divide-opening', { amount }),
    sections: [
      {
        title: t('mail-own-money-divide-title'),
        note: t('mail-own-money-divide-note'),
        buttons: [{ label: t('mail-own-money-divide-go'), url, isFilled: true }],
      },
      {
        title: t('mail-confirmation-year-title'),
        note: [lastDayOf(paid, language), afterLastDay(paid, language), remindersOf(paid, language)].join(
          ' ',
        ),
      },
      receiptSection(to, paid, site),
    ],
    amounts: amountsPaid(t('mail-confirmation-amounts-ngo'), paid, language),
    ...termsOf(paid.termsVersion, language, site),
  })
}
