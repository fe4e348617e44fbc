import { expect, it } from 'vitest'
import { API, cardReadPath, cardRedeemPath } from '#paths'
import * as wire from '#wire/api-paths.ts'

it('publishes the same paths as the rest of the site links to', () => {
  expect(wire.START_DONATION_PATH).toBe(API.startDonation)
  expect(wire.DONATION_SUCCESS_PATH).toBe(API.settleDonation)
  expect(wire.SEND_CONFIRMATION_PATH).toBe(API.sendConfirmation)
  expect(wire.redeemCardPath('key')).toBe(cardRedeemPath('key'))
  expect(wire.READ_CARD_PATH.replace('{giftCardId}', 'key').replace('{flag}', 'final')).toBe(
    cardReadPath('key', 'final'),
  )
})
