/** The newsletter's form, on the share page and in its panel: one step at a time (product.md#form-checks). */
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { languageOf } from '#domain/languages.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { $newsletter, moveForm, refusedStep } from '#screens/shared/newsletter/newsletter.store.ts'
import { subscribeToNewsletter } from '#wire/newsletter-client.ts'
import phoneFile from './phone.ts?own-file'

const phoneCheck = (): Promise<typeof import('./phone.ts')> => import(/* @vite-ignore */ phoneFile)

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
    // The check of numbers is the largest part of it: fetched where it is needed.
    if (state.step === 3) void phoneCheck()
  })

  const complain = (input: HTMLInputElement, text: string | undefined): void => {
    const error = place.querySelector(`#${input.getAttribute('aria-describedby')?.split(' ')[0]}`)
    if (error) error.textContent = text ?? ''
    input.setAttribute('aria-invalid', String(text !== undefined))
    if (text !== undefined) input.focus()
  }

  const submitEmail = (): void => {
    const input = field('newsletter-email')
    const read = readClaimAddress(input.value)
    complain(input, typeof read === 'string' ? texts[read] : undefined)
    if (typeof read !== 'string') moveForm({ kind: 'submit', value: read.address })
  }
  const submitName = (): void => {
    const input = field('newsletter-name')
    const name = cleanSenderName(input.value)
    complain(input, name === '' ? texts.required : undefined)
    if (name !== '') moveForm({ kind: 'submit', value: name })
  }
  const submitPhone = async (): Promise<void> => {
    const typed = phone.value.trim()
    const number = typed === '' ? '' : (await phoneCheck()).phoneNumberOf(typed)
    complain(phone, number === undefined ? texts.phone : undefined)
    if (number === undefined) return
    complain(whatsapp, number !== '' && !whatsapp.checked ? texts.whatsapp : undefined)
    if (number !== '' && !whatsapp.checked) return
    const { email, name } = $newsletter.get()
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

  form.addEventListener('submit', event => {
    event.preventDefault()
    const { step, isBusy } = $newsletter.get()
    if (isBusy) return
    if (step === 1) submitEmail()
    else if (step === 2) submitName()
    else if (step === 3) void submitPhone()
    else moveForm({ kind: 'submit' })
  })
  back.addEventListener('click', () => moveForm({ kind: 'back' }))
}
