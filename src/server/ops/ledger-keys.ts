import { type LedgerKeys, ledgerKeys } from '#server/modules/public-ledger/keys.ts'
import { readKeptSecret } from '#server/platform/generated-secrets.ts'
import { listOf } from '#server/platform/settings/shapes.ts'
import type { Tools } from './command.ts'

/** What the public ledger is signed with here; undefined where no setting and no file has it. */
export const ledgerKeyHere = ({
  environment,
  place,
}: Pick<Tools, 'environment' | 'place'>): string | undefined =>
  environment.LEDGER_KEY?.trim() || readKeptSecret(place.dataDir, 'ledger-key')

/** The keys of before, the newest first. */
const earlierKeysHere = ({ environment }: Pick<Tools, 'environment'>): readonly string[] =>
  listOf(environment.LEDGER_KEY_EARLIER?.trim() ?? '')

/** The keys that are set here, for a log of this name; undefined without one. */
export function keysOfLog(
  tools: Pick<Tools, 'environment' | 'place'>,
  origin: string,
): LedgerKeys | undefined {
  const secret = ledgerKeyHere(tools)
  return secret === undefined ? undefined : ledgerKeys(secret, earlierKeysHere(tools), origin)
}
