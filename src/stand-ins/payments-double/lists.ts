import type { Bank } from './bank.ts'
import { missing, refuse } from './errors.ts'
import type { ApiObject } from './objects.ts'
import type { Query } from './store.ts'
import type { Params } from './validate.ts'

/** The fields by which each list can be narrowed; the other parameters of a list are its page's. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': ['payment_intent', 'status'],
  payment_intent: [],
  charge: ['payment_intent'],
  refund: ['charge', 'payment_intent'],
  dispute: ['charge', 'payment_intent'],
  balance_transaction: ['currency', 'payout', 'source', 'type'],
  payout: ['status'],
  event: ['type'],
}

const PAGE_PARAMS = ['created', 'ending_before', 'expand', 'limit', 'starting_after', 'types']

/** Refuses the filters that the double does not imitate, and page sizes out of range. */
export function checkList(kind: string, params: Params): void {
  for (const key of Object.keys(params))
    if (!PAGE_PARAMS.includes(key) && !FILTERS[kind]?.includes(key))
      refuse(`The local payments double does not imitate "${key}".`, key)
  const limit = params.limit as number | undefined
  if (limit !== undefined && (limit < 1 || limit > 100))
    refuse('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer')
  if (params.starting_after !== undefined && params.ending_before !== undefined)
    refuse('Only one of starting_after and ending_before can be given.', 'ending_before')
  if (params.type !== undefined && params.types !== undefined)
    refuse('Only one of type and types can be given.', 'types')
}

/** One page of a list, newest first, with cursors as the API has them. */
export function listPage(bank: Bank, kind: string, url: string, params: Params, parent?: string) {
  const place = (cursor: 'starting_after' | 'ending_before') => {
    const id = params[cursor] as string | undefined
    return id === undefined ? undefined : (bank.store.placeOf(id) ?? missing(kind, id, cursor))
  }
  const limit = (params.limit as number | undefined) ?? 10
  const olderThan = place('starting_after')
  const newerThan = place('ending_before')
  const equal: Record<string, string | readonly string[]> = {}
  for (const field of FILTERS[kind] ?? [])
    if (params[field] !== undefined) equal[field] = params[field] as string
  if (params.types !== undefined) equal.type = params.types as readonly string[]
  const query: Query = {
    kind,
    equal,
    limit: limit + 1,
    ...(parent !== undefined && { parent }),
    ...(olderThan !== undefined && { olderThan }),
    ...(newerThan !== undefined && { newerThan }),
    ...range(params.created),
  }
  const found = bank.store.list<ApiObject>(query)
  const data = newerThan === undefined ? found.slice(0, limit) : found.slice(-limit)
  return { object: 'list', url, has_more: found.length > limit, data }
}

/** `created` as one second or as bounds. */
function range(created: unknown): { from?: number; to?: number } {
  if (created === undefined) return {}
  if (typeof created === 'number') return { from: created, to: created }
  const { gt, gte, lt, lte } = created as { gt?: number; gte?: number; lt?: number; lte?: number }
  const from = Math.max(gte ?? -Infinity, gt === undefined ? -Infinity : gt + 1)
  const to = Math.min(lte ?? Infinity, lt === undefined ? Infinity : lt - 1)
  return { ...(Number.isFinite(from) && { from }), ...(Number.isFinite(to) && { to }) }
}
