import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'

/** An organisation as the list shows it. */
export interface ListedNgo {
  readonly id: string
  readonly title: string
  /** What it stands in the list as: "IRC", with its whole name beneath where that is longer. */
  readonly name: string
  readonly whole?: string | undefined
  /** What it is called in a sentence: "the IRC". */
  readonly called: string
  readonly description: string
  /** Its own page, in the visitor's language; https. */
  readonly link: string
}

/** What the page hands to the island; plain values only. */
export interface SelectNgoProps {
  readonly giftCardId: string
  /** A preview (or the try card) sends nothing and goes straight to thanks. */
  readonly preview: boolean
  /** The try card's credit is in the currency that the visitor chose, if one was chosen. */
  readonly isTry: boolean
  readonly credit: Money
  readonly language: Language
  readonly ngos: readonly ListedNgo[]
  readonly thanksHref: string
  readonly consumedHref: string
  /** Where the choice is left to the draw. */
  readonly drawHref: string
  /** Where an organisation is wished for that is not on the list. */
  readonly wishHref: string
  /** How long the opening hint stays before it gives way to the list, in ms. */
  readonly hintMs: number
  /** The texts of the catalogue, by key. */
  readonly texts: Readonly<Record<string, string>>
}
