import { atom, type ReadableAtom } from 'nanostores'
import { isSpent } from '#domain/payment/spent.ts'
import { json, type TabValue, tabValue } from '#screens/shared/storage/tab.ts'
import { PAYMENT_ATTEMPT_KEY, WAITING_KEY } from '#wire/browser-names.ts'
import type { PaymentAnswer, PlaceInLine, Refusal, Result } from '#wire/client.ts'

/** The payment button (product.md#payment): continue, loading, a place in the line, and after a failure retry. */
export type PaymentState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading'; readonly retries: number }
  | { readonly kind: 'waiting'; readonly retries: number; readonly place: PlaceInLine }
  | { readonly kind: 'failed'; readonly retries: number; readonly refusal: Refusal }

/** A press and what it asked for, as JSON: the same again is the same attempt. */
interface Attempt {
  readonly key: string
  readonly choice: string
}

export interface PaymentCalls<Choice> {
  readonly start: (choice: Choice, attemptKey: string) => Promise<Result<PaymentAnswer>>
  readonly newAttemptKey: () => string
  /** The press that waits, as this tab keeps it: its key, and the choice as JSON. */
  readonly kept?: TabValue<string>
  /** The last attempt, as this tab keeps it. */
  readonly last?: TabValue<Attempt>
  /** Has the visitor come on from another page? Otherwise they are back, or the page was loaded anew. */
  readonly comesOn?: () => boolean
  readonly sleep?: (ms: number) => Promise<unknown>
}

export interface Payment<Choice> {
  readonly $state: ReadableAtom<PaymentState>
  /**
   * Asks for the payment page; gives its URL, or undefined after a failure or while one is under way. Where there is a
   * line, it waits in it and goes on by itself. The same choice is the same attempt, in a retry and for whoever comes
   * back, so that neither a lost answer nor Back opens a second payment; what was paid already is refused once. Another
   * choice is another attempt, except in the line, where it keeps its place.
   */
  press(choice: Choice): Promise<string | undefined>
  /** The choice, where a press of it waits in the line since before the page was loaded anew. */
  waiting(choice: () => Choice | undefined): Choice | undefined
  /** Back from the provider's page, or never gone there: ready again. */
  reset(): void
}

const keptByTab = tabValue<string>(WAITING_KEY, { read: text => text, write: text => text })

const lastOfTab = tabValue<Attempt>(
  PAYMENT_ATTEMPT_KEY,
  json(
    (value): value is Attempt =>
      typeof value === 'object' &&
      value !== null &&
      'key' in value &&
      typeof value.key === 'string' &&
      'choice' in value &&
      typeof value.choice === 'string',
  ),
)

const hasComeOn = (): boolean => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return visit?.type === 'navigate'
}

/** Hexadecimal, of 128 bits (`newAttemptKey`). */
const KEY_LETTERS = 32

/** Where the answer of somebody who waits is lost, they ask again after this, so often. */
const AGAIN_MS = 4_000
const LOST_IN_A_ROW = 15

/** What somebody says of themselves is kept by no tab. */
const written = (choice: object): string => JSON.stringify({ ...choice, donor: undefined })

export function createPayment<Choice extends object>({
  start,
  newAttemptKey,
  kept = keptByTab,
  last = lastOfTab,
  comesOn = hasComeOn,
  sleep = ms => new Promise(done => setTimeout(done, ms)),
}: PaymentCalls<Choice>): Payment<Choice> {
  const $state = atom<PaymentState>({ kind: 'ready' })
  // Whoever comes on from another page begins a purchase: the same gift again is meant.
  if (comesOn()) last.set(undefined)
  let attempt = last.get()

  function begin(choice: Choice, next: Attempt | undefined): void {
    attempt = next
    last.set('donor' in choice && choice.donor ? undefined : next)
  }

  /** Asks until there is a page or a refusal. */
  async function answerTo(choice: Choice, key: string, retries: number) {
    for (let lost = 0; ; ) {
      const answer = await start(choice, key)
      if (answer.ok && 'waiting' in answer.value) {
        lost = 0
        const place = answer.value.waiting
        kept.set(key + written(choice))
        $state.set({ kind: 'waiting', retries, place })
        await sleep(place.ask_again_ms)
      } else if (!answer.ok && answer.code === 'network' && kept.get() && lost++ < LOST_IN_A_ROW)
        await sleep(AGAIN_MS)
      else return answer as Result<{ readonly url: string }>
    }
  }

  return {
    $state,
    async press(choice) {
      const before = $state.get()
      if (before.kind === 'loading' || before.kind === 'waiting') return undefined
      const retries = before.kind === 'failed' ? before.retries : 0
      const asked = JSON.stringify(choice)
      const now =
        attempt?.choice === asked
          ? attempt
          : { key: kept.get()?.slice(0, KEY_LETTERS) ?? newAttemptKey(), choice: asked }
      begin(choice, now)
      $state.set({ kind: 'loading', retries })
      const answer = await answerTo(choice, now.key, retries)
      kept.set(undefined)
      if (answer.ok) return answer.value.url
      // A key that was used for something else, or paid with, is of no more use.
      if (answer.fields.some(({ path }) => path === 'Idempotency-Key')) begin(choice, undefined)
      // To be told that it is paid already is no failure.
      $state.set({ kind: 'failed', retries: isSpent(answer) ? 0 : retries + 1, refusal: answer })
      return undefined
    },
    waiting(choiceOf) {
      const waits = kept.get()?.slice(KEY_LETTERS)
      const choice = waits && choiceOf()
      return choice && waits === written(choice) ? choice : undefined
    },
    reset() {
      $state.set({ kind: 'ready' })
    },
  }
}
