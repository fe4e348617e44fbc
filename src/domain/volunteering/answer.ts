/** What a recipient says to the invitation. It can be changed, and is no condition of anything. */
export const ANSWERS = ['accept', 'later', 'no'] as const

export type Answer = (typeof ANSWERS)[number]

/** Is this an answer that the recipient of an invitation can give? */
export function isAnswer(value: unknown): value is Answer {
  return (ANSWERS as readonly unknown[]).includes(value)
}
