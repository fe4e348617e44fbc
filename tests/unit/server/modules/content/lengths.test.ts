import { expect, it } from 'vitest'
import { z } from 'zod'
import { published, stored } from '#server/modules/content/validate.ts'

/** The places of a schema whose texts or lists may be of any length. */
function unbounded(schema: z.core.$ZodType, place = ''): string[] {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return (schema as z.ZodString).maxLength === null ? [place] : []
  if (schema instanceof z.ZodArray) {
    const hasMost = schema.def.checks?.some(({ _zod: { def } }) => def.check === 'max_length')
    return [...(hasMost ? [] : [`${place}[]`]), ...unbounded(schema.def.element, `${place}[]`)]
  }
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.def.shape).flatMap(([name, inner]) => unbounded(inner, `${place}.${name}`))
  if (schema instanceof z.ZodPipe) return unbounded(schema.def.in, place)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unbounded(schema.def.innerType, place)
  const isBounded = [z.ZodEnum, z.ZodLiteral, z.ZodNumber, z.ZodBoolean].some(kind => schema instanceof kind)
  return isBounded ? [] : [`${place} (${schema._zod.def.type})`]
}

it.each([
  ['is published', published],
  ['is kept', stored],
])('no text and no list of the content that %s is of any length', (_, schema) => {
  expect(unbounded(schema)).toEqual([])
})

it('a text without an end is seen, wherever it stands', () => {
  const loose = z.object({ a: z.array(z.object({ b: z.string().nullish().transform(String) })).default([]) })
  expect(unbounded(loose)).toEqual(['.a[]', '.a[].b'])
})
