import { evaluate, GroqSyntaxError, parse } from 'groq-js'
import type { LakeDocument } from './documents.ts'

/** A GROQ question: its text, and the values of its `$parameters`. */
export interface Query {
  readonly query: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The API's own shape for a query that does not parse; `start` and `end` are offsets into the query. */
export interface QueryParseError {
  readonly type: 'queryParseError'
  readonly description: string
  readonly query: string
  readonly start: number
  readonly end: number
}

export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: QueryParseError }

/**
 * Answers a query over the documents given. Every query is parsed anew: the parser folds the values of the
 * parameters into the tree, so a tree kept by the query's text would answer with somebody else's parameters.
 */
export async function answer(
  { query, params }: Query,
  documents: readonly LakeDocument[],
  now: number,
): Promise<Answer> {
  try {
    const tree = parse(query, { params: { ...params } })
    const value = await evaluate(tree, {
      dataset: documents,
      params: { ...params },
      timestamp: new Date(now),
    })
    return { ok: true, result: await value.get() }
  } catch (error) {
    if (!(error instanceof GroqSyntaxError)) throw error
    const { message, position } = error
    return {
      ok: false,
      error: { type: 'queryParseError', description: message, query, start: position, end: query.length },
    }
  }
}
