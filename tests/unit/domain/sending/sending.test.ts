import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayInUtc, daysAfter } from '#domain/days.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import {
  dayIn,
  FURTHEST_AHEAD_MS,
  isSendingDay,
  leftAfterPlan,
  mayPlan,
  movedBy,
  reminderInstant,
  SENDING_MOVES,
  type SendingMove,
  type SendingState,
  sendingDays,
  sendingInstant,
} from '#domain/sending/sending.ts'
import { timeIn } from '#domain/zones.ts'

const iso = (instant: number) => new Date(instant).toISOString()

describe('the instant of a day', () => {
  it.each([
    // The clocks go forward on 28 March 2027 in Europe and on 14 March in America, back on 31 October and 7 November.
    ['Europe/Madrid', '2027-03-27', '2027-03-27T08:00:00.000Z'],
    ['Europe/Madrid', '2027-03-28', '2027-03-28T07:00:00.000Z'],
    ['Europe/Madrid', '2027-10-30', '2027-10-30T07:00:00.000Z'],
    ['Europe/Madrid', '2027-10-31', '2027-10-31T08:00:00.000Z'],
    ['America/New_York', '2027-03-13', '2027-03-13T14:00:00.000Z'],
    ['America/New_York', '2027-03-14', '2027-03-14T13:00:00.000Z'],
    ['America/New_York', '2027-11-06', '2027-11-06T13:00:00.000Z'],
    ['America/New_York', '2027-11-07', '2027-11-07T14:00:00.000Z'],
    // South of the equator it is the other way round, and by half an hour on Lord Howe Island.
    ['Australia/Lord_Howe', '2027-04-03', '2027-04-02T22:00:00.000Z'],
    ['Australia/Lord_Howe', '2027-04-04', '2027-04-03T22:30:00.000Z'],
    ['Australia/Lord_Howe', '2027-10-02', '2027-10-01T22:30:00.000Z'],
    ['Australia/Lord_Howe', '2027-10-03', '2027-10-02T22:00:00.000Z'],
    // No clock is ahead of this one, and it never changes; nor does this one with its quarter of an hour.
    ['Pacific/Kiritimati', '2027-03-28', '2027-03-27T19:00:00.000Z'],
    ['Asia/Kathmandu', '2027-03-28', '2027-03-28T03:15:00.000Z'],
    // The night of a change at midnight itself.
    ['America/Santiago', '2027-04-03', '2027-04-03T12:00:00.000Z'],
    ['America/Santiago', '2027-04-04', '2027-04-04T13:00:00.000Z'],
    ['America/Santiago', '2027-09-04', '2027-09-04T13:00:00.000Z'],
    ['America/Santiago', '2027-09-05', '2027-09-05T12:00:00.000Z'],
    ['Europe/Madrid', '2028-02-29', '2028-02-29T08:00:00.000Z'],
    ['America/New_York', '2028-02-29', '2028-02-29T14:00:00.000Z'],
    ['Australia/Lord_Howe', '2028-02-29', '2028-02-28T22:00:00.000Z'],
    ['Asia/Kathmandu', '2028-02-29', '2028-02-29T03:15:00.000Z'],
  ])('is nine in the morning in %s on %s', (zone, day, instant) => {
    expect(iso(sendingInstant({ day, zone }))).toBe(instant)
  })

  it('is nine o’clock on the clock of every zone, on every day of three years', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 3 * 366 }), (zone, n) => {
        const day = daysAfter('2026-01-01', n)
        const at = sendingInstant({ day, zone })
        expect(new Date(timeIn(zone, at)).toISOString()).toBe(`${day}T09:00:00.000Z`)
        // The job looks for days that have begun anywhere: none of them is missed.
        expect(dayInUtc(at + FURTHEST_AHEAD_MS) >= day).toBe(true)
      }),
    )
  })
})

