import { dayOf, lastDayBefore, momentOf } from '#domain/dates.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'
import { formatMoney } from '#domain/money/format.ts'
import { statementSentence, withdrawalSentence } from '#domain/withdrawal/words.ts'
import { getT } from '#i18n/index.ts'
import { withdrawalPath } from '#paths'
import type {
  ConfirmedWithdrawal,
  WithdrawablePurchase,
} from '#server/modules/payments/withdrawals/interface.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'

/** A purchase whose buyer has withdrawn. */
export interface WithdrawnPurchase extends WithdrawablePurchase {
  readonly confirmed: ConfirmedWithdrawal
}

/** Acknowledges a withdrawal: its content, its day and time, and what it is answered with. */
export function withdrawalMail(to: Addressee, purchase: WithdrawnPurchase, site: MailSite): MailData {
  const { language, order } = to
  const { orderId, total, boughtAt, endsAt, confirmed } = purchase
  const { amount, name, email, statedAt, confirmedAt } = confirmed
  const t = getT(language)
  return letter(to, site, {
    subject: t('mail-withdraw-subject'),
    preheader: t('mail-withdraw-preheader'),
    opening: withdrawalSentence(t, confirmed, purchase, {
      amount: formatMoney(amount, language, 'always'),
      date: lastDayBefore(endsAt, language),
    }),
    sections: [
      {
        title: t('mail-withdraw-content-title'),
        note: t('mail-withdraw-content', {
          statement: statementSentence(t, confirmed.cards),
          name: nameInLetter(name) ?? '–',
          email,
          order: orderId,
          bought: dayOf(boughtAt, language),
          total: formatMoney(total, language, 'always'),
          stated: momentOf(statedAt, language),
          confirmed: momentOf(confirmedAt, language),
        }),
      },
      ...(order
        ? [
            {
              title: t('mail-withdraw-page-title'),
              note: t('mail-withdraw-page-note'),
              buttons: [
                {
                  label: t('mail-withdraw-page'),
                  url: `${site.url}${withdrawalPath(order.id, order.withdrawalKey)}?lang=${language}`,
                },
              ],
            },
          ]
        : []),
    ],
  })
}

/** A purchase that an address can withdraw from, or could. */
export interface LinkedPurchase extends WithdrawablePurchase {
  readonly key: string
  readonly isLate: boolean
}

export interface StatedWithdrawal {
  readonly name: string
  /** The order's id, if the text can be one; else null. */
  readonly order: string | null
  /** Epoch ms UTC. */
  readonly statedAt: number
  readonly purchases: readonly LinkedPurchase[]
  readonly hasFreeCards: boolean
}

/** Says that somebody has stated a withdrawal with this address, and links each purchase that it can be about. */
export function withdrawalLinksMail(to: Addressee, stated: StatedWithdrawal, site: MailSite): MailData {
  const { language } = to
  const t = getT(language)
  const sectionOf = (purchase: LinkedPurchase): MailSection => {
    const { orderId, key, kind, total, boughtAt, endsAt, isLate } = purchase
    const url = `${site.url}${withdrawalPath(orderId, key)}?lang=${language}`
    return {
      title: t(`mail-withdraw-links-${kind}`, {
        total: formatMoney(total, language, 'when-needed'),
        date: dayOf(boughtAt, language),
      }),
      note: t(isLate ? 'mail-withdraw-links-late' : 'mail-withdraw-links-note', {
        order: orderId,
        date: lastDayBefore(endsAt, language),
      }),
      ...(!isLate && { buttons: [{ label: t('withdraw-door'), url }] }),
    }
  }
  const free = { title: t('mail-withdraw-links-free-title'), note: t('withdraw-free-rule') }
  return letter(to, site, {
    subject: t('mail-withdraw-links-subject'),
    preheader: t('mail-withdraw-links-preheader'),
    opening: t('mail-withdraw-links-opening', {
      date: momentOf(stated.statedAt, language),
      statement: t('withdraw-statement'),
      name: nameInLetter(stated.name) ?? '–',
      order: stated.order ?? t('withdraw-statement-order-none'),
    }),
    sections: [
      ...stated.purchases.map(sectionOf),
      ...(stated.hasFreeCards ? [free] : []),
      { title: t('mail-withdraw-links-why-title'), note: t('mail-withdraw-links-why') },
    ],
  })
}
