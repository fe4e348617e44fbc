import { z } from 'zod'

/** The wire's word for the theme that a buyer or a claimant asks for. */
export const THEME_WORDS = { themeId: 'giftcard_theme' } as const

const channel = z.int().min(0).max(255)
const colour = z.tuple([channel, channel, channel]).readonly()

/** What a card's answer tells of its theme. */
export const shownTheme = z.object({ id: z.string(), background: colour, text: colour })
