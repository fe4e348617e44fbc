import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { EVERYTHING_PUBLISHED_RESULT } from '#server/modules/content/generated/sanity.types.ts'
import type { ExpectedAnswer } from '#server/modules/content/validate.ts'
import { typegenInputs } from '../../../studio/build/typegen-inputs.ts'

/** The answer when everything that the site needs is there: what may be missing is what its check is for. */
type Complete<T> = T extends readonly (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Complete<NonNullable<T[Key]>> }
    : T

describe('the types generated from the schemas', () => {
  it('were made of the schemas and questions there are', () => {
    const kept = readFileSync('studio/generated/inputs.sha256', 'utf8').trim()
    expect(kept, 'run "npm run typegen" in studio/').toBe(typegenInputs())
  })

  it('agree with what the site expects of its content', () => {
    expectTypeOf<Complete<NonNullable<EVERYTHING_PUBLISHED_RESULT>>>().toExtend<ExpectedAnswer>()
  })
})
