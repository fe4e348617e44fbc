import { expect, it } from 'vitest'
import { type Chosen, chosenOf, readChoice } from '#domain/withdrawal/choice.ts'

it.each<[string, string | null, readonly string[], Chosen | undefined]>([
  ['everything', 'all', [], 'all'],
  ['everything, though some are ticked', 'all', ['2'], 'all'],
  ['what is ticked', 'some', ['2', '500'], [1, 499]],
  ['what is ticked, where nothing else was said', null, ['3', '3'], [2]],
  ['nothing', 'some', [], undefined],
  ['nothing by what is no number of a card', 'neither', ['0', '-1', '1.5', '1000', ' 2', 'x'], undefined],
])('a form chooses %s', (_, which, cards, chosen) => {
  expect(chosenOf(readChoice(which, cards))).toEqual(chosen)
})
