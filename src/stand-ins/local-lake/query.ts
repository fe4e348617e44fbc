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
  const options = {
    dataset: view.documents,
    params: { ...params },
    timestamp: new Date(now),
    identity,
    dereference: ({ _ref }: { _ref: string }) => view.get(_ref),
  }
  const listOf = (node: ExprNode) => listOnce(node, options)
  const tree = query.includes('text::') || query.includes(' in ') ? replaced(asked, view, listOf) : asked
  return { tree: tree as ExprNode, options }
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

type Node = Readonly<Record<string, unknown>>

/**
 * Puts the ids that a search finds in the place of `… match text::query("…")`, which the library lacks, and its list in
 * the place of `… in *[…]` where that is the same for every document: the library would ask anew for each.
 */
function replaced(node: unknown, view: View, listOf: (node: ExprNode) => unknown[] | undefined): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(each => replaced(each, view, listOf))
  // Values are data: a document may well say "OpCall".
  if ((node as Node).type === 'Value') return node
  const asked = searchIn(node as Node)
  if (asked !== undefined) {
    const value = search(view.documents, asked)
    return {
      type: 'OpCall',
      op: 'in',
      left: { type: 'AccessAttribute', name: '_id' },
      right: { type: 'Value', value },
    }
  }
  const inner = Object.fromEntries(
    Object.entries(node).map(([key, each]) => [key, replaced(each, view, listOf)]),
  )
  const list = isIn(inner) && beginsWithEverything(inner.right) && !looksOutside(inner.right)
  const value = list ? listOf(inner.right as ExprNode) : undefined
  return value === undefined ? inner : { ...inner, right: { type: 'Value', value } }
}

const isIn = ({ type, op }: Node): boolean => type === 'OpCall' && op === 'in'

/** Is it `*`, or something made of it: `*[…].ngos[]._ref`? */
function beginsWithEverything(node: unknown): boolean {
  for (let each = node as Node | undefined; each; each = each.base as Node | undefined)
    if (each.type === 'Everything') return true
  return false
}

/** Does something in it belong to the document around it, by `^`? */
const looksOutside = (node: unknown): boolean =>
  typeof node === 'object' &&
  node !== null &&
  ((node as Node).type === 'Parent' ||
    ((node as Node).type !== 'Value' && Object.values(node).some(looksOutside)))

/** The list that it stands for; undefined where it is none, or needs promises. */
function listOnce(node: ExprNode, options: Parameters<typeof evaluateSync>[1]): unknown[] | undefined {
  try {
    const { data } = evaluateSync(node, options)
    return Array.isArray(data) ? data : undefined
  } catch {
    return undefined
  }
}

function searchIn({ type, op, right }: Node): string | undefined {
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
