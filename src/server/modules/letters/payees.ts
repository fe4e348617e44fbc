import { dayOf, momentOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { ADVICE_DAYS } from '#domain/payout/advice.ts'
import { endOfNumber } from '#domain/payout/payee-accounts.ts'
import { PLAIN_THEME } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { receivedPath } from '#paths'
import type { GiftsOfPayout } from '#server/modules/payouts/advices/advices.ts'
import { letter, type MailSite, withWholeHead } from './letter.ts'

/** The organisation that a letter goes to. */
export interface Payee {
  readonly language: Language
  readonly organisation: string
}

export interface PayeeChange {
  /** Whole numbers; the letter shows their ends. */
  readonly numberBefore: string
  readonly numberNext: string
  /** Epoch ms UTC. */
  readonly proposedAt: number
}

/** Warns whoever is written to now that money is to go to another account. */
export function payeeChangeMail(
  { language, organisation }: Payee,
  { numberBefore, numberNext, proposedAt }: PayeeChange,
  site: MailSite,
): MailData {
  const t = getT(language)
  return letter({ language, theme: PLAIN_THEME, name: null }, site, {
    subject: t('mail-payee-change-subject', { organisation }),
    preheader: t('mail-payee-change-preheader'),
    opening: t('mail-payee-change-opening', {
      organisation,
      moment: momentOf(proposedAt, language),
      before: endOfNumber(numberBefore),
      next: endOfNumber(numberNext),
    }),
    sections: [
      { title: t('mail-payee-change-wrong-title'), note: t('mail-payee-change-wrong') },
      { title: t('mail-payee-change-right-title'), note: t('mail-payee-change-right') },
    ],
  })
}

/** A payout that the bank has paid. */
export interface PaidPayout extends GiftsOfPayout {
  readonly adviceId: string
  readonly key: string
  readonly amount: Money
  /** The bank's, and our own name of the payout. */
  readonly reference: string
  readonly payoutId: string
  /** Epoch ms UTC. */
  readonly paidAt: number
}

/** Tells an organisation what was paid to it, of how many gifts, and asks it to say that the money has arrived. */
export function payoutAdviceMail(
  { language, organisation }: Payee,
  { adviceId, key, amount, reference, payoutId, paidAt, gifts, firstAt, lastAt }: PaidPayout,
  site: MailSite,
): MailData {
  const t = getT(language)
  const sum = formatMoney(amount, language, 'always')
  const mail = letter({ language, theme: PLAIN_THEME, name: null }, site, {
    subject: t('mail-payout-subject', { amount: sum, organisation }),
    preheader: t('mail-payout-preheader'),
    opening: t('mail-payout-opening', { amount: sum, organisation, date: dayOf(paidAt, language) }),
    sections: [
      {
        title: t('mail-payout-what-title'),
        note: t('mail-payout-what', {
          amount: sum,
          currency: amount.currency,
          reference,
          payout: payoutId,
          from: dayOf(firstAt, language),
          to: dayOf(lastAt, language),
          gifts: String(gifts),
        }),
      },
      {
        title: t('mail-payout-confirm-title'),
        note: t('mail-payout-confirm', { days: String(ADVICE_DAYS) }),
        buttons: [
          {
            label: t('mail-payout-confirm-go'),
            url: `${site.url}${receivedPath(adviceId, key)}?lang=${language}`,
          },
        ],
      },
      { title: t('mail-payout-wrong-title'), note: t('mail-payout-wrong') },
    ],
  })
  return withWholeHead(mail, site)
}
