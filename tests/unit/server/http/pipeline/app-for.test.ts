import { expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'

it('another split of a used card counts as a guess at what was chosen, a used card on paper does not', async () => {
  const uses: string[] = []
  const used = async () => {
    throw new Problem('card-consumed')
  }
  const app = appFor(
    {
      limits: { use: (limit: string) => void uses.push(limit), check() {} } as App['limits'],
      cards: { redeem: used } as unknown as App['cards'],
      prints: { sheetOf: used } as App['prints'],
    },
    '192.0.2.1',
  )
  await expect(app.prints.sheetOf('k')).rejects.toMatchObject({ code: 'card-consumed' })
  expect(uses).toEqual([])
  await expect(app.cards.redeem('k', [])).rejects.toMatchObject({ code: 'card-consumed' })
  expect(uses).toEqual(['card-miss'])
})
