import type { z } from 'zod'
import { type FieldProblem, Problem } from '#domain/problems.ts'

/** Reads a body by its schema. Problem `invalid-fields`, with path and rule of each field, where it does not fit. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(parse(text))
  if (result.success) return result.data
  throw new Problem('invalid-fields', { fields: result.error.issues.flatMap(fieldProblems) })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid-fields', { fields: [{ path: '', rule: 'json' }] })
  }
}

/** Of the fields that a schema does not know so many are named, each by so many characters. */
const MOST_UNKNOWN = 5
const LONGEST_NAME = 40

/** The rule is the schema's own word. The message is left out, since it may quote what was sent. */
function fieldProblems(issue: z.core.$ZodIssue): readonly FieldProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MOST_UNKNOWN)
      .map(key => ({ path: [...issue.path, key.slice(0, LONGEST_NAME)].join('.'), rule: 'unknown' }))
  const rule = issue.code === 'custom' ? issue.params?.rule : issue.code
  return [{ path: issue.path.join('.'), rule: typeof rule === 'string' ? rule : issue.code }]
}
