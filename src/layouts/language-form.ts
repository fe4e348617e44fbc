/** The value of `step` that shows a form again as it was written, in another language: it sends and changes nothing. */
export const SHOWN_AGAIN = 'again'

/**
 * The form of a page that answers one. A link to the same page in another language would lose what was written; so the
 * language's button sends the form to its own address instead. What was written travels in the body, never in an address.
 */
export interface LanguageForm {
  readonly id: string
  /** What shows the same again. */
  readonly step: string
  /** The `step` of the form's own first button, where it has one: Enter in a field sends it. */
  readonly enter?: string | undefined
}
