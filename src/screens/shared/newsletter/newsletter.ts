/** The newsletter's form, on the share page and in its panel: one step at a time (product.md#form-checks). */
import { languageOf } from '#domain/languages.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { $newsletter, moveForm, refusedStep } from '#screens/shared/newsletter/newsletter.store.ts'
import answersFile from './answers.ts?own-file'
import phoneFile from './phone.ts?own-file'

const answers = (): Promise<typeof import('./answers.ts')> => import(/* @vite-ignore */ answersFile)
const phoneCheck = (): Promise<typeof import('./phone.ts')> => import(/* @vite-ignore */ phoneFile)

/** The field of each step that asks for something. */
const ASKED = { 1: 'newsletter-email', 2: 'newsletter-name', 3: 'newsletter-phone' } as const

/** Shows the form of `root`, if it has one. */
export function enhanceNewsletter(root: ParentNode): void {
  const place = root.querySelector<HTMLElement>('[data-newsletter]')
  const form = place?.querySelector('form')
  const back = place?.querySelector<HTMLElement>('[data-action="newsletter-back"]')
  const submit = place?.querySelector<HTMLButtonElement>('[data-action="newsletter-submit"]')
  if (!place || !form || !back || !submit) return
  place.hidden = false
  const { lang } = document.documentElement
  const language = languageOf(lang)
  const texts = JSON.parse(place.dataset.newsletter ?? '{}') as Record<string, string>
  const lead = root.querySelector<HTMLElement>('[data-share-lead]')
  const plainLead = lead?.textContent ?? ''
  const field = (name: string): HTMLInputElement =>
    form.querySelector<HTMLInputElement>(`input[name="${name}"]`)!
  const phone = field('newsletter-phone')
  const whatsapp = field('newsletter-whatsapp')

  let shown: number | undefined
  const unsubscribe = $newsletter.subscribe(state => {
    // The panel was closed: another one listens now.
    if (shown !== undefined && !place.isConnected) return unsubscribe()
    for (const step of place.querySelectorAll<HTMLElement>('[data-step]'))
      step.hidden = Number(step.dataset.step) !== state.step
    back.hidden = ![1, 2, 3].includes(state.step)
    submit.textContent = (state.isBusy ? texts.loading : texts[`submit-${state.step}`]) ?? ''
    submit.setAttribute('aria-disabled', String(state.isBusy))
    if (state.step === 5) submit.dataset.state = 'retry'
    else delete submit.dataset.state
    if (lead) lead.textContent = state.step === 3 ? (texts.lead ?? '') : plainLead
    const thanks = place.querySelector('[data-step="4"]')
    if (thanks && state.step === 4) thanks.textContent = fill(texts.thanks ?? '', { name: state.name })
    if (shown === state.step) return
    for (const error of place.querySelectorAll('.field .error')) error.textContent = ''
    field('newsletter-email').value = state.email
    field('newsletter-name').value = state.name
    // Not on arrival, which would take the focus from whatever the visitor does.
    if (shown !== undefined) place.querySelector<HTMLElement>(`[data-step="${state.step}"] input`)?.focus()
    shown = state.step
    // While the visitor types. What does not come is asked for again by the press, which tells.
    if (state.step > 0) answers().catch(() => {})
    // The check of numbers is the largest part of it: fetched where it is needed.
    if (state.step === 3) phoneCheck().catch(() => {})
  })

  const complain = (input: HTMLInputElement, text: string | undefined): void => {
    const error = place.querySelector(`#${input.getAttribute('aria-describedby')?.split(' ')[0]}`)
    if (error) error.textContent = text ?? ''
    input.setAttribute('aria-invalid', String(text !== undefined))
    if (text !== undefined) input.focus()
  }

  /** Onwards, unless the visitor went back meanwhile. */
  const pass = (step: number, value: string): void => {
    if ($newsletter.get().step === step) moveForm({ kind: 'submit', value })
  }
  const submitEmail = async (): Promise<void> => {
    const input = field('newsletter-email')
    const read = (await answers()).readClaimAddress(input.value)
    complain(input, typeof read === 'string' ? texts[read] : undefined)
    if (typeof read !== 'string') pass(1, read.address)
  }
  const submitName = async (): Promise<void> => {
    const input = field('newsletter-name')
    const name = (await answers()).cleanSenderName(input.value)
    complain(input, name === '' ? texts.required : undefined)
    if (name !== '') pass(2, name)
  }
  const submitPhone = async (): Promise<void> => {
    const typed = phone.value.trim()
    const { subscribeToNewsletter } = await answers()
    const number = typed === '' ? '' : (await phoneCheck()).phoneNumberOf(typed)
    complain(phone, number === undefined ? texts.phone : undefined)
    if (number === undefined) return
    complain(whatsapp, number !== '' && !whatsapp.checked ? texts.whatsapp : undefined)
    if (number !== '' && !whatsapp.checked) return
    const { step, email, name } = $newsletter.get()
    if (step !== 3) return
    moveForm({ kind: 'submit' })
    const answer = await subscribeToNewsletter({ email, name, language, ...(number && { phone: number }) })
    if (answer.ok) {
      phone.value = ''
      moveForm({ kind: 'sent' })
    } else {
      console.info('newsletter', answer.code)
      moveForm({ kind: 'failed', at: refusedStep(answer) })
    }
  }

  const submitStep = { 1: submitEmail, 2: submitName, 3: submitPhone } as const
  /** A step is being checked: a second press would answer the next one with the same. */
  let isChecking = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const { step, isBusy } = $newsletter.get()
    if (isBusy || isChecking) return
    if (step !== 1 && step !== 2 && step !== 3) return moveForm({ kind: 'submit' })
    isChecking = true
    // What checks and sends was not to be had.
    await submitStep[step]().catch(() => complain(field(ASKED[step]), texts.failed))
    isChecking = false
  })
  back.addEventListener('click', () => moveForm({ kind: 'back' }))
}
