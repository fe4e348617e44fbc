import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { givenOf } from '#server/modules/story/presentation.ts'
import { givenStations } from '#server/modules/story/stations.ts'
import { readReceipt } from '#wire/gift-card.ts'

export const { POST, ALL } = endpoint(
  readReceipt,
  async ({ receiptKey }, { app, language }) => {
    const receipt = await app.cards.receipt(receiptKey)
    const passport = await app.cards.receiptPassport(receiptKey)
    const snapshot = app.content.snapshot()
    const names = givenOf(receipt.allocations, snapshot, language)
    return {
      ...receipt,
      stations: givenStations(passport, snapshot, language),
      allocations: receipt.allocations.map((given, n) => ({ ...given, name: names[n]!.name })),
    }
  },
  { limit: 'card-read' },
)
