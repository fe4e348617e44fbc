import { describe, expect, it } from 'vitest'
import {
  type AnswerFacts,
  answerState,
  type LetterFacts,
  letterDueAt,
  letterOfAnswer,
  toldIn,
} from '#domain/answer/answer.ts'
import { DAY_MS } from '#domain/durations.ts'

const USED_AT = Date.parse('2026-03-10T09:00:00Z')

describe('an answer', () => {
  const facts: AnswerFacts = { usedAt: USED_AT, isGiven: false, reachesGiver: true, isBlocked: false }

  it('can be given for 30 days from the use', () => {
    expect(answerState(facts, USED_AT)).toBe('open')
    expect(answerState(facts, USED_AT + 30 * DAY_MS - 1)).toBe('open')
    expect(answerState(facts, USED_AT + 30 * DAY_MS)).toBe('closed')
  })

  it('is given once', () => {
    expect(answerState({ ...facts, isGiven: true }, USED_AT)).toBe('given')
    expect(answerState({ ...facts, isGiven: true, isBlocked: true }, USED_AT + 31 * DAY_MS)).toBe('given')
  })

  it('needs a giver who can be told, and an operator who has not blocked it', () => {
    expect(answerState({ ...facts, reachesGiver: false }, USED_AT)).toBe('closed')
    expect(answerState({ ...facts, isBlocked: true }, USED_AT)).toBe('closed')
  })

  it('goes in the first letter while that has not gone, else in a second one', () => {
    expect(letterOfAnswer(false)).toBe('first')
    expect(letterOfAnswer(true)).toBe('second')
  })
})

describe('the letter', () => {
  const answer = { saysWhere: true, words: 'Thank you', letter: 'first' } as const
  const facts: LetterFacts = { letter: 'first', reachesGiver: true, isBlocked: false, answer: undefined }

  it('goes out a day after the use', () => {
    expect(letterDueAt(USED_AT)).toBe(USED_AT + DAY_MS)
  })

  it('says that the card was used, and nothing else without an answer', () => {
    expect(toldIn(facts)).toBeNull()
  })

  it('tells the answer that goes in it', () => {
    expect(toldIn({ ...facts, answer })).toEqual({ saysWhere: true, words: 'Thank you' })
    expect(toldIn({ ...facts, answer: { ...answer, saysWhere: false } })).toMatchObject({ saysWhere: false })
  })

  it('does not tell an answer that goes in the other one', () => {
    expect(toldIn({ ...facts, answer: { ...answer, letter: 'second' } })).toBeNull()
    expect(toldIn({ ...facts, letter: 'second', answer })).toBeUndefined()
    expect(toldIn({ ...facts, letter: 'second', answer: { ...answer, letter: 'second' } })).toEqual({
      saysWhere: true,
      words: 'Thank you',
    })
  })

  it('is no second one that says nothing new', () => {
    const empty = { saysWhere: false, words: null, letter: 'second' } as const
    expect(toldIn({ ...facts, letter: 'second', answer: empty })).toBeUndefined()
    expect(toldIn({ ...facts, letter: 'second', answer: { ...empty, words: 'Thanks' } })).toBeDefined()
    expect(toldIn({ ...facts, answer: { ...empty, letter: 'first' } })).toEqual({
      saysWhere: false,
      words: null,
    })
  })

  it('tells no blocked answer, and the second one then does not go', () => {
    expect(toldIn({ ...facts, answer, isBlocked: true })).toBeNull()
    const second = { ...answer, letter: 'second' } as const
    expect(toldIn({ ...facts, letter: 'second', answer: second, isBlocked: true })).toBeUndefined()
  })

  it('does not go to a giver who does not want it, or is forgotten', () => {
    expect(toldIn({ ...facts, answer, reachesGiver: false })).toBeUndefined()
    expect(toldIn({ ...facts, reachesGiver: false })).toBeUndefined()
  })
})
