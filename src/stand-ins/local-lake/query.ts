import { type ExprNode, evaluate, evaluateSync, GroqSyntaxError, parse } from 'groq-js'
import { LakeError } from './errors.ts'
import { search } from './search.ts'
import type { View } from './views.ts'

/** A GROQ question: its text, and the values of its `$parameters`. */
export interface Query {
  readonly query: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Asker {
  /** Epoch milliseconds, for `now()`. */
  readonly now: number
  /** For `identity()`. */
  readonly identity: string
}

/**
 * Answers a query over a view. Every query is parsed anew: the parser folds the values of the parameters into the
 * tree, so a tree kept by the query's text would answer with somebody else's parameters. Evaluated without promises,
 * which is five times as fast; the few functions that need them are asked again, and their answer is a promise.
 * Refuses what does not parse or cannot be evaluated, in the API's shape.
 */
export function answer(query: Query, view: View, asker: Asker): unknown {
  const { tree, options } = prepare(query, view, asker)
  try {
    return evaluateSync(tree, options).data
  } catch (error) {
    if (!/sync/i.test(messageOf(error))) throw unanswerable(query, error)
  }
  return answerLater(query, tree, options)
}

async function answerLater(query: Query, ...asked: Parameters<typeof evaluate>): Promise<unknown> {
  try {
    const value = await evaluate(...asked)
    return await value.get()
  } catch (error) {
    throw unanswerable(query, error)
  }
}

/** The same at once, for what waits in a transaction or filters events. */
export function answerNow(query: Query, view: View, asker: Asker): unknown {
  const { tree, options } = prepare(query, view, asker)
  try {
    return evaluateSync(tree, options).data
  } catch (error) {
    throw unanswerable(query, error)
  }
}

function prepare({ query, params }: Query, view: View, { now, identity }: Asker) {
  const asked = parsed(query, params)
  const tree = query.includes('text::') ? searching(asked, view) : asked
  const options = {
    dataset: view.documents,
    params: { ...params },
    timestamp: new Date(now),
    identity,
    dereference: ({ _ref }: { _ref: string }) => view.get(_ref),
  }
  return { tree, options }
}

function parsed(query: string, params: Query['params']): ExprNode {
  try {
    return parse(query, { params: { ...params } })
  } catch (error) {
    const description = messageOf(error)
    const start = error instanceof GroqSyntaxError ? error.position : 0
    throw new LakeError(400, description, {
      error: { type: 'queryParseError', description, query, start, end: query.length },
    })
  }
}

function unanswerable({ query }: Query, error: unknown): LakeError {
  const description = `This query cannot be answered here: ${messageOf(error)}`
  return new LakeError(400, description, { error: { type: 'queryEvaluationError', description, query } })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Puts in the place of `… match text::query("…")`, which the library lacks, the ids that a search finds. */
function searching(node: ExprNode, view: View): ExprNode {
  return replaced(node, view) as ExprNode
}

function replaced(node: unknown, view: View): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(each => replaced(each, view))
  const asked = searchIn(node as Readonly<Record<string, unknown>>)
  if (asked !== undefined) {
    const value = search(view.documents, asked)
    return {
      type: 'OpCall',
      op: 'in',
      left: { type: 'AccessAttribute', name: '_id' },
      right: { type: 'Value', value },
    }
  }
  // Values are data: a document may well say "OpCall".
  if ((node as { type?: unknown }).type === 'Value') return node
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, replaced(inner, view)]))
}

function searchIn({ type, op, right }: Readonly<Record<string, unknown>>): string | undefined {
  if (type !== 'OpCall' || op !== 'match') return undefined
  const call = right as {
    type: string
    namespace?: string
    name?: string
    args?: readonly { value?: unknown }[]
  }
  if (call.type !== 'FuncCall' || call.namespace !== 'text' || call.name !== 'query') return undefined
  return String(call.args?.[0]?.value ?? '')
}
