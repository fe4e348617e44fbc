import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { Theme } from '#domain/themes.ts'

/** A card on a sheet with others. */
export interface PaperCard {
  /** As its buyer knows it, from 1 on. */
  readonly number: number
  /** For whom it is; null where nobody is named. */
  readonly name: string | null
  /** The giver's own words; null without any. */
  readonly words: string | null
  /** What the code holds. */
  readonly link: string
  /** The key in groups. */
  readonly key: string
  /** The word that tells that it is real; null for a card without one. */
  readonly word: string | null
}

/** What stands on sheets of many cards. The process that draws them is told so, on its standard input. */
export interface ManySheetsFacts {
  readonly language: Language
  readonly theme: Theme
  readonly siteName: string
  /** Are they of a sandbox, and worth nothing? */
  readonly sandbox: boolean
  /** null when anonymous. */
  readonly senderName: string | null
  /** Of each card. */
  readonly credit: Money
  /** Until when they can be used, as a sentence. */
  readonly until: string
  /** What somebody types who cannot scan the code: the address up to the key. */
  readonly address: string
  /** Where a check word is typed. */
  readonly checkAddress: string
  readonly cards: readonly PaperCard[]
}
