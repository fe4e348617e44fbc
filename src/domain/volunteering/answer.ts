/** What a recipient says to the invitation. It can be changed, and is no condition of anything. */
export const ANSWERS = ['accept', 'later', 'no'] as const

export type Answer = (typeof ANSWERS)[number]

export function isAnswer(value: unknown): value is Answer {
  return (ANSWERS as readonly unknown[]).includes(value)
}
