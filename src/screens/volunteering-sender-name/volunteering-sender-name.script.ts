/** The name on the invitation: plain markup that this script listens to. Continue says what is missing. */
import { languageOf } from '#domain/languages.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { $volunteeringMessage } from '#screens/shared/choices/message.store.ts'
import { $volunteeringSender, missingVolunteeringStep } from '#screens/shared/choices/volunteering.store.ts'
import { nextScreenPath } from '#screens/shared/flow/continue.ts'
import { messageField } from '#screens/shared/flow/message-field.ts'
import { guardVolunteering } from '#screens/shared/flow/volunteering-guard.ts'

const SCREEN = 'volunteering-sender-name'

const form = document.querySelector<HTMLFormElement>('form[data-name]')
const field = form?.querySelector<HTMLInputElement>('input')
const error = form?.querySelector<HTMLElement>('#sender-name-error')
const button = form?.querySelector<HTMLButtonElement>('[data-action="continue"]')

if (form && field && error && button) {
  const { lang } = document.documentElement
  const language = languageOf(lang)
  guardVolunteering(SCREEN, language)
  const mayLeadOn = messageField(form, $volunteeringMessage)
  const paint = (): void => {
    const name = cleanSenderName($volunteeringSender.get())
    if (document.activeElement !== field && field.value !== $volunteeringSender.get())
      field.value = $volunteeringSender.get()
    button.setAttribute('aria-disabled', String(name === ''))
    if (name === '') return
    error.textContent = ''
    field.setAttribute('aria-invalid', 'false')
  }
  field.addEventListener('input', () => $volunteeringSender.set(field.value))
  form.addEventListener('submit', event => {
    event.preventDefault()
    const name = cleanSenderName(field.value)
    if (name !== '') {
      $volunteeringSender.set(name)
      if (!mayLeadOn()) return
      location.assign(
        nextScreenPath({ screen: SCREEN, language, way: 'volunteering', missing: missingVolunteeringStep }),
      )
      return
    }
    error.textContent = error.dataset.words ?? ''
    field.setAttribute('aria-invalid', 'true')
    field.focus()
  })
  $volunteeringSender.subscribe(paint)
}
