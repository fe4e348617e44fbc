import { refuse } from './errors.ts'

/** A form-encoded request as a tree: `line_items[0][quantity]=1` is `{ line_items: { 0: { quantity: '1' } } }`. */
export type FormNode = string | FormTree
export interface FormTree {
  [key: string]: FormNode
}

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Reads names with brackets into a tree; `name[]` appends. Refuses malformed or contradicting names. */
export function parseForm(pairs: Iterable<readonly [string, string]>): FormTree {
  const root = emptyTree()
  for (const [name, value] of pairs) {
    const [, head, brackets] = NAME.exec(name) ?? refuse(`Invalid parameter name: ${name}`, name)
    const path = [head!, ...[...brackets!.matchAll(/\[([^[\]]*)\]/g)].map(match => match[1]!)]
    put(root, path, value, name)
  }
  return root
}

function put(tree: FormTree, [step, ...rest]: string[], value: string, name: string): void {
  const key = step === '' ? String(Object.keys(tree).length) : step!
  if (rest.length === 0) {
    if (typeof tree[key] === 'object') refuse(`Invalid ${name}: given both as a value and as a hash`, name)
    tree[key] = value
    return
  }
  tree[key] ??= emptyTree()
  const next = tree[key]
  if (typeof next === 'string') refuse(`Invalid ${name}: given both as a value and as a hash`, name)
  put(next, rest, value, name)
}

/** Without a prototype, so that no parameter name can mean anything to the language. */
const emptyTree = (): FormTree => Object.create(null)
