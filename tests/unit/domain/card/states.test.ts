import { describe, expect, it } from 'vitest'
import {
  CARD_EVENTS,
  CARD_MOVES,
  CARD_STATUSES,
  type CardEvent,
  type CardStatus,
  isVisible,
  moveCard,
} from '#domain/card/states.ts'
import { isProblem } from '#domain/problems.ts'
import { thrownBy } from '#tests/builders/domain.ts'

/** Every move that changes a card; whatever is not here leaves it as it is or is refused. */
const changes: readonly (readonly [CardStatus, CardEvent, CardStatus])[] = [
  ['active', 'redeemed', 'consumed'],
  ['active', 'auto-donated', 'consumed'],
  ['active', 'dispute-opened', 'frozen'],
  ['active', 'dispute-lost', 'revoked'],
  ['active', 'refunded', 'revoked'],
  ['frozen', 'dispute-won', 'active'],
  ['frozen', 'dispute-lost', 'revoked'],
  ['frozen', 'dispute-lost-in-part', 'active'],
  ['frozen', 'refunded', 'revoked'],
  ['revoked', 'refund-failed', 'active'],
  ['active', 'held', 'frozen'],
  ['frozen', 'released', 'active'],
  ['active', 'withdrawn', 'cancelling'],
  ['cancelling', 'withdrawal-over', 'active'],
  ['cancelling', 'held', 'frozen'],
  ['cancelling', 'dispute-opened', 'frozen'],
  ['cancelling', 'dispute-lost', 'revoked'],
  ['cancelling', 'refunded', 'revoked'],
  ['active', 'left-to-draw', 'left'],
  ['left', 'auto-donated', 'consumed'],
  ['left', 'dispute-opened', 'frozen'],
  ['left', 'held', 'frozen'],
  ['left', 'withdrawn', 'cancelling'],
  ['left', 'dispute-lost', 'revoked'],
  ['left', 'refunded', 'revoked'],
  ['left', 'kept-from-draw', 'active'],
]

const refusals: Readonly<Record<Exclude<CardStatus, 'active'>, string>> = {
  left: 'card-consumed',
  consumed: 'card-consumed',
  frozen: 'card-not-found',
  cancelling: 'card-not-found',
  revoked: 'card-not-found',
}

const pairs = CARD_STATUSES.flatMap(status => CARD_EVENTS.map(event => [status, event] as const))

describe('a card', () => {
  it.each(pairs)('that is %s and %s moves as the table says', (status, event) => {
    const change = changes.find(([from, by]) => from === status && by === event)
    const giving = event === 'redeemed' || event === 'auto-donated'
    if (change) expect(moveCard(status, event)).toBe(change[2])
    else if (giving && status !== 'active') {
      const error = thrownBy(() => moveCard(status, event))
      expect(isProblem(error) && error.code).toBe(refusals[status])
    } else expect(moveCard(status, event)).toBe(status)
  })

  it('has a row for each pair and no other', () => {
    expect(Object.keys(CARD_MOVES)).toEqual([...CARD_STATUSES])
    for (const row of Object.values(CARD_MOVES)) expect(Object.keys(row)).toEqual([...CARD_EVENTS])
  })

  it('once given stays given', () => {
    expect(Object.values(CARD_MOVES.consumed).every(next => next === 'consumed' || next === 'refused')).toBe(
      true,
    )
  })

  it('reads as missing while frozen, being cancelled or revoked', () => {
    expect(CARD_STATUSES.filter(isVisible)).toEqual(['active', 'left', 'consumed'])
  })
})
