import { expect, test } from 'vitest'
import { isPressShaped, SHOWING_MS, showingFor } from '#domain/card/showing.ts'

const NOW = 1_800_000_000_000

test('the first press is shown the links, and no other one after it', () => {
  expect(showingFor({ digest: null, at: null }, 'a', NOW)).toBe('first')
  expect(showingFor({ digest: 'a', at: NOW }, 'b', NOW)).toBe('over')
})

test('the same press is shown them again for an hour', () => {
  const kept = { digest: 'a', at: NOW }
  expect(showingFor(kept, 'a', NOW + SHOWING_MS - 1)).toBe('again')
  expect(showingFor(kept, 'a', NOW + SHOWING_MS)).toBe('over')
})

test('a press has a name that nobody guesses', () => {
  expect(isPressShaped('0123456789abcdef0123456789abcdef01234567')).toBe(true)
  for (const text of ['', '1', 'g'.repeat(40), 'a'.repeat(39), 'a'.repeat(41)])
    expect(isPressShaped(text)).toBe(false)
})
