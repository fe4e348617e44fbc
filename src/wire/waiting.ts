import { z } from 'zod'

/** What whoever has to wait is told instead of the answer: their place, and when to ask again with the same key. */
export const waitingAnswer = z
  .object({ ahead: z.int(), waitMs: z.int(), askAgainMs: z.int(), isOver: z.boolean() })
  .transform(waiting => ({
    waiting: {
      ahead: waiting.ahead,
      wait_ms: waiting.waitMs,
      ask_again_ms: waiting.askAgainMs,
      place_was_over: waiting.isOver,
    },
  }))
