import type { Selection } from '#domain/redemption/split.ts'
import { ATTEMPT_KEY } from '#wire/browser-names.ts'

interface KeptAttempt {
  /** The card and the split. */
  readonly choice: string
  readonly key: string
}

let current: KeptAttempt | undefined

/**
 * The Idempotency-Key of giving a card in this way: the same one for each try, also after a reload, so that an answer
 * that was lost is told whole again. Another card or another split is another attempt.
 */
export function attemptKeyOf(card: string, selection: readonly Selection[], newKey: () => string): string {
  const choice = JSON.stringify([card, selection.map(({ ngoId, points }) => [ngoId, points])])
  const known = [current, stored()].find(attempt => attempt?.choice === choice)
  current = known ?? { choice, key: newKey() }
  try {
    sessionStorage.setItem(ATTEMPT_KEY, JSON.stringify(current))
  } catch {
    // Blocked storage: it lives as long as the page.
  }
  return current.key
}

/** Forgets it once the card is given. */
export function forgetAttempt(): void {
  current = undefined
  try {
    sessionStorage.removeItem(ATTEMPT_KEY)
  } catch {
    // Blocked storage holds none.
  }
}

function stored(): KeptAttempt | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(ATTEMPT_KEY) ?? 'null') as KeptAttempt | null
    return typeof kept?.choice === 'string' && typeof kept.key === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}
