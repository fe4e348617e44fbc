import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { NOT_OURS } from '#tests/support/languages.ts'
import { isChoice, isShown } from '../../../studio/src/languages/shown.ts'

const field = { name: 'fr', hasProblem: false, isFocused: false }

describe('the languages of a document', () => {
  it('are all shown at first', () => expect(isShown(field, 'all')).toBe(true))

  it('are put aside when the operator works on another', () => {
    expect(isShown(field, 'fr')).toBe(true)
    expect(isShown(field, 'es')).toBe(false)
  })

  it('come back where something is wrong, or where the operator was led', () => {
    expect(isShown({ ...field, hasProblem: true }, 'es')).toBe(true)
    expect(isShown({ ...field, isFocused: true }, 'es')).toBe(true)
  })

  it('are remembered only as what there is to choose', () => {
    expect(['all', ...LANGUAGES].every(isChoice)).toBe(true)
    expect(isChoice(NOT_OURS[0]!)).toBe(false)
    expect(isChoice(null)).toBe(false)
  })
})
