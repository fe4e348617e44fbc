/**
 * The recipient's consent bar: records the answer and goes; nothing else on the screen waits for it. What to write and
 * what to delete comes with each button from the domain's table, so that the story carries no other code for it.
 */

import type { Consent } from '#domain/consent/consent.ts'
import { CONSENT_CHANGED } from '#wire/browser-names.ts'

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-consent]')
  if (!button) return
  const { consent: choice, forgets = '' } = button.dataset
  const { key = '', record = '', forget = '' } = button.closest('section')!.dataset
  document.documentElement.classList.remove('asks')
  // The button has gone with the bar.
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  try {
    // Another tab may have accepted since the bar was shown here.
    const [userId, sessionId] = forgets.split(' ').map(name => localStorage[name] ?? sessionStorage[name])
    if (userId) {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ userId, sessionId })
      fetch(forget, { method: 'POST', keepalive: true, headers, body }).catch(() => {})
    }
    for (const identifier of forgets.split(' '))
      for (const storage of [localStorage, sessionStorage]) storage.removeItem(identifier)
    const consent: Consent = { ...JSON.parse(record), choice, at: Date.now() }
    localStorage.setItem(key, JSON.stringify(consent))
    dispatchEvent(new Event(CONSENT_CHANGED))
  } catch {
    // Storage became full or blocked: nothing is measured, and the question comes again.
  }
})
