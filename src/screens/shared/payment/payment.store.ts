import { atom, type ReadableAtom } from '#screens/shared/storage/atom.ts'
import type { Refusal, Result } from '#wire/client.ts'

/** The payment button (product.md#payment): continue, loading, and after a failure retry. */
export type PaymentState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading'; readonly retries: number }
  | { readonly kind: 'failed'; readonly retries: number; readonly refusal: Refusal }

export interface PaymentCalls<Choice> {
  readonly start: (choice: Choice, attemptKey: string) => Promise<Result<{ readonly url: string }>>
  readonly newAttemptKey: () => string
}

export interface Payment<Choice> {
  readonly $state: ReadableAtom<PaymentState>
  /**
   * Asks for the payment page; gives its URL, or undefined after a failure or while one is under way. A retry of
   * the same choice is the same attempt, so a lost answer never opens a second payment; another choice is another.
   */
  press(choice: Choice): Promise<string | undefined>
  /** Back from the provider's page, or never gone there: ready again, and the next press is a new attempt. */
  reset(): void
}

export function createPayment<Choice>({ start, newAttemptKey }: PaymentCalls<Choice>): Payment<Choice> {
  const $state = atom<PaymentState>({ kind: 'ready' })
  let attempt: { readonly key: string; readonly choice: string } | undefined

  return {
    $state,
    async press(choice) {
      const before = $state.get()
      if (before.kind === 'loading') return undefined
      const retries = before.kind === 'failed' ? before.retries : 0
      const asked = JSON.stringify(choice)
      if (attempt?.choice !== asked) attempt = { key: newAttemptKey(), choice: asked }
      $state.set({ kind: 'loading', retries })
      const answer = await start(choice, attempt.key)
      if (answer.ok) return answer.value.url
      $state.set({ kind: 'failed', retries: retries + 1, refusal: answer })
      return undefined
    },
    reset() {
      attempt = undefined
      $state.set({ kind: 'ready' })
    },
  }
}
