import type { Bank } from './bank.ts'
import { refuse } from './errors.ts'
import { listPage } from './lists.ts'
import type { ApiObject } from './objects.ts'

/** Fields that hold the id of an object the double knows. */
const REFERENCES = [
  'payment_intent',
  'payment_method',
  'latest_charge',
  'charge',
  'balance_transaction',
  'failure_balance_transaction',
  'source',
]

/** Replaces ids by their objects along paths such as `payment_intent.latest_charge`, at most four steps deep. */
export function expandAll<T extends object>(bank: Bank, answer: T, paths: readonly string[]): T {
  return paths.reduce((object, path) => {
    const steps = path.split('.')
    if (steps.length > 4) refuse(`You cannot expand more than 4 levels of a property (${path}).`, 'expand')
    return expand(bank, object as Node, steps, path) as T
  }, answer)
}

type Node = Readonly<Record<string, unknown>>

function expand(bank: Bank, object: Node, [step, ...rest]: readonly string[], path: string): Node {
  if (step === undefined) return object
  const value = object[step] ?? includable(bank, object, step)
  // A field that is null has nothing to show, and that is no error.
  if (value === null) return object
  if (step === 'data' && Array.isArray(value))
    return { ...object, data: value.map(one => expand(bank, one, rest, path)) }
  const target = typeof value === 'string' && REFERENCES.includes(step) ? bank.store.find(value) : value
  if (!target || typeof target !== 'object') refuse(`This property cannot be expanded (${path}).`, 'expand')
  return { ...object, [step]: expand(bank, target as Node, rest, path) }
}

/** Lists that an object shows only when asked. */
function includable(bank: Bank, object: Node, step: string): unknown {
  const { id } = object as ApiObject
  if (object.object === 'checkout.session' && step === 'line_items')
    return listPage(bank, 'item', `/v1/checkout/sessions/${id}/line_items`, {}, id)
  if (object.object === 'charge' && step === 'refunds')
    return listPage(bank, 'refund', `/v1/charges/${id}/refunds`, { charge: id })
  return object[step]
}
