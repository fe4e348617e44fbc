import { expect, it } from 'vitest'
import { OFFERED_ZONES } from '#domain/dates.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { daysAnywhere, readSendingPlan } from '#domain/sending/plan.ts'
import { readZone } from '#domain/zones.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const TYPED = { address: ' Nora@Example.org ', day: '2026-12-24', zone: 'europe/madrid' }

it('reads what a giver typed, with the zone as its table spells it', () => {
  expect(readSendingPlan(TYPED, NOW, undefined)).toEqual({
    to: { address: 'Nora@example.org', folded: 'nora@example.org' },
    day: '2026-12-24',
    zone: 'Europe/Madrid',
  })
})

it.each([
  [{ address: '' }, { address: 'required' }],
  [{ address: 'nora@example.org, tom@example.org' }, { address: 'address' }],
  [{ address: 'nora@example.org\r\nBcc: tom@example.org' }, { address: 'address' }],
  [{ day: '2026-11-24' }, { day: 'day' }],
  [{ day: '2027-11-26' }, { day: 'day' }],
  [{ day: '' }, { day: 'day' }],
  // Without a zone nobody can say which days can be chosen.
  [{ zone: 'Europe/Nowhere', day: '2020-01-01' }, { zone: 'zone' }],
  [{ zone: '+02:00' }, { zone: 'zone' }],
  [
    { address: 'x', zone: '' },
    { address: 'address', zone: 'zone' },
  ],
])('says of %j what is wrong', (changes, faults) => {
  expect(readSendingPlan({ ...TYPED, ...changes }, NOW, undefined)).toEqual({ faults })
})

it('keeps the address of what is planned where none is typed, and there alone', () => {
  const moved = { ...TYPED, address: ' ' }
  expect(readSendingPlan(moved, NOW, undefined, true)).toEqual({
    to: undefined,
    day: '2026-12-24',
    zone: 'Europe/Madrid',
  })
  expect(readSendingPlan(TYPED, NOW, undefined, true)).toMatchObject({ to: { address: 'Nora@example.org' } })
  expect(readSendingPlan({ ...moved, address: 'x' }, NOW, undefined, true)).toEqual({
    faults: { address: 'address' },
  })
  expect(readSendingPlan(moved, NOW, undefined)).toEqual({ faults: { address: 'required' } })
})

it('offers a zone in each language, and every day that can be chosen somewhere', () => {
  for (const language of LANGUAGES) expect(readZone(OFFERED_ZONES[language])).toBe(OFFERED_ZONES[language])
  expect(daysAnywhere(NOW, undefined)).toEqual({
    first: '2026-11-25',
    last: '2027-11-26',
    lastEverywhere: '2027-11-25',
  })
  // A card's own end is the same everywhere.
  expect(daysAnywhere(NOW, '2027-11-25')).toMatchObject({ last: '2027-10-26', lastEverywhere: '2027-10-26' })
})

it.each(['x'.repeat(61), '../../etc/passwd', 'Europe/Madrid\n', 'Europe/Madrid; drop', '__proto__'])(
  'knows no zone %j',
  text => {
    expect(readZone(text)).toBeUndefined()
  },
)
