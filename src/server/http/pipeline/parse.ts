import type { z } from 'zod'
import { type FieldProblem, Problem } from '#domain/problems.ts'

/** Reads a body by its schema. Problem `invalid-fields`, with path and rule of each field, where it does not fit. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(parse(text))
  if (result.success) return result.data
  throw new Problem('invalid-fields', { fields: result.error.issues.map(fieldProblem) })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid-fields', { fields: [{ path: '', rule: 'json' }] })
  }
}

/** The rule is the schema's own word. The message is left out, since it may quote what was sent. */
function fieldProblem(issue: z.core.$ZodIssue): FieldProblem {
  // A field that there is not is named by whoever sent it: it is not said again.
  if (issue.code === 'unrecognized_keys') return { path: issue.path.join('.'), rule: 'unknown-field' }
  const rule = issue.code === 'custom' ? issue.params?.rule : issue.code
  return { path: issue.path.join('.'), rule: typeof rule === 'string' ? rule : issue.code }
}
