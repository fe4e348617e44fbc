import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { applyPatch, incremental } from 'mendoza'
import { describe, expect, it } from 'vitest'
import { diff } from '#stand-ins/local-lake/diff.ts'

type Plain = Record<string, unknown>

/** Texts that share beginnings and ends, in letters of one to four bytes. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'Ł', '語', '🎁', ' '), maxLength: 30 }),
  fc
    .tuple(fc.string({ unit: 'binary', maxLength: 5 }), fc.nat(2))
    .map(([middle, n]) => `Médicos Sin Fronteras ${middle} 🎁 ayuda${'!'.repeat(n)}`),
)
const primitive = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
const name = fc.constantFrom('title', 'b', 'a', 'Z', 'ß', '_key', 'body', '10', '9', 'toString')
const { value } = fc.letrec(tie => ({
  value: fc.oneof({ depthSize: 'small' }, primitive, primitive, tie('list'), tie('keyed'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 5 }),
  keyed: fc.array(fc.record({ _key: fc.constantFrom('k1', 'k2', 'k3', 'k4'), text, more: tie('value') }), {
    maxLength: 5,
  }),
  object: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
}))
const json = (given: unknown) => JSON.parse(JSON.stringify(given)) as Plain
const document = fc.dictionary(name, value, { maxKeys: 6 }).map(json)

/** A document and one that came of it by small changes, as in an editor; now and then another altogether. */
const pair = fc.oneof(
  fc.tuple(document, document),
  fc.tuple(document, fc.dictionary(name, value, { maxKeys: 2 }).map(json), fc.option(name)).map(edited),
)

function edited([before, changes, gone]: [Plain, Plain, string | null]): [Plain, Plain] {
  const after = json({ ...before, ...changes })
  if (gone !== null) delete after[gone]
  for (const [key, inner] of Object.entries(after)) {
    if (typeof inner === 'string') after[key] = `${inner.slice(0, 3)}·${inner.slice(3)}`
    if (Array.isArray(inner)) after[key] = [...inner.slice(1), ...inner.slice(0, 1)]
  }
  return [before, json(after)]
}

/** Many times faster than `toEqual`, whose message is only wanted when they differ. */
function expectSame(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other)
}

/** The patcher that the Studio's history uses. */
function incrementally(before: unknown, patch: readonly unknown[]): unknown {
  return incremental.unwrap(incremental.applyPatch(incremental.wrap(before, 'then'), [...patch], 'now'))
}

describe('effects', () => {
  it('lead from any document to any other, by both patchers of the format', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        for (const [from, to] of [
          [before, after],
          [after, before],
        ] as const) {
          const patch = diff(from, to)
          expectSame(applyPatch(json(from), [...patch]), to)
          expectSame(incrementally(json(from), patch), to)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('write only what changed', () => {
    const long = 'Escuelas, salud y alimentos para la población. '.repeat(20)
    const before = { _id: 'a', body: long, list: [{ _key: 'x', text: long }, { _key: 'y' }] }
    const after = { ...before, body: `${long}!`, list: [{ _key: 'y' }, { _key: 'x', text: long }] }
    expect(JSON.stringify(diff(before, after)).length).toBeLessThan(60)
  })

  it('make and unmake a document whole', () => {
    expect(diff(null, { a: 1 })).toEqual([0, { a: 1 }])
    expect(diff({ a: 1 }, null)).toEqual([0, null])
  })
})
