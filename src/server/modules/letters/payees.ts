import { momentOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { endOfNumber } from '#domain/payout/payee-accounts.ts'
import { PLAIN_THEME } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { letter, type MailSite } from './letter.ts'

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
