import type { Codec } from '#screens/shared/storage/persisted.ts'
import { FALLBACK_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

const NGO_ID: Codec<string | undefined> = {
  read: text => (/^[\w-]{1,128}$/.test(text) ? text : undefined),
  write: id => id,
}

/** The organisation that an unused card shall go to; undefined: chance decides. */
export const $fallback = choice<string | undefined>(FALLBACK_KEY, undefined, NGO_ID)
