import type { Passkeys } from '#server/modules/operator/passkeys.ts'
import type { People } from '#server/modules/operator/people.ts'

const never = (): never => {
  throw new Error('No passkey is asked for here.')
}

/** A desk where nobody has a passkey. */
export const nobody: { readonly people: People; readonly passkeys: Passkeys } = {
  people: {
    isBegun: async () => false,
    standing: async () => undefined,
    passkeysOf: async () => [],
    passkey: async () => undefined,
    noteUse: never,
    invited: async () => undefined,
    first: never,
    join: never,
  },
  passkeys: { creation: never, request: never, made: never, idIn: () => undefined, signedWith: never },
}
