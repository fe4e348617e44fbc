import { expect, it } from 'vitest'
import { isShared, LIMITS, readLimits } from '#domain/limits/limits.ts'

it('limits of the operator stand in the place of the product’s own, the others stay', () => {
  const limits = readLimits(' gateway=80/12000,redeem=240 ')
  expect(limits).toEqual({
    ...LIMITS,
    gateway: { ...LIMITS.gateway, uses: 80, together: 12_000 },
    redeem: { ...LIMITS.redeem, uses: 240 },
  })
  expect(readLimits('gateway=80')?.gateway).toEqual({ ...LIMITS.gateway, uses: 80 })
})

it.each([
  '',
  'gateway',
  'gateway=',
  'gateway=0',
  'gateway=-1',
  'gateway=1/0',
  'gateway=1e3',
  'gatway=1',
  'redeem=1/2',
  'gateway=1;redeem=2',
  'constructor=1',
])('what is no limit is not taken for one: %j', text => {
  expect(readLimits(text)).toBeUndefined()
})

it('all visitors together may do more than one of them', () => {
  for (const [name, { uses, together }] of Object.entries(LIMITS)) {
    expect(isShared(name as keyof typeof LIMITS), name).toBe(together !== undefined)
    if (together !== undefined) expect(together, name).toBeGreaterThan(uses)
  }
})
