/**
 * The payment session's id in an address's query. Some apps hand links on with a trailing quote and comma:
 * these are cut off (specification §5). undefined where there is none.
 */
export function sessionIdOf(search: string): string | undefined {
  const id = new URLSearchParams(search).get('session_id')?.trim()
  return id?.replace(/["'“”,]+$/, '') || undefined
}
