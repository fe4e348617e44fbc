import type { Codec } from '#screens/shared/storage/persisted.ts'
import { FALLBACK_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'
import { $message } from './message.store.ts'

const NGO_ID: Codec<string | undefined> = {
  read: text => (/^[\w-]{1,128}$/.test(text) ? text : undefined),
  write: id => id,
}

/** The organisation that an unused card shall go to; undefined: chance decides. */
export const $fallback = choice<string | undefined>(FALLBACK_KEY, undefined, NGO_ID)

/**
 * Takes back the choice of an organisation that is not on the list any more. Where it is chosen, that one cannot be
 * shown: chance would seem to be chosen already, and the server would go on refusing the other.
 */
export function forgetUnlisted(listed: readonly { readonly id: string }[]): void {
  const chosen = $fallback.get()
  if (chosen !== undefined && !listed.some(({ id }) => id === chosen)) $fallback.set(undefined)
}

/**
 * The gift is bought: the next one begins with chance again and without these words, in this tab and in others that are
 * opened later. A tab that is making another order keeps what it chose.
 */
export function endOrder(): void {
  $fallback.set(undefined)
  $message.set('')
}
