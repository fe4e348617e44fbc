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
  /** How many organisations were on the list. */
  readonly candidates: number
  /** Epoch ms UTC. */
  readonly createdAt: number
  /** What became of the organisation that the buyer named; undefined where none was. */
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

/** Who receives it, and how that came about. */
function whyOf({ named, ngoName, candidates }: GivenAway, amount: string, language: Language): string {
  const t = getT(language)
  const given = { amount, organisation: ngoName }
  if (named?.kept) return t('mail-auto-donated-named', given)
  const drawn = t('mail-auto-donated-text', { ...given, number: candidates })
  return named ? `${t('mail-auto-donated-gone', { organisation: named.name })} ${drawn}` : drawn
}
