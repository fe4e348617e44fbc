import type { SummaryAnswer } from '../product.ts'

/** The parts of this tool that something leads to. */
export type Part = 'payouts' | 'people' | 'dead-links'

/** Where something is done: a press away. */
export type Way =
  /** The timeline of a gift, found by its id. */
  | { readonly to: 'gift'; readonly words: string; readonly text: string }
  | { readonly to: 'part'; readonly part: Part; readonly text: string }
  /** Another tool of the Studio, or a list in it: its path. */
  | { readonly to: 'tool'; readonly path: string; readonly text: string }
  /** It is done in the terminal: the command is copied. */
  | { readonly to: 'terminal'; readonly command: string }

export type GivenUpMail = SummaryAnswer['given_up'][number]

/** Leads to a part of this tool. */
export const toPart = (part: Part, text: string): Way => ({ to: 'part', part, text })

/** Leads to another tool of the Studio. */
export const toTool = (text: string, path: string): Way => ({ to: 'tool', text, path })

/** Leads to a list of Content; to its first one where none is named. */
export const toContent = (text: string, pane?: string): Way =>
  toTool(text, pane === undefined ? 'structure' : `structure/${pane}`)

/** Copies a command of `ops`. */
export const inTerminal = (command: string): Way => ({
  to: 'terminal',
  command: `npm run ops -- ${command}`,
})

/** Opens the timeline of a gift. */
export const toGift = (words: string, text = 'Open the gift'): Way => ({ to: 'gift', words, text })
