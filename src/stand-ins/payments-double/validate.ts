import type { Fields, Shape } from './contract/shapes.ts'
import { refuse } from './errors.ts'
import type { FormNode, FormTree } from './form.ts'

export type Params = Readonly<Record<string, unknown>>

/**
 * Checks a request against the generated contract, as the API does: unknown and missing parameters, types,
 * enums, metadata limits. Gives the values in their types. `prefix` names the parameter in messages.
 */
export function validate(fields: Fields, tree: FormTree, prefix = ''): Params {
  const nameOf = (key: string) => (prefix === '' ? key : `${prefix}[${key}]`)
  for (const key of Object.keys(tree))
    if (!Object.hasOwn(fields, key))
      refuse(`Received unknown parameter: ${nameOf(key)}`, nameOf(key), 'parameter_unknown')
  for (const [key, shape] of Object.entries(fields))
    if (shape.required && tree[key] === undefined)
      refuse(`Missing required param: ${nameOf(key)}.`, nameOf(key), 'parameter_missing')
  return Object.fromEntries(
    Object.entries(tree).map(([key, node]) => [key, read(fields[key]!, node, nameOf(key))]),
  )
}

function read(shape: Shape, node: FormNode, param: string): unknown {
  if (node === '') {
    if (shape.empty) return null
    refuse(
      `You passed an empty string for '${param}'. It cannot be unset; leave the parameter out.`,
      param,
      'parameter_invalid_empty',
    )
  }
  switch (shape.kind) {
    case 'string':
      return text(node, param)
    case 'number':
      if (!/^-?\d{1,15}$/.test(text(node, param)))
        refuse(`Invalid integer: ${node}`, param, 'parameter_invalid_integer')
      return Number(node)
    case 'boolean':
      if (node !== 'true' && node !== 'false') refuse(`Invalid boolean: ${node}`, param)
      return node === 'true'
    case 'enum':
      if (!shape.values.includes(text(node, param)))
        refuse(`Invalid ${param}: must be one of ${shape.values.join(', ')}`, param)
      return node
    case 'dictionary':
      return metadata(hash(node, param), param)
    case 'object':
      return validate(shape.fields, hash(node, param), param)
    case 'array':
      return list(hash(node, param, 'Invalid array')).map((item, index) =>
        read(shape.of, item, `${param}[${index}]`),
      )
    case 'either': {
      const wantsHash = typeof node === 'object'
      const fitting = shape.of.find(one => (one.kind === 'object') === wantsHash) ?? shape.of[0]!
      return read(fitting, node, param)
    }
  }
}

function text(node: FormNode, param: string): string {
  return typeof node === 'string' ? node : refuse(`Invalid string for ${param}: got a hash`, param)
}

function hash(node: FormNode, param: string, complaint = 'Invalid hash'): FormTree {
  return typeof node === 'object' ? node : refuse(`${complaint} for ${param}`, param)
}

const list = (tree: FormTree) =>
  Object.keys(tree)
    .sort((a, b) => Number(a) - Number(b))
    .map(key => tree[key]!)

/** Up to 50 keys of 40 characters with values of 500; an empty value leaves its key out. */
function metadata(tree: FormTree, param: string): Readonly<Record<string, string>> {
  const entries = Object.entries(tree)
  if (entries.length > 50) refuse(`${param} can have up to 50 keys; there are ${entries.length}`, param)
  for (const [key, value] of entries) {
    const name = `${param}[${key}]`
    if (key.length > 40) refuse(`Metadata keys can have up to 40 characters: ${key}`, name)
    if (text(value, name).length > 500) refuse('Metadata values can have up to 500 characters', name)
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>
}
