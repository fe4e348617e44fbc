import type { Language } from '#domain/languages.ts'
import type { SenderScreen } from '#domain/sender/flow.ts'
import { senderPath } from '#paths'
import { keepChange } from './continue.ts'
import { showWay } from './show-way.ts'

/** Keeps a visitor on the screen only with the choices made that come before it. @returns what takes the guard off */
export type Guard = (screen: SenderScreen, language: Language) => () => void

/** A guard that sends a visitor whose earlier choices are missing to the first missing one, also after Back. */
export function guardBy(missing: (screen: SenderScreen) => SenderScreen | undefined): Guard {
  return (screen, language) => {
    const check = (): void => {
      showWay()
      const first = missing(screen)
      if (first) location.replace(senderPath(language, first))
    }
    check()
    keepChange()
    addEventListener('pageshow', check)
    return () => removeEventListener('pageshow', check)
  }
}
