/**
 * The payment session's id in an address's query. Some apps hand links on with a trailing quote and comma:
 * these are cut off (specification §5). undefined where there is none.
 */
export function sessionIdOf(search: string): string | undefined {
  return parameterOf(search, 'session_id')
}

/** The same for the key of a free card. */
export function privateKeyOf(search: string): string | undefined {
  return parameterOf(search, 'privateKey')
}

function parameterOf(search: string, name: string): string | undefined {
  const value = new URLSearchParams(search).get(name)?.trim()
  return value?.replace(/["'“”,]+$/, '') || undefined
}
