/** Gives every object in a list the `_key` that it lacks. @param newKey makes one */
export function arrayKeysAdded<T>(value: T, newKey: () => string): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(element => withKey(element, newKey)) as T
  const entries = Object.entries(value).map(([name, inner]) => [name, arrayKeysAdded(inner, newKey)])
  return Object.fromEntries(entries) as T
}

function withKey(element: unknown, newKey: () => string): unknown {
  const inner = arrayKeysAdded(element, newKey)
  const needsOne = typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !('_key' in inner)
  return needsOne ? { _key: newKey().slice(0, 12), ...inner } : inner
}
