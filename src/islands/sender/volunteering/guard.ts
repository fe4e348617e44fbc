import type { Language } from '#domain/languages.ts'
import type { SenderScreen } from '#domain/sender/flow.ts'
import { senderPath } from '#paths'
import { missingVolunteeringStep } from '#stores/volunteering.ts'

/** Sends a visitor whose earlier choices are missing to the first missing one (decisions §3), also after Back. */
export function guardVolunteering(screen: SenderScreen, language: Language): () => void {
  const check = (): void => {
    const missing = missingVolunteeringStep(screen)
    if (missing) location.replace(senderPath(language, missing))
  }
  check()
  addEventListener('pageshow', check)
  return () => removeEventListener('pageshow', check)
}
