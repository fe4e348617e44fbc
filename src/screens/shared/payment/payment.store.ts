import { atom, type ReadableAtom } from 'nanostores'
import { purchaseIn } from '#domain/payment/same-purchase.ts'
import { isKeyRefused, isKeyUsedUp, isSpent } from '#domain/payment/spent.ts'
import { json, type TabValue, tabValue } from '#screens/shared/storage/tab.ts'
import { PAYMENT_ATTEMPT_KEY, WAITING_KEY } from '#wire/browser-names.ts'
import type { PaymentAnswer, PlaceInLine, Refusal, Result } from '#wire/client.ts'

/** The payment button (product.md#payment): continue, loading, a place in the line, and after a failure retry. */
export type PaymentState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading'; readonly retries: number }
  | { readonly kind: 'waiting'; readonly retries: number; readonly place: PlaceInLine }
  | { readonly kind: 'failed'; readonly retries: number; readonly refusal: Refusal }

/** A press and the gift that it was for, as JSON: the same again is the same attempt. */
interface Attempt {
  readonly key: string
  readonly gift: string
}

export interface PaymentCalls<Choice> {
  readonly start: (choice: Choice, attemptKey: string) => Promise<Result<PaymentAnswer>>
  readonly newAttemptKey: () => string
  /** The press that waits, as this tab keeps it: its key, and the choice as JSON. */
  readonly kept?: TabValue<string>
  /** The last attempt, as this tab keeps it. */
  readonly last?: TabValue<Attempt>
  readonly sleep?: (ms: number) => Promise<unknown>
}

export interface Payment<Choice> {
  readonly $state: ReadableAtom<PaymentState>
  /**
   * Asks for the payment page; gives its URL, or undefined after a failure or while one is under way. Where there is a
   * line, it waits in it and goes on by itself. The same gift is the same attempt for as long as the tab lasts, so that
   * neither a lost answer nor Back opens a second payment; what was paid already is refused once. Another gift is
   * another attempt, except in the line, where it keeps its place.
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
      'gift' in value &&
      typeof value.gift === 'string',
  ),
)

/** Hexadecimal, of 128 bits (`newAttemptKey`). */
const KEY_LETTERS = 32

/** Where the answer of somebody who waits is lost, they ask again after this, so often. */
const AGAIN_MS = 4_000
const LOST_IN_A_ROW = 15

/** What somebody says of themselves is kept by no tab. */
const written = (choice: object): string => JSON.stringify({ ...choice, donor: undefined })

/** What is given and what it costs. */
const giftIn = (choice: object): string => JSON.stringify(purchaseIn(choice))

export function createPayment<Choice extends object>({
  start,
  newAttemptKey,
  kept = keptByTab,
  last = lastOfTab,
  sleep = ms => new Promise(done => setTimeout(done, ms)),
}: PaymentCalls<Choice>): Payment<Choice> {
  const $state = atom<PaymentState>({ kind: 'ready' })

  /** The key of the press for this gift; a new one where the last press was for another. */
  function keyFor(choice: Choice): string {
    const gift = giftIn(choice)
    const before = last.get()
    if (before?.gift === gift) return before.key
    return begin(gift, kept.get()?.slice(0, KEY_LETTERS))
  }

  function begin(gift: string, key = newAttemptKey()): string {
    last.set({ key, gift })
    return key
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
      $state.set({ kind: 'loading', retries })
      let answer = await answerTo(choice, keyFor(choice), retries)
      // The same gift in other words, in another language say, was not paid: it is another payment.
      if (!answer.ok && isKeyRefused(answer) && !isSpent(answer))
        answer = await answerTo(choice, begin(giftIn(choice)), retries)
      kept.set(undefined)
      if (answer.ok) return answer.value.url
      if (isKeyUsedUp(answer)) last.set(undefined)
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
