import { describe, expect, it } from 'vitest'
import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { LIMITS } from '#domain/limits/limits.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import type { App } from '#server/http/app.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { createRateLimits } from '#server/http/pipeline/rate-limits.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import { receiverScreen } from '#server/modules/story/receiver-screen.ts'
import { plentyOfTokens } from '#tests/support/plenty-of-tokens.ts'

const RIGHT = 'r'.repeat(32)
const WRONG = 'w'.repeat(32)
const view: CardView = {
  authority: 'full',
  createdAt: 0,
  autoDonateAt: 1,
  credit: money(5_000, 'EUR'),
  senderName: null,
  message: null,
  theme: THEMES.ukraine,
  consumed: false,
  free: false,
  use: null,
}

function anApp(shown: CardView = view) {
  const log = { info() {}, error() {} }
  const cards = {
    open: async (key: string) => {
      if (key !== RIGHT) throw new Problem('card-not-found')
      return shown
    },
  } as unknown as App['cards']
  const app = { cards, limits: createRateLimits({ monotonic: () => 0, log, tokensOf: plentyOfTokens }) }
  return (giftCardId: string, path: string, clientAddress = '192.0.2.1') =>
    receiverScreen(appFor(app, clientAddress), { giftCardId, path, clientAddress, currency: 'GBP' })
}

const missing = { kind: 'show', screen: 'doesnt-exist', mode: 'final', isTry: false, view: null }

describe('wrong keys on a receiver’s page', () => {
  it('are counted, and told to come back later once the limit is spent, whatever screen they ask for', async () => {
    const ask = anApp()
    for (let n = 0; n < LIMITS['card-miss'].uses; n++) {
      expect(await ask(WRONG, 'doesnt-exist/final')).toEqual(missing)
    }
    for (const path of ['doesnt-exist/final', 'introduction/final', 'select-ngo/final']) {
      expect(await ask(WRONG, path)).toEqual({ ...missing, retryAfterSeconds: 20 })
    }
  })

  it('of one visitor change nothing for another, nor for a card or the try card', async () => {
    const ask = anApp()
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
    expect(await anApp()(WRONG, 'introduction/final')).toEqual({
      kind: 'redirect',
      to: `/gift-card/${WRONG}/doesnt-exist/final`,
    })
  })
})

describe('a used card', () => {
  const ask = anApp({ ...view, consumed: true, use: { by: 'recipient', at: 0 } })

  it('leads from every screen to the one that says so', async () => {
    for (const screen of ['introduction', 'introduction-4', 'select-ngo'])
      expect(await ask(RIGHT, `${screen}/final`)).toEqual({
        kind: 'redirect',
        to: `/gift-card/${RIGHT}/consumed/final`,
      })
  })

  it('leaves it to the browser whether the thanks are its own to show again', async () => {
    expect(await ask(RIGHT, 'thanks/final')).toEqual({
      kind: 'redirect',
      to: `/gift-card/${RIGHT}/consumed/final#thanks`,
    })
  })
})
