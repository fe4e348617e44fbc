import { expect, it } from 'vitest'
import { byTurn } from '#domain/limits/line.ts'

it('who has used least of what is theirs comes first, and among those who came first', () => {
  const line = [
    { who: 'presses for the fortieth time', left: 0.2, since: 1 },
    { who: 'came second', left: 0.98, since: 3 },
    { who: 'came first', left: 0.95, since: 2 },
    { who: 'has nothing left', left: 0, since: 0 },
  ]
  expect(line.sort(byTurn).map(({ who }) => who)).toEqual([
    'came first',
    'came second',
    'presses for the fortieth time',
    'has nothing left',
  ])
})
