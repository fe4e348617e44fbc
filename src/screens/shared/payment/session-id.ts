/**
 * The payment session's id in an address's query. Some apps hand links on with a trailing quote and comma:
 * these are cut off (product.md#form-checks). undefined where there is none.
 */
export function sessionIdOf(search: string): string | undefined {
  return parameterOf(search, 'session_id')
}

/** The same for the key of a free card. */
export function privateKeyOf(search: string): string | undefined {
  return parameterOf(search, 'privateKey')
}

const LEFT_BEHIND = `"'“”,`

function parameterOf(search: string, name: string): string | undefined {
  const value = new URLSearchParams(search).get(name)?.trim() ?? ''
  let end = value.length
  while (end > 0 && LEFT_BEHIND.includes(value.charAt(end - 1))) end--
  return value.slice(0, end) || undefined
}
