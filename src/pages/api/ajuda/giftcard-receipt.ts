import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { givenOf } from '#server/modules/story/presentation.ts'
import { readReceipt } from '#wire/gift-card.ts'

export const { POST, ALL } = endpoint(
  readReceipt,
  async ({ receiptKey }, { app, language }) => {
    const receipt = await app.cards.receipt(receiptKey)
    const names = givenOf(receipt.allocations, app.content.snapshot(), language)
    return {
      ...receipt,
      allocations: receipt.allocations.map((given, n) => ({ ...given, name: names[n]!.name })),
    }
  },
  { limit: 'card-read' },
)
