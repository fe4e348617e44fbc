import { dayOf, lastDayBefore, monthOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { OwnLine } from '#domain/public-ledger/passport.ts'
import { getT } from '#i18n/index.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import type { GivenPassport, Passport } from '#server/modules/gifts/interface.ts'
import { givenOf } from './presentation.ts'

/** A place on the way of a card's money, in the visitor's words. */
export interface ShownStation {
  readonly name: string
  readonly text: string
  /** What tells of it in the public ledger, for the browser to check; null where nothing is published. */
  readonly line: OwnLine | null
}

/** What the use of a card is called, by whom. */
const USED = {
  recipient: 'passport-used',
  draw: 'passport-left',
  'auto-donation': 'passport-unused',
} as const satisfies Record<NonNullable<Passport['used']>['by'], string>

/** The stations that both keys of a card show. */
export function stationsOf({ free, paid, until, used, run }: Passport, language: Language): ShownStation[] {
  const t = getT(language)
  const stations = [
    {
      name: t(free ? 'passport-claimed' : 'passport-paid'),
      text: dayOf(paid.at, language),
      line: paid.line ?? null,
    },
    used
      ? {
          name: t(USED[used.by]),
          text: inMonth(used.month, language),
          line: used.line ?? null,
        }
      : { name: t('passport-until'), text: lastDayBefore(until, language), line: null },
  ]
  if (run === undefined) return stations
  const words = { day: dayOf(run.at, language), number: run.id }
  return [...stations, { name: t('passport-run'), text: t('passport-run-text', words), line: null }]
}

/** The stations that the receipt key alone shows. */
export function givenStations(
  { month, line, parts }: GivenPassport,
  snapshot: ContentSnapshot,
  language: Language,
): ShownStation[] {
  const t = getT(language)
  const named = givenOf(parts, snapshot, language)
  return [
    { name: t('passport-choice'), text: inMonth(month, language), line: line ?? null },
    ...parts.map(({ payout }, n) => {
      const { name, amount } = named[n]!
      const number = payout?.id ?? ''
      const text =
        payout === undefined
          ? t('passport-part-waiting', { amount })
          : payout.at === null
            ? t('passport-part-open', { amount, number })
            : t('passport-part-paid', { amount, number, day: dayOf(payout.at, language) })
      return { name, text, line: payout?.line ?? null }
    }),
  ]
}

/** @param month `YYYY-MM` */
const inMonth = (month: string, language: Language): string => monthOf(Date.parse(`${month}-15`), language)
