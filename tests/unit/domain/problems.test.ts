import { describe, expect, it } from 'vitest'
import { isProblem, PROBLEMS, Problem } from '#domain/problems.ts'

describe('a problem', () => {
  it('carries its status', () => {
    for (const [code, status] of Object.entries(PROBLEMS)) {
      expect(new Problem(code as keyof typeof PROBLEMS).status).toBe(status)
    }
  })

  it('is known by its shape, so that another copy of the class counts', () => {
    const copy = Object.assign(new Error('card-not-found'), {
      name: 'Problem',
      code: 'card-not-found',
      status: 404,
    })
    expect(isProblem(copy)).toBe(true)
    expect(isProblem(new Problem('card-consumed'))).toBe(true)
  })

  it('is no other error', () => {
    expect(isProblem(new Error('Problem'))).toBe(false)
    expect(isProblem({ name: 'Problem', code: 'card-not-found', status: 404 })).toBe(false)
    expect(isProblem(undefined)).toBe(false)
  })
})
