import type { z } from 'zod'
import { ANSWER_GIFT_PATH } from './api-paths.ts'
import { type Result, request } from './client.ts'
import type { answerGift } from './gift-card.ts'

/** Has the giver of a used card told by mail, once. */
export function sendGiftAnswer(answer: {
  readonly receiptKey: string
  readonly where: boolean
  readonly words: string
}): Promise<Result<z.output<typeof answerGift.response>>> {
  const body: z.input<typeof answerGift.request> = { ...answer, tell: true }
  return request(ANSWER_GIFT_PATH, { body })
}