describe('the days that can be chosen', () => {
  it('go from today to a year from now, in the giver’s zone', () => {
    const now = Date.parse('2026-12-31T23:30:00Z')
    expect(sendingDays('Europe/Madrid', now, undefined)).toEqual({ first: '2027-01-01', last: '2028-01-01' })
    expect(sendingDays('America/New_York', now, undefined)).toEqual({
      first: '2026-12-31',
      last: '2027-12-31',
    })
    const can = (day: string) => isSendingDay({ day, zone: 'Europe/Madrid' }, now, undefined)
    expect(['2026-12-31', '2027-01-01', '2028-01-01', '2028-01-02'].map(can)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it.each(['2027-02-29', '2027-2-1', '', 'tomorrow', '2027-01-01T00:00'])('are days: %j is none', day => {
    expect(isSendingDay({ day, zone: 'Europe/Madrid' }, Date.parse('2026-12-31T12:00:00Z'), undefined)).toBe(
      false,
    )
  })

  it('have 29 February in a year that has one', () => {
    const now = Date.parse('2027-06-01T12:00:00Z')
    expect(isSendingDay({ day: '2028-02-29', zone: 'Europe/Madrid' }, now, undefined)).toBe(true)
  })
})

describe('the days of a gift that is given away after its last one', () => {
  const LAST = '2027-11-25'
  const daysAt = (now: string, zone = 'Europe/Madrid') => sendingDays(zone, Date.parse(now), LAST)

  it('end a month before it', () => {
    expect(daysAt('2026-11-25T12:00:00Z')).toEqual({ first: '2026-11-25', last: '2027-10-26' })
    const can = (day: string) =>
      isSendingDay({ day, zone: 'Europe/Madrid' }, Date.parse('2026-11-25T12:00:00Z'), LAST)
    expect(['2027-10-26', '2027-10-27', LAST, '2027-11-26'].map(can)).toEqual([true, false, false, false])
  })

  it('end in a year where the gift lasts longer', () => {
    expect(sendingDays('Europe/Madrid', Date.parse('2026-11-25T12:00:00Z'), '2029-11-25').last).toBe(
      '2027-11-25',
    )
  })

  it('are today alone in its last month, and none after it', () => {
    expect(daysAt('2027-10-26T12:00:00Z')).toEqual({ first: '2027-10-26', last: '2027-10-26' })
    expect(daysAt('2027-10-27T12:00:00Z')).toEqual({ first: '2027-10-27', last: '2027-10-27' })
    expect(daysAt('2027-11-25T12:00:00Z')).toEqual({ first: LAST, last: LAST })
    // It is tomorrow already where the day begins first.
    const there = { day: '2027-11-26', zone: 'Pacific/Kiritimati' }
    expect(isSendingDay(there, Date.parse('2027-11-25T12:00:00Z'), LAST)).toBe(false)
  })

  it('are over in Madrid only once nine o’clock has come in every zone', () => {
    const ends = Date.parse('2027-11-25T23:00:00Z')
    for (const zone of [...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+12'])
      expect(sendingInstant({ day: LAST, zone }), zone).toBeLessThan(ends)
  })
})

describe('the reminder', () => {
  it('comes thirty days after the mail at nine, across a change of the clocks', () => {
    const sentAt = Date.parse('2027-03-10T08:00:20Z')
    expect(iso(reminderInstant(sentAt, 'Europe/Madrid'))).toBe('2027-04-09T07:00:00.000Z')
    // A mail that went in the evening of a day there, which is the next one here.
    expect(dayIn('America/New_York', Date.parse('2027-01-11T02:00:00Z'))).toBe('2027-01-10')
    expect(iso(reminderInstant(Date.parse('2027-01-11T02:00:00Z'), 'America/New_York'))).toBe(
      '2027-02-09T14:00:00.000Z',
    )
    expect(reminderInstant(sentAt, 'Europe/Madrid') - sentAt).toBeGreaterThan(29 * DAY_MS + HOUR_MS)
  })
})

describe('what happens to a sending', () => {
  const states: readonly SendingState[] = [
    'planned',
    'sending',
    'sent',
    'reminding',
    'over',
    'stopped',
    'returned',
  ]
  const moves = Object.keys(SENDING_MOVES) as SendingMove[]

  it('puts a mail into the outbox from one state each, so that there are two mails at most', () => {
    const from = (move: SendingMove) => states.filter(state => movedBy(move, state) !== undefined)
    expect(from('send')).toEqual(['planned'])
    expect(from('remind')).toEqual(['sent'])
    // What a mail server has taken is never planned anew.
    const after = new Set<SendingState>(['sent'])
    for (const state of after)
      for (const move of moves.filter(each => each !== 'plan')) {
        const next = movedBy(move, state)
        if (next) after.add(next)
      }
    expect([...after].toSorted()).toEqual(['over', 'reminding', 'returned', 'sent'])
    for (const state of after) expect(mayPlan({ state, why: null, changesLeft: 3, sentAt: 1 })).toBe(false)
  })

  it('lets its giver change it three times until the mail is on its way', () => {
    expect(mayPlan(undefined)).toBe(true)
    const facts = { why: null, changesLeft: 1, sentAt: null }
    expect(states.filter(state => mayPlan({ ...facts, state }))).toEqual(['planned', 'stopped', 'returned'])
    expect(states.some(state => mayPlan({ ...facts, state, changesLeft: 0 }))).toBe(false)
  })

  it('counts no change where the gift was held on its day, and gives no other one more', () => {
    const held = { state: 'stopped', why: 'gift', changesLeft: 0, sentAt: null } as const
    expect([mayPlan(held), leftAfterPlan(held)]).toEqual([true, 0])
    expect(mayPlan({ ...held, sentAt: 1 })).toBe(false)
    for (const why of ['giver', 'forgotten'] as const) expect(mayPlan({ ...held, why })).toBe(false)
    expect(mayPlan({ ...held, state: 'returned', why: 'refused' })).toBe(false)
    expect(leftAfterPlan({ ...held, why: 'giver', changesLeft: 3 })).toBe(2)
  })

  it('ends: from what is over a gift that nobody used can come back, and nothing is mailed', () => {
    expect(moves.filter(move => movedBy(move, 'over') !== undefined)).toEqual(['return'])
    expect(mayPlan({ state: 'returned', why: null, changesLeft: 3, sentAt: 1 })).toBe(false)
  })
})
