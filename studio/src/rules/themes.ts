import {
  isMotif,
  isPaperLighter,
  isThemeId,
  LEAST_CONTRAST,
  leastContrast,
  type Motif,
  readColour,
} from '../product.ts'
import type { Verdict } from './texts.ts'

/** A theme, as the Studio holds it while somebody is still typing. */
export interface ThemeFacts {
  readonly paper?: unknown
  readonly ink?: unknown
  readonly motif?: unknown
}

/** What an envelope's flap shows, as the operator reads it. */
export const MOTIF_NAMES: Readonly<Record<Motif, string>> = {
  plain: 'Nothing',
  terraces: 'Terraces',
  border: 'A border',
  snow: 'Snow',
  rays: 'Rays',
  sprig: 'A sprig',
}

/** What a theme is called in links, styles and the books: visitors never read it. */
export function wordVerdict(value: unknown): Verdict {
  if (typeof value !== 'string' || value === '') return 'The theme needs a word of its own, such as “sea”.'
  return (
    isThemeId(value) ||
    'A small letter first, then letters of the English alphabet, digits and hyphens: 2 to 40 in all, such as “sea”.'
  )
}

/** @param others the words of all other themes */
export function uniqueWordVerdict(value: unknown, others: readonly string[]): Verdict {
  const wanted = String(value ?? '').toLowerCase()
  return (
    !others.some(other => other.toLowerCase() === wanted) ||
    'Another theme has this word already (capitals make no difference).'
  )
}

/** @param published the word under which cards may have been bought already */
export function keptWordVerdict(value: unknown, published: string | null | undefined): Verdict {
  return (
    published === null ||
    published === undefined ||
    value === published ||
    `Cards were bought under the word “${published}”: it stays. For another theme, make another document.`
  )
}

export function colourVerdict(value: unknown): Verdict {
  if (value === undefined || value === '') return 'The colour is missing.'
  return readColour(value) !== undefined || 'Choose a colour, or write one as #10316b.'
}

/** Can everything be read that is written in these colours? Whether there are colours is another rule's. */
export function contrastVerdict({ paper, ink }: ThemeFacts): Verdict {
  const [background, text] = [readColour(paper), readColour(ink)]
  if (!background || !text) return true
  if (!isPaperLighter({ background, text }))
    return 'The paper must be lighter than the ink: phones cannot read the codes otherwise.'
  const least = leastContrast({ background, text })
  return (
    least >= LEAST_CONTRAST ||
    `The faintest text would stand out by ${Math.floor(least * 10) / 10} : 1 only; it takes ${LEAST_CONTRAST} : 1 to read it well. Make the ink darker, or the paper lighter.`
  )
}

export const motifVerdict = (value: unknown): Verdict =>
  isMotif(value) || 'Choose what the flap of the envelope shows.'

/** @param others how many other themes are offered */
export const offeredVerdict = (value: unknown, others: number): Verdict =>
  value === true || others > 0 || 'No theme would be offered: the screen that asks for one would be empty.'

/** @param others how many other themes have this place */
export const placeVerdict = (others: number): Verdict =>
  others === 0 || 'Another theme has this place: choose one between two others, such as 15 between 10 and 20.'
