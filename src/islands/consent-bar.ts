/** The recipient's consent bar: records the answer and goes; nothing else on the screen waits for it. */
import { CONSENT_KEY, consentOf, isConsentChoice, writeConsent } from '#domain/consent/consent.ts'
import { deleteIdentifiers } from '#stores/identifiers.ts'

document.addEventListener('click', ({ target }) => {
  const choice = target instanceof Element && target.closest<HTMLElement>('[data-consent]')?.dataset.consent
  if (!isConsentChoice(choice)) return
  document.documentElement.classList.remove('asks')
  // The button has gone with the bar.
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  deleteIdentifiers(choice)
  try {
    localStorage.setItem(CONSENT_KEY, writeConsent(consentOf(choice, Date.now())))
  } catch {
    // Storage became full or blocked: nothing is measured, and the question comes again.
  }
})
