import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { type Addressee, letter, type MailSite } from './letter.ts'

export interface GivenAway {
  readonly credit: Money
  readonly ngoName: string
  /** The number of organisations on the list at that time. */
  readonly candidates: number
  /** Epoch ms UTC. */
  readonly createdAt: number
  /** Whether the organisation that the buyer named got the credit; undefined if the buyer named none. */
  readonly named?: { readonly kept: true } | { readonly kept: false; readonly name: string } | undefined
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
        note: whyOf(gift, amount, to.language),
      },
    ],
  })
}

/** The amount for the organisation, and how the organisation was chosen. Its name stands above. */
function whyOf(
  { named, candidates }: Pick<GivenAway, 'named' | 'candidates'>,
  amount: string,
  language: Language,
): string {
  const t = getT(language)
  if (named?.kept) return t('mail-auto-donated-named', { amount })
  const drawn = t('mail-auto-donated-text', { amount, number: candidates })
  return named ? `${drawn} ${t('mail-auto-donated-gone', { organisation: named.name })}` : drawn
}
