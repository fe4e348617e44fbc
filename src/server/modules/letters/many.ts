import { dayOf, lastDayBefore } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { lastDayWords } from '#domain/market.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { manyPath } from '#paths'
import { amountsPaid, type Paid } from './amounts.ts'
import { type Purchase, receiptSection } from './confirmation.ts'
import { remindersOf, type WaitingCard } from './last-day.ts'
import { type Addressee, letter, type MailSite, ownWords, termsOf } from './letter.ts'

/** An order of many cards, as its buyer is told of it. */
export interface ManyCards extends WaitingCard {
  readonly orderId: string
  /** Opens the page of the order. */
  readonly manyKey: string
  /** How many there are, and how many of them can be used now. */
  readonly cards: number
  readonly unused: number
  /** Of each. */
  readonly credit: Money
  /** Epoch ms UTC. */
  readonly boughtAt: number
}

/** What was bought, for the first mail. */
export type ManyBought = ManyCards &
  Paid &
  Pick<Purchase, 'packageTitle' | 'message' | 'termsVersion' | 'receipts'>

/** Says what was bought. It holds the link of no card: it leads to the page that has them. */
export function manyMail(to: Addressee, bought: ManyBought, site: MailSite): MailData {
  const { language } = to
  const t = getT(language)
  const { cards, credit, packageTitle } = bought
  return letter(to, site, {
    subject: t('mail-many-subject', { cards }),
    preheader: t('mail-many-preheader'),
    thanks: true,
    opening: t('mail-many-opening', {
      cards,
      amount: formatMoney(credit, language, 'when-needed'),
      package: packageTitle,
    }),
    sections: [
      pageSection(bought, language, site),
      ...ownWords(bought.message, language),
      receiptSection(to, bought, site),
      {
        title: t('mail-many-last-title'),
        note: [untilWhen(bought, language), afterwards(bought, language), remindersOf(bought, language)].join(
          ' ',
        ),
      },
    ],
    amounts: amountsPaid(t('mail-confirmation-amounts-ngo'), bought, language),
    ...termsOf(bought.termsVersion, language, site),
  })
}

/** Says how many of them nobody has used, and until when they can be. */
export function manyReminderMail(
  to: Addressee,
  many: ManyCards,
  which: 'first' | 'second' | 'last',
  site: MailSite,
): MailData {
  const { language } = to
  const t = getT(language)
  const { cards, unused, credit } = many
  const amount = formatMoney(credit, language, 'when-needed')
  return letter(to, site, {
    subject: t(`mail-many-reminder-${which}-subject`),
    preheader: t(`mail-reminder-${which === 'second' ? 'first' : which}-preheader`),
    opening: [t('mail-many-reminder-opening', { cards, amount, unused }), untilWhen(many, language)].join(
      ' ',
    ),
    sections: [
      pageSection(many, language, site),
      {
        title: t('mail-many-last-title'),
        note: [afterwards(many, language), t('mail-reminder-after-text')].join(' '),
      },
    ],
  })
}

/** What one organisation got of cards that nobody used. */
export interface GivenTo {
  readonly name: string
  readonly amount: Money
}

/** Says where the credit of those went that nobody used: what no recipient chose is no secret. */
export function manyGivenAwayMail(
  to: Addressee,
  {
    cards,
    boughtAt,
    given,
    to: organisations,
  }: Pick<ManyCards, 'cards' | 'boughtAt'> & {
    readonly given: number
    readonly to: readonly GivenTo[]
  },
  site: MailSite,
): MailData {
  const { language } = to
  const t = getT(language)
  return letter(to, site, {
    subject: t('mail-many-given-away-subject'),
    preheader: t('mail-auto-donated-preheader'),
    opening: t('mail-many-given-away-opening', { cards, unused: given, date: dayOf(boughtAt, language) }),
    sections: organisations.map(({ name, amount }) => ({
      title: name,
      note: t('mail-many-given-away-got', { amount: formatMoney(amount, language, 'when-needed') }),
    })),
  })
}

/** The part about such an order in a letter with all links of an address. */
export function manyLinksSection(many: ManyCards, language: Language, site: MailSite): MailSection {
  const t = getT(language)
  const { cards, unused, credit, boughtAt } = many
  return {
    title: t('mail-many-lost-links', {
      cards,
      amount: formatMoney(credit, language, 'when-needed'),
      date: dayOf(boughtAt, language),
    }),
    note: t('mail-many-lost-links-note', { unused }),
    buttons: [{ label: t('mail-many-page-go'), url: urlOf(many, language, site) }],
  }
}

function pageSection(many: ManyCards, language: Language, site: MailSite): MailSection {
  const t = getT(language)
  const url = urlOf(many, language, site)
  return {
    title: t('mail-many-page-title'),
    note: t('mail-many-page-note'),
    buttons: [{ label: t('mail-many-page-go'), url, isFilled: true }],
  }
}

const urlOf = ({ orderId, manyKey }: ManyCards, language: Language, site: MailSite): string =>
  `${site.url}${manyPath(orderId, manyKey)}?lang=${language}`

function untilWhen(many: ManyCards, language: Language): string {
  const date = lastDayBefore(many.autoDonateAt, language)
  return lastDayWords(many, language, date, getT(language)('mail-many-last-day', { date }))
}

function afterwards({ fallback }: ManyCards, language: Language): string {
  const t = getT(language)
  return fallback === undefined
    ? t('mail-many-after-draw')
    : t('mail-many-after-named', { organisation: fallback })
}
