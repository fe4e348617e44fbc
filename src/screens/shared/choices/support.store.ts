import { SLIDER_END } from '#domain/support/slider.ts'
import type { Codec } from '#screens/shared/storage/persisted.ts'
import { SUPPORT_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

/** A place of the slider, 0 to 100, or none yet. */
export const POSITION: Codec<number | undefined> = {
  read: text => {
    const position = Number(text)
    return /^\d{1,3}$/.test(text) && position <= SLIDER_END ? position : undefined
  },
  write: position => (position === undefined ? undefined : String(position)),
}

/** Where the support slider stands; undefined until the visitor has continued past it. */
export const $supportPosition = choice<number | undefined>(SUPPORT_KEY, undefined, POSITION)
