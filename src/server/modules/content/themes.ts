import { z } from 'zod'
import { type Language, perLanguage } from '#domain/languages.ts'
import {
  isPaperLighter,
  isThemeId,
  LEAST_CONTRAST,
  leastContrast,
  MOTIFS,
  OFFERED_THEMES,
  type Rgb,
  readColour,
  type SeedThemeId,
  THEMES,
  type Theme,
} from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { inEveryLanguage, listOf, text } from './fields.ts'
import type { PublishedTheme } from './snapshot.ts'

/** Each is a rule of the style sheet that sender pages and the try card carry. */
const MOST_THEMES = 24
/** The name fits one line of a tile that is half a phone wide. */
const MOST_NAME_CHARACTERS = 30

const isWord = 'its word is a small letter, then letters, digits and hyphens, 2 to 40 of them'
const id = z.string(isWord).max(40, isWord).refine(isThemeId, isWord)
const names = inEveryLanguage(text.max(MOST_NAME_CHARACTERS))
const motif = z.enum(MOTIFS, `the envelope’s pattern must be one of ${MOTIFS.join(', ')}`)

const place = z.int('its place is missing: a whole number').min(1).max(9_999)

const colour = z
  .string('no colour')
  .max(10, 'not a colour such as #10316b')
  .transform((given, context): Rgb => {
    const read = readColour(given)
    if (read) return read
    context.addIssue({ code: 'custom', message: 'not a colour such as #10316b' })
    return z.NEVER
  })

/** @throws nothing: adds to the check what cannot be read on the paper, or by a phone */
function refuseUnreadable(theme: Pick<Theme, 'id' | 'background' | 'text'>, context: z.RefinementCtx): void {
  const contrast = leastContrast(theme)
  const says = (message: string) =>
    context.addIssue({ code: 'custom', path: ['ink'], message: `the theme “${theme.id}”: ${message}` })
  if (!isPaperLighter(theme)) says('its paper must be lighter than its ink, for the codes that phones read')
  else if (contrast < LEAST_CONTRAST)
    says(
      `its text stands out from what lies behind it by ${Math.floor(contrast * 10) / 10} : 1 only, not ${LEAST_CONTRAST} : 1; make the ink darker or the paper lighter`,
    )
}

const theme = z
  .object({ id, names, paper: colour, ink: colour, motif, offered: z.boolean().nullish(), place })
  .transform(({ paper, ink, offered, ...rest }) => {
    return { ...rest, background: paper, text: ink, isOffered: offered ?? false }
  })
  .superRefine(refuseUnreadable)

const areDistinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length

const isOneOffered = (themes: readonly Pick<PublishedTheme, 'isOffered'>[]): boolean =>
  themes.some(({ isOffered }) => isOffered)

/** The themes of a site whose operator has made none. */
export const FIRST_THEMES: readonly PublishedTheme[] = Object.values(THEMES).map(theme => ({
  ...theme,
  names: perLanguage((language: Language) => getT(language)(`theme-${theme.id}`)),
  isOffered: OFFERED_THEMES.includes(theme.id as SeedThemeId),
}))

/** The operator's themes, in their order. Content from before they were the operator's has none: it has the six. */
export const themes = listOf(theme)
  .max(MOST_THEMES, `at most ${MOST_THEMES} themes`)
  .refine(given => areDistinct(given.map(({ id }) => id.toLowerCase())), 'two themes of one word')
  .refine(given => areDistinct(given.map(({ place }) => place)), 'two themes in one place')
  .transform(given => given.map(({ place: _, ...published }): PublishedTheme => published))
  .nullish()
  .transform(given => (given && given.length > 0 ? given : FIRST_THEMES))
  .refine(isOneOffered, 'no theme is offered: the screen that asks for one would be empty')

const channel = z.int().min(0).max(255)
const rgb = z
  .array(channel)
  .max(3)
  .length(3)
  .transform(([red, green, blue]): Rgb => [red!, green!, blue!])

/** The same as a snapshot on disk holds them. */
export const storedThemes = z
  .array(z.object({ id, names, background: rgb, text: rgb, motif, isOffered: z.boolean() }))
  .min(1)
  .max(MOST_THEMES)
  .default([...FIRST_THEMES])
