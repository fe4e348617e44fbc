import type { Language } from '#domain/languages.ts'
import type { CurrencyFigures, Waiting } from '#domain/public-ledger/figures.ts'
import type { PublicFigures, ShownDraw } from './public-figures.ts'

interface Named {
  readonly name: string
}

/** The figures with the names of organisations. */
export interface NamedFigures extends Omit<PublicFigures, 'currencies' | 'draws' | 'note'> {
  readonly currencies: readonly NamedCurrency[]
  readonly draws: readonly (ShownDraw & Named)[]
  /** Every organisation that something was given to. */
  readonly organisations: readonly (Named & { readonly ngoId: string })[]
}

export interface NamedCurrency extends Omit<CurrencyFigures, 'waiting' | 'payouts'> {
  readonly waiting: readonly (Waiting & Named)[]
  readonly payouts: readonly {
    readonly year: string
    readonly to: readonly (CurrencyFigures['payouts'][number]['to'][number] & Named)[]
  }[]
}

export interface NamedFiguresReader {
  /** Undefined before the first head. @param language of the organisations' names */
  named(language: Language): NamedFigures | undefined
  /** The key that the newest head is signed with, as people write it; undefined where nothing is signed. */
  readonly verifierText: string | undefined
  /** Where the files of the log are, below the site's address. */
  readonly address: string
  /** The keys of the witnesses that are asked, as people write them. */
  readonly witnesses: readonly string[]
}

/** @param nameOf what an organisation is called; its id where nobody knows it any more */
export function withNames(figures: PublicFigures, nameOf: (ngoId: string) => string): NamedFigures {
  const named = <Each extends { readonly ngoId: string }>(each: Each): Each & Named => ({
    ...each,
    name: nameOf(each.ngoId),
  })
  const ids = figures.currencies.flatMap(({ waiting, payouts }) =>
    [...waiting, ...payouts.flatMap(({ to }) => to)].map(({ ngoId }) => ngoId),
  )
  const { note: _, ...shown } = figures
  return {
    ...shown,
    draws: figures.draws.map(named),
    organisations: [...new Set(ids)].map(ngoId => named({ ngoId })),
    currencies: figures.currencies.map(each => ({
      ...each,
      waiting: each.waiting.map(named),
      payouts: each.payouts.map(({ year, to }) => ({ year, to: to.map(named) })),
    })),
  }
}
