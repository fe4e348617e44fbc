import { originOf } from '#domain/public-ledger/checkpoint.ts'
import type { LedgerHead } from '#server/modules/letters/letter.ts'
import {
  forksIn,
  type LedgerKeys,
  ledgerKeys,
  originIn,
  signerOfHead,
} from '#server/modules/public-ledger/keys.ts'
import type { PublicFigures } from '#server/modules/public-ledger/public-figures.ts'
import type { Settings } from '#server/platform/settings.ts'

/** The head of the public ledger as pages and letters name it. */
export interface ShownHead {
  /** The key that signed it, as people write it; before the first, the one that will. Undefined where nothing is signed. */
  key(): string | undefined
  /** Where its files are, below the site's address. */
  address(): string
  /** What letters tell of it; undefined before the first. */
  forLetters(): LedgerHead | undefined
}

/**
 * The keys that the settings name, for the site's log.
 * @returns undefined where nothing can be signed
 */
export function keysIn({
  ledgerKey,
  earlierLedgerKeys,
  siteUrl,
}: Pick<Settings, 'ledgerKey' | 'earlierLedgerKeys' | 'siteUrl'>): LedgerKeys | undefined {
  return ledgerKey === undefined ? undefined : ledgerKeys(ledgerKey, earlierLedgerKeys, originOf(siteUrl))
}

/**
 * Who signed a head is looked up once for each head, since pages and letters ask for it all the time.
 * @param current the newest head, which another one may follow
 */
export function createShownHead(
  keys: LedgerKeys | undefined,
  current: () => PublicFigures | undefined,
): ShownHead {
  let known: { readonly note: string | undefined; readonly key: string | undefined } | undefined

  function key(): string | undefined {
    const note = current()?.note
    if (known === undefined || known.note !== note) known = { note, key: keyOf(keys, note) }
    return known.key
  }

  return {
    key,
    address() {
      const note = current()?.note
      const forks = note === undefined ? 0 : forksIn(originIn(note))
      return forks === 0 ? '/ledger/' : `/ledger/${forks + 1}/`
    },
    forLetters() {
      const head = current()
      const signedWith = key()
      return head && signedWith !== undefined
        ? { size: head.size, note: head.note, key: signedWith }
        : undefined
    },
  }
}

function keyOf(keys: LedgerKeys | undefined, note: string | undefined): string | undefined {
  if (keys === undefined) return undefined
  const signed = note === undefined ? undefined : signerOfHead(keys, note)
  return (signed ?? keys.signer).verifierText
}
