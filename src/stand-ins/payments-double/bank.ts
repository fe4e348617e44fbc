import contract from './contract/generated/contract.json' with { type: 'json' }
import { type ApiEvent, type ApiObject, complete } from './objects.ts'
import type { Store } from './store.ts'

/** How long things take that are not at once at the real provider; short here, so that one can watch them. */
export const DELAYS = {
  sepaResultMs: 5_000,
  refundResultMs: 5_000,
  disputeMs: 8_000,
} as const

/** What the parts of the double share: the store, the time, fresh ids, and the two ways to cause something. */
export interface Bank {
  readonly store: Store
  /** Without a slash at the end. */
  readonly siteUrl: string
  /** The currencies of the account's bank accounts, in lower case: what comes in another one is converted to the first. */
  readonly settles: readonly string[]
  /** Epoch seconds. */
  now(): number
  /** `cs_test_…`: the prefix and letters and digits that cannot be guessed. */
  newId(prefix: string, length?: number): string
  /** Writes an event with the object as it is now, and queues its delivery. */
  emit(type: string, object: ApiObject): void
  /** Has a task of this name done after so many milliseconds, whatever happens to the process. */
  later(delayMs: number, what: string, arg: string): void
  /** The same at an instant, epoch ms; planned once however often it is asked for. */
  laterAt(atMs: number, what: string, arg: string): void
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createBank(options: {
  readonly store: Store
  readonly siteUrl: string
  readonly settles: readonly string[]
  readonly clock: () => number
  readonly chance: (bytes: number) => Uint8Array
}): Bank {
  const { store, clock, chance } = options
  const bank: Bank = {
    store,
    siteUrl: options.siteUrl.replace(/\/+$/, ''),
    settles: options.settles,
    now: () => Math.floor(clock() / 1000),
    newId: (prefix, length = 24) =>
      prefix + Array.from(chance(length), byte => LETTERS[byte % LETTERS.length]).join(''),
    emit(type, object) {
      const event = complete<ApiEvent>({
        id: bank.newId('evt_'),
        object: 'event',
        api_version: contract.apiVersion,
        created: bank.now(),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      })
      store.add(event)
      store.queueDelivery(event.id, clock())
    },
    later: (delayMs, what, arg) => store.planLater(clock() + delayMs, what, arg),
    laterAt: (atMs, what, arg) => store.planOnce(atMs, what, arg),
  }
  return bank
}
