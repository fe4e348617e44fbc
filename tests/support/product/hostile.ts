import fc from 'fast-check'
import { z } from 'zod'
import { MARK } from './refusal.ts'

/** Markup that must never come back as it was sent. */
export const MARKUP = `<${MARK} onload="'>`

/** Texts that have surprised programs before: control and format characters, halves of pairs, names of objects' own parts. */
const STRANGE: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '\ufeff',
  '\r\nSet-Cookie: x=1',
  '💳'.repeat(20),
  'ı'.repeat(90),
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table cards; --',
  '{{7*7}}',
  '#{7*7}',
  MARKUP,
  `javascript:${MARK}`,
  '../../etc/passwd',
  'http://127.0.0.1:1/',
  '%00',
  '=1+1',
  'FROM_ANONYMOUS',
  'FROM_YOUR_NAME',
  'ngo-msf',
  'palestine',
  'giftcard-try',
  'cs_test_a1b2c3d4e5f6g7h8',
]

const STRANGE_NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  50,
  5000,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  Number.MIN_VALUE,
]

export const strangeText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...STRANGE),
  fc.constantFrom(...STRANGE).map(text => MARK + text),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.nat(2_000).map(length => MARK.padEnd(length, 'x')),
)

export const strangeValue: fc.Arbitrary<unknown> = fc.oneof(
  strangeText,
  fc.constantFrom(...STRANGE_NUMBERS, null, true, false),
  fc.array(strangeText, { maxLength: 4 }),
  fc.dictionary(strangeText, strangeText, { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 60 }).map(depth => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
)

/** As much of JSON Schema as our contracts come to. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Values that a contract's schema allows by its shape, with a good one's own values among them, and strange ones. */
export function valuesFor(schema: Schema, good?: unknown): fc.Arbitrary<unknown> {
  const shaped = shapedFor(schema, good)
  const known = good === undefined ? shaped : fc.constant(good)
  return fc.oneof(
    { weight: 5, arbitrary: schema.properties ? shaped : known },
    { weight: 3, arbitrary: shaped },
    { weight: schema.properties || schema.items ? 1 : 2, arbitrary: strangeValue },
  )
}

function shapedFor(schema: Schema, good: unknown): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(each => valuesFor(each, good)))
  switch (schema.type) {
    case 'object': {
      const goods = isRecord(good) ? good : {}
      const properties = Object.entries(schema.properties ?? {})
      const fields = Object.fromEntries(
        properties.map(([name, each]) => [name, valuesFor(each, goods[name])]),
      )
      return fc.record(fields, { requiredKeys: [...(schema.required ?? [])] })
    }
    case 'array': {
      const [first] = Array.isArray(good) ? good : []
      return fc.array(valuesFor(schema.items ?? {}, first), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    }
    case 'string':
      return fc.string({
        unit: 'grapheme',
        minLength: schema.minLength ?? 0,
        maxLength: schema.maxLength ?? 100,
      })
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1e9, -1e9),
        max: Math.min(schema.maximum ?? 1e9, 1e9),
      })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    default:
      return strangeValue
  }
}

/** Bodies of a JSON call: mostly of its own schema, with strange fields added, cut off, doubled, or no JSON at all. */
export function bodiesFor(contract: z.ZodType, good: unknown): fc.Arbitrary<string> {
  const schema = z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any' }) as Schema
  const whole = valuesFor(schema, good).map(text)
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    {
      weight: 3,
      arbitrary: fc
        .tuple(shapedFor(schema, good), fc.dictionary(strangeText, strangeValue, { maxKeys: 3 }))
        .map(([value, more]) => text({ ...(value as object), ...more })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([json, part]) => json.slice(0, json.length * part)),
    },
    // The second of two fields of one name wins, or does it?
    { weight: 1, arbitrary: whole.map(json => json.replace(/^\{(.*)\}$/s, '{$1,$1}')) },
    { weight: 1, arbitrary: fc.oneof(strangeText, strangeValue.map(text)) },
  )
}

/** Forms: a good one's fields with strange texts in them, and strange fields. */
export function formsFor(good: URLSearchParams): fc.Arbitrary<string> {
  const known = [...good]
  const field = fc.oneof(
    ...known.map(([name, value]) => fc.tuple(fc.constant(name), fc.oneof(fc.constant(value), strangeText))),
    fc.tuple(strangeText, strangeText),
  )
  return fc
    .array(field, { minLength: 1, maxLength: known.length + 2 })
    .map(fields => new URLSearchParams(fields.map(([name, value]) => [name, value])).toString())
}

/** Headers that a program may send to anybody. */
const HEADERS = [
  'Accept-Language',
  'Cookie',
  'Idempotency-Key',
  'Range',
  'If-None-Match',
  'If-Modified-Since',
  'Accept-Encoding',
  'Accept',
  'Authorization',
  'User-Agent',
  'Referer',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Http-Method-Override',
  'Sec-Fetch-Site',
  'Content-Type',
]
const headerValue = strangeText.map(value => value.replace(/[^\x20-\x7e]/g, '').slice(0, 300))

/** Mostly none at all. */
export const strangeHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom(...HEADERS), headerValue, { minKeys: 1, maxKeys: 3 }),
  },
)

const RAW_SEGMENTS = [
  '%',
  '%zz',
  '%c0%af',
  '%2e%2e',
  '..;',
  '%00',
  '%0d%0aX-A:b',
  '~',
  "';--",
  '%F0%9F%92%B3',
  'x'.repeat(900),
]
const segment = fc.oneof(
  fc.constantFrom(...RAW_SEGMENTS),
  strangeText.map(each => encodeURIComponent(each.toWellFormed()).slice(0, 900).replace(/%.?$/, '')),
)

/** Paths: mostly as it is, else with one part of it replaced, or with strange parameters. */
export function pathsFor(good: string): fc.Arbitrary<string> {
  const [path = '', query = ''] = good.split('?')
  const parts = path.split('/')
  const replaced = fc
    .tuple(fc.integer({ min: 1, max: Math.max(1, parts.length - 1) }), segment)
    .map(
      ([at, each]) =>
        [...parts.slice(0, at), each, ...parts.slice(at + 1)].join('/') + (query && `?${query}`),
    )
  const name = fc.constantFrom(
    'lang',
    'day',
    'token',
    'session_id',
    'privateKey',
    'origin',
    'sanity-preview-pathname',
  )
  const asked = fc
    .tuple(name, segment)
    .map(([each, value]) => `${path}?${query ? `${query}&` : ''}${each}=${value}`)
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(good) },
    { weight: 2, arbitrary: replaced },
    { weight: 2, arbitrary: asked },
  )
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'undefined'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
