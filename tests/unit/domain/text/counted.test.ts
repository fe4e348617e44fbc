import { expect, it } from 'vitest'
import { counted } from '#domain/text/counted.ts'

it.each([
  [counted(0, 'card'), '0 cards'],
  [counted(1, 'card'), '1 card'],
  [counted(2, 'card'), '2 cards'],
  [counted(1, 'entry', 'entries'), '1 entry'],
  [counted(3, 'entry', 'entries'), '3 entries'],
])('a number has its noun: %s', (said, expected) => {
  expect(said).toBe(expected)
})
