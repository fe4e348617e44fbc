import type { Language } from '../languages.ts'

/** The colours of a mail, as CSS hex: the card's theme and two tints of it (the theme is the paper). */
export interface MailPalette {
  readonly background: string
  readonly text: string
  /** Secondary text. */
  readonly quiet: string
  readonly hairline: string
}

export interface MailRow {
  readonly label: string
  readonly amount: string
}

/** What was paid, row by row. */
export interface MailAmounts {
  readonly title: string
  /** Names the receipt by its number, where there is one. */
  readonly receipt?: string
  readonly rows: readonly MailRow[]
  readonly total: MailRow
}

/** One thing that a mail tells of, such as a card. */
export interface MailSection {
  readonly title: string
  readonly note: string
  /** A link to be copied, so it shows whole. */
  readonly copy?: string
  /** Begins a mail with that link, to whoever it is for. Where a letter is read as text, the link stands there alone. */
  readonly send?: { readonly label: string; readonly url: string }
  /** The one thing to do with the letter is filled. */
  readonly buttons?: readonly { readonly label: string; readonly url: string; readonly isFilled?: true }[]
}

/**
 * One mail, in words and links, before it is laid out: the page `/internal/mail` makes its HTML part from it and
 * `text.ts` its text part, so that both always say the same.
 */
export interface MailData {
  readonly language: Language
  readonly palette: MailPalette
  readonly siteName: string
  readonly subject: string
  /** The preview line that a list of mails shows beside the subject. */
  readonly preheader: string
  readonly greeting: string
  readonly opening: string
  readonly sections: readonly MailSection[]
  /** What was paid. */
  readonly amounts?: MailAmounts
  /** Said last, smaller: a sentence, and where it can be acted on. */
  readonly smallPrint?: {
    readonly text: string
    readonly link?: { readonly label: string; readonly url: string }
  }
  /** Where the money of the letter's card is; of a letter about none, where all of it is. */
  readonly trail?: { readonly label: string; readonly url: string }
  /** Under which terms something was bought: a sentence, and where that version of them stands. */
  readonly terms?: { readonly text: string; readonly label: string; readonly url: string }
  /** In a letter about an order: the order's number, and the page where its buyer can withdraw. */
  readonly withdrawal?: {
    readonly text: string
    readonly link: { readonly label: string; readonly url: string }
  }
  /** The newest head of the public ledger, so that whoever keeps the mail can hold us to it; absent before the first. */
  readonly ledger?: {
    readonly text: string
    /** Lines to be kept as they are: the whole head. */
    readonly head?: readonly string[]
    /** Where the key is that it is checked with, and the key. */
    readonly key: { readonly text: string; readonly value: string }
  }
  readonly contact: { readonly text: string; readonly address: string }
  /** Who runs the site, on one line; absent until the operator has said it. */
  readonly identity?: string
}
