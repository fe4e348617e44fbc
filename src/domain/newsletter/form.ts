/**
 * The newsletter's form (product.md#form-checks): 0 intro, 1 e-mail, 2 name, 3 phone, 4 thanks, 5 submit-error. Pure:
 * what is typed comes in checked, what is stored goes out with the state.
 */
export type NewsletterStep = 0 | 1 | 2 | 3 | 4 | 5
/** The steps that ask for something. */
export type AskingStep = 1 | 2 | 3

export interface NewsletterForm {
  readonly step: NewsletterStep
  readonly email: string
  readonly name: string
  /** Where the visitor is led back to from step 5. */
  readonly returnTo: AskingStep
  /** A request is in flight: nothing moves. */
  readonly isBusy: boolean
}

export const NEWSLETTER_START: NewsletterForm = { step: 0, email: '', name: '', returnTo: 3, isBusy: false }

export type NewsletterEvent =
  /** The step's button; at 1 and 2 with what was typed, already checked. */
  | { readonly kind: 'submit'; readonly value?: string }
  | { readonly kind: 'back' }
  /** The request was taken. */
  | { readonly kind: 'sent' }
  /** The request failed; `at` is the step whose field was refused, the last one where none was. */
  | { readonly kind: 'failed'; readonly at?: AskingStep }

/** The form after an event; the same form where the event means nothing at its step. */
export function moveNewsletter(form: NewsletterForm, event: NewsletterEvent): NewsletterForm {
  if (event.kind === 'sent') return form.isBusy ? { ...form, step: 4, isBusy: false } : form
  if (event.kind === 'failed')
    return form.isBusy ? { ...form, step: 5, returnTo: event.at ?? 3, isBusy: false } : form
  if (form.isBusy) return form
  if (event.kind === 'back') return stepDown(form)
  switch (form.step) {
    case 0:
      return { ...form, step: 1 }
    case 1:
      return { ...form, step: 2, email: event.value ?? form.email }
    case 2:
      return { ...form, step: 3, name: event.value ?? form.name }
    case 3:
      return { ...form, isBusy: true }
    case 4:
      return NEWSLETTER_START
    case 5:
      return returned(form)
  }
}

/** One step back. From the thanks and from the error it leads where their button leads. */
function stepDown(form: NewsletterForm): NewsletterForm {
  if (form.step === 4) return NEWSLETTER_START
  if (form.step === 5) return returned(form)
  return form.step === 0 ? form : { ...form, step: (form.step - 1) as NewsletterStep }
}

/** Back at the stored step, its field cleared. A phone is stored nowhere. */
function returned(form: NewsletterForm): NewsletterForm {
  const { returnTo } = form
  return {
    ...form,
    step: returnTo,
    ...(returnTo === 1 && { email: '' }),
    ...(returnTo === 2 && { name: '' }),
  }
}

/**
 * Progress as the browser keeps it: a request that was in flight when the page went is asked for again, and an
 * earlier step's missing answer leads back to it.
 */
export function readNewsletter(kept: unknown): NewsletterForm {
  const { step, email, name, returnTo } = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<
    string,
    unknown
  >
  const form: NewsletterForm = {
    step: isStep(step) ? step : 0,
    email: typeof email === 'string' ? email : '',
    name: typeof name === 'string' ? name : '',
    returnTo: returnTo === 1 || returnTo === 2 ? returnTo : 3,
    isBusy: false,
  }
  if (form.step >= 2 && form.step !== 4 && form.email === '') return { ...form, step: 1 }
  if ((form.step === 3 || (form.step === 5 && form.returnTo === 3)) && form.name === '')
    return { ...form, step: 2 }
  return form
}

const isStep = (value: unknown): value is NewsletterStep =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 5

/** Raised when the sentence that subscribers agree to changes. */
export const NEWSLETTER_TEXT_VERSION = 1

/** How long a subscription may be confirmed, ms. */
export const CONFIRM_WITHIN_MS = 48 * 3_600_000
