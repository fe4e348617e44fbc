import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { answerGift } from '#wire/gift-card.ts'

export const { POST, ALL } = endpoint(
  answerGift,
  async ({ receiptKey, answer }, { app }) => {
    await app.answers.give(receiptKey, answer)
    return { told: true as const }
  },
  { limit: 'redeem' },
)
