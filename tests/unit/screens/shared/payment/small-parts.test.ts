import { describe, expect, it } from 'vitest'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { STRATEGIES } from '#domain/pricing/strategies.ts'
import { reachableSupports, sliderPositions } from '#domain/support/slider.ts'
import { INAUGURATION_PACKAGE } from '#domain/volunteering/package.ts'
import { supportAt } from '#screens/shared/choices/price.ts'
import { sessionIdOf } from '#screens/shared/payment/session-id.ts'
import { quickPositions } from '#screens/shared/support-amount/quick-positions.ts'

describe('the session id of an address', () => {
  it.each([
    ['?session_id=cs_test_1', 'cs_test_1'],
    ['?session_id=cs_test_1%22,', 'cs_test_1'],
    ['?session_id=cs_test_1",', 'cs_test_1'],
    ['?lang=es&session_id=%20cs_test_1%20', 'cs_test_1'],
    ['?session_id=', undefined],
    ['?session_id=%22,', undefined],
    ['', undefined],
  ])('reads %s', (search, id) => {
    expect(sessionIdOf(search)).toBe(id)
  })
})

describe('a masked address', () => {
  it.each([
    ['buyer@example.org', 'b…r@example.org'],
    ['jo@example.org', 'j…o@example.org'],
    ['a@example.org', 'a…@example.org'],
    ['"a@b"@example.org', '"…"@example.org'],
  ])('shows little of %s', (address, masked) => {
    expect(maskAddress(address)).toBe(masked)
  })
})

describe('the quick amounts', () => {
  const entries = Object.values(STRATEGIES).flat()

  it('begin at nothing and are places the slider can take', () => {
    for (const entry of entries) {
      const positions = quickPositions(entry)
      expect(positions[0]).toBe(0)
      for (const position of positions) expect(sliderPositions(entry.ngoAmount / 100)).toContain(position)
    }
  })

  it('are the least that can be given where that is more than half the price', () => {
    const amounts = quickPositions(INAUGURATION_PACKAGE).map(place => supportAt(INAUGURATION_PACKAGE, place))
    expect(amounts).toEqual([0, 40_000])
  })

  it('rise and never offer the same amount twice', () => {
    for (const entry of entries) {
      const amounts = quickPositions(entry).map(position => supportAt(entry, position))
      expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => a - b))
      for (const amount of amounts) expect(reachableSupports(entry)).toContain(amount)
    }
  })
})
