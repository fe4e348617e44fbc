import { expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { noRateLimits } from '#server/http/pipeline/rate-limits.ts'

it('another split of a used card counts as a guess at what was chosen, a used card on paper does not', async () => {
  const uses: string[] = []
  const used = async () => {
    throw new Problem('card-consumed')
  }
  const app = appFor(
    {
      limits: { ...noRateLimits(), use: limit => void uses.push(limit) },
      cards: { redeem: used } as unknown as App['cards'],
      prints: { sheetOf: used } as unknown as App['prints'],
    },
    '192.0.2.1',
  )
  await expect(app.prints.sheetOf('k')).rejects.toMatchObject({ code: 'card-consumed' })
  expect(uses).toEqual([])
  await expect(app.cards.redeem('k', [])).rejects.toMatchObject({ code: 'card-consumed' })
  expect(uses).toEqual(['card-miss'])
})

it('a check word that no gift has counts as a wrong key', async () => {
  const uses: string[] = []
  const look = async () => {
    throw new Problem('card-not-found')
  }
  const app = appFor(
    {
      limits: { ...noRateLimits(), use: limit => void uses.push(limit) },
      checkWords: { look } as unknown as App['checkWords'],
    },
    '192.0.2.1',
  )
  await expect(app.checkWords.look('BCDF-GHJK-MNPQ')).rejects.toMatchObject({ code: 'card-not-found' })
  expect(uses).toEqual(['card-miss'])
})

it('a wrong key of a withdrawal counts, an unknown Checkout session does not', async () => {
  const uses: string[] = []
  const missing = async () => {
    throw new Problem('payment-not-found')
  }
  const app = appFor(
    {
      limits: { ...noRateLimits(), use: limit => void uses.push(limit) },
      payments: { settle: missing } as unknown as App['payments'],
      withdrawals: { open: missing, confirm: missing } as unknown as App['withdrawals'],
      certificates: { open: missing, make: missing } as unknown as App['certificates'],
      receivedPayouts: { open: missing } as unknown as App['receivedPayouts'],
    },
    '192.0.2.1',
  )
  await expect(app.payments.settle('cs_1')).rejects.toMatchObject({ code: 'payment-not-found' })
  expect(uses).toEqual([])
  await expect(app.withdrawals.open('o', 'k')).rejects.toMatchObject({ code: 'payment-not-found' })
  const words = { name: 'Aina', email: 'aina@example.org' }
  await expect(app.withdrawals.confirm('o', 'k', words)).rejects.toMatchObject({ code: 'payment-not-found' })
  expect(uses).toEqual(['card-miss', 'card-miss'])
})

it('a handle that the browser does not hold is no guess, the key behind one that it holds may be', async () => {
  const uses: string[] = []
  const handle = `0${'a'.repeat(31)}`
  const found = async () => {
    throw new Problem('card-not-found')
  }
  const parts = {
    limits: { ...noRateLimits(), use: (limit: string) => void uses.push(limit) },
    cards: { redeem: found } as unknown as App['cards'],
  }
  const open = (name: string) => appFor(parts, '192.0.2.1').cards.redeem(name, [])
  await expect(open(handle)).rejects.toMatchObject({ code: 'card-not-found' })
  expect(uses).toEqual([])
  await expect(open('a'.repeat(32))).rejects.toMatchObject({ code: 'card-not-found' })
  expect(uses).toEqual(['card-miss'])
})
