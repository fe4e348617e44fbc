import { describe, expect, it } from 'vitest'
import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import type { App, CardView } from '#server/app.ts'
import { appFor } from '#server/http/app-for.ts'
import { receiverScreen } from '#server/receiver/receiver-screen.ts'
import { createRateLimits, LIMITS } from '#server/web/rate-limits.ts'

const RIGHT = 'r'.repeat(32)
const WRONG = 'w'.repeat(32)
const view: CardView = {
  authority: 'full',
  createdAt: 0,
  credit: money(5_000, 'EUR'),
  senderName: null,
  themeId: 'ukraine',
  consumed: false,
  free: false,
  allocations: [],
}

function aHouse() {
  const log = { info() {}, error() {} }
  const cards = {
    open: async (key: string) => {
      if (key !== RIGHT) throw new Problem('card-not-found')
      return view
    },
  } as unknown as App['cards']
  const app = { cards, limits: createRateLimits({ monotonic: () => 0, log }) }
  return (giftCardId: string, path: string, clientAddress = '192.0.2.1') =>
    receiverScreen(appFor(app, clientAddress), {
      giftCardId,
      path,
      justGiven: false,
      clientAddress,
      currency: 'GBP',
    })
}

const missing = { kind: 'show', screen: 'doesnt-exist', mode: 'final', isTry: false, view: null }

describe('wrong keys on a receiver’s page', () => {
  it('are counted, and told to come back later once the limit is spent, whatever screen they ask for', async () => {
    const ask = aHouse()
    for (let n = 0; n < LIMITS['card-miss'].uses; n++) {
      expect(await ask(WRONG, 'doesnt-exist/final')).toEqual(missing)
    }
    for (const path of ['doesnt-exist/final', 'introduction/final', 'select-ngo/final']) {
      expect(await ask(WRONG, path)).toEqual({ ...missing, retryAfterSeconds: 20 })
    }
  })

  it('of one visitor change nothing for another, nor for a card or the try card', async () => {
    const ask = aHouse()
    for (let n = 0; n <= LIMITS['card-miss'].uses; n++) await ask(WRONG, 'doesnt-exist/final')
    expect(await ask(WRONG, 'doesnt-exist/final', '192.0.2.2')).toEqual(missing)
    expect(await ask(RIGHT, 'select-ngo/final')).toMatchObject({ screen: 'select-ngo', view })
    expect(await ask(TRY_CARD_ID, 'select-ngo/preview')).toMatchObject({
      screen: 'select-ngo',
      isTry: true,
      view: { credit: { amount: 5_000, currency: 'GBP' } },
    })
  })

  it('lead to their screen while the limit lasts', async () => {
    expect(await aHouse()(WRONG, 'introduction/final')).toEqual({
      kind: 'redirect',
      to: `/gift-card/${WRONG}/doesnt-exist/final`,
    })
  })
})
