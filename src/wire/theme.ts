import { z } from 'zod'

const channel = z.int().min(0).max(255)
const colour = z.tuple([channel, channel, channel]).readonly()

/** What a card's answer tells of its theme. */
export const shownTheme = z.object({ id: z.string(), background: colour, text: colour })
