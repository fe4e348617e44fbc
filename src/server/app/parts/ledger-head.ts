import { originOf } from '#domain/public-ledger/checkpoint.ts'
import type { LedgerHead } from '#server/modules/letters/letter.ts'
import { forksIn, originIn, signerOfHead } from '#server/modules/public-ledger/keys.ts'
import type { PublicFigures } from '#server/modules/public-ledger/public-figures.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import type { Settings } from '#server/platform/settings.ts'

type LedgerSettings = Pick<Settings, 'ledgerKey' | 'earlierLedgerKeys' | 'siteUrl'>

/**
 * The key that signed a head, as people write it; undefined where nothing is signed.
 * @param note the newest head; before the first, the key is the one that will sign
 */
export function keyOfHead(
  { ledgerKey, earlierLedgerKeys, siteUrl }: LedgerSettings,
  note: string | undefined,
): string | undefined {
  if (ledgerKey === undefined) return undefined
  const signer = createSigner(ledgerKey, originOf(siteUrl))
  const earlier = earlierLedgerKeys.map(key => createSigner(key, originOf(siteUrl)))
  const signed = note === undefined ? undefined : signerOfHead({ signer, earlier }, note)
  return (signed ?? signer).verifierText
}

/** Where the files of a head are, below the site's address. @param note undefined before the first */
export function addressOfHead(note: string | undefined): string {
  const forks = note === undefined ? 0 : forksIn(originIn(note))
  return forks === 0 ? '/ledger/' : `/ledger/${forks + 1}/`
}

/** The head that letters tell of. */
export function headForLetters(
  settings: LedgerSettings,
  current: PublicFigures | undefined,
): LedgerHead | undefined {
  const key = keyOfHead(settings, current?.note)
  return current && key !== undefined ? { size: current.size, note: current.note, key } : undefined
}
