/** Anonymous or an own name: plain markup that this script listens to. Continue says what is missing. */
import { languageOf } from '#domain/languages.ts'
import type { Sender } from '#domain/sender/sender-name.ts'
import { $message } from '#screens/shared/choices/message.store.ts'
import { missingStep } from '#screens/shared/choices/missing-step.ts'
import { $sender, senderOf } from '#screens/shared/choices/sender.store.ts'
import { nextScreenPath } from '#screens/shared/flow/continue.ts'
import { guard } from '#screens/shared/flow/donation-guard.ts'
import { messageField } from '#screens/shared/flow/message-field.ts'
import { currentWay } from '#screens/shared/flow/way.store.ts'

const SCREEN = 'donation-sender-name'

const form = document.querySelector<HTMLFormElement>('form[data-sender-form]')
const named = form?.querySelector<HTMLElement>('.sender-field')
const field = named?.querySelector<HTMLInputElement>('input')
const nameFault = named?.querySelector<HTMLElement>('.error')
const optionFault = form?.querySelector<HTMLElement>('#sender-missing')
const button = form?.querySelector<HTMLButtonElement>('[data-action="continue"]')

if (form && named && field && nameFault && optionFault && button) {
  const language = languageOf(document.documentElement.lang)
  const options = form.querySelectorAll<HTMLInputElement>('input[type="radio"]')
  guard(SCREEN, language)
  const mayLeadOn = messageField(form, $message)

  /** Continue was pressed before the choice was complete. */
  let tried = false
  const paint = (): void => {
    const choice = $sender.get()
    const isComplete = senderOf(choice) !== undefined
    for (const option of options) option.checked = option.value === choice.kind
    named.hidden = choice.kind !== 'own'
    if (document.activeElement !== field && field.value !== choice.name) field.value = choice.name
    const isNameMissing = tried && choice.kind === 'own' && !isComplete
    field.setAttribute('aria-invalid', String(isNameMissing))
    nameFault.textContent = isNameMissing ? (nameFault.dataset.words ?? '') : ''
    optionFault.textContent = tried && choice.kind === undefined ? (optionFault.dataset.words ?? '') : ''
    button.setAttribute('aria-disabled', String(!isComplete))
  }

  for (const option of options)
    option.addEventListener('change', () => {
      const kind = option.value as Sender['kind']
      tried = false
      $sender.set({ ...$sender.get(), kind })
      if (kind === 'own') field.focus()
    })
  field.addEventListener('input', () => $sender.set({ kind: 'own', name: field.value }))
  form.addEventListener('submit', event => {
    event.preventDefault()
    const choice = $sender.get()
    const sender = senderOf(choice)
    if (sender) {
      if (sender.kind === 'own') $sender.set(sender)
      if (!mayLeadOn()) return
      location.assign(nextScreenPath({ screen: SCREEN, language, way: currentWay(), missing: missingStep }))
      return
    }
    tried = true
    paint()
    if (choice.kind === 'own') field.focus()
  })
  $sender.subscribe(paint)
  form.dataset.ready = ''
}
