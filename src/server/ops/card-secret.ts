import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type SecretVerdict, WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { type GivenSecrets, LACKING_SECRET, readCardKeys } from '#server/modules/gifts/cards/secrets.ts'
import { readKeptSecret } from '#server/platform/generated-secrets.ts'
import { Refusal, type Tools } from './command.ts'

/** The secrets that the site would use here; undefined where none is set and none is kept. */
export function secretsHere({ environment, place }: Tools): GivenSecrets | undefined {
  const current = environment.CARD_KEY_SECRET?.trim() || readKeptSecret(place.dataDir, 'card-key-secret')
  if (current === undefined) return undefined
  const earlier = (environment.CARD_KEY_SECRET_EARLIER ?? '').split(',').map(each => each.trim())
  return { current, earlier: earlier.filter(Boolean) }
}

/** `none`: there is no secret here. */
interface Here {
  /** undefined where there are none, or they are not the right ones. */
  readonly keys: CardKeys | undefined
  readonly verdict: SecretVerdict | 'none'
}

/** The keys of the secrets that are set here, and whether they are those that the cards were made with. */
export async function keysHere(tools: Tools): Promise<Here> {
  const secrets = secretsHere(tools)
  // Too short: the settings say so.
  if (secrets === undefined || secrets.current.length < 32) return { keys: undefined, verdict: 'none' }
  return readCardKeys(await tools.database(), secrets)
}

/** Is the secret that is set here the one that the cards were made with? */
export const verdictHere = async (tools: Tools): Promise<Here['verdict']> => (await keysHere(tools)).verdict

/** For commands that have links mailed. @throws Refusal where the secret that is set here would make dead ones */
export async function refuseWrongSecret(tools: Tools): Promise<void> {
  const verdict = await verdictHere(tools)
  if (verdict === 'wrong') throw new Refusal(WRONG_SECRET)
  if (verdict === 'incomplete') throw new Refusal(LACKING_SECRET)
}
