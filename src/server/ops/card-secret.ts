import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type SecretVerdict, WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { type GivenSecrets, LACKING_SECRET, readCardKeys } from '#server/modules/gifts/cards/secrets.ts'
import { readKeptSecret } from '#server/platform/generated-secrets.ts'
import { Refusal, type Tools } from './command.ts'

/** The secrets that the site would use here; undefined where no setting and no file has one. */
export function secretsHere({ environment, place }: Tools): GivenSecrets | undefined {
  const current = environment.CARD_KEY_SECRET?.trim() || readKeptSecret(place.dataDir, 'card-key-secret')
  if (current === undefined) return undefined
  const earlier = (environment.CARD_KEY_SECRET_EARLIER ?? '').split(',').map(each => each.trim())
  return { current, earlier: earlier.filter(Boolean) }
}

/** `none`: there is no secret here. */
interface Here {
  /** undefined where there are no secrets, or where they are not the right ones. */
  readonly keys: CardKeys | undefined
  readonly verdict: SecretVerdict | 'none'
}

/** The keys made from the secrets here, and whether the cards were made with these secrets. */
export async function keysHere(tools: Tools): Promise<Here> {
  const secrets = secretsHere(tools)
  // The secret is too short, and the check of the settings says so.
  if (secrets === undefined || secrets.current.length < 32) return { keys: undefined, verdict: 'none' }
  return readCardKeys(await tools.database(), secrets)
}

/** Were the cards made with the secret that is set here? */
export const verdictHere = async (tools: Tools): Promise<Here['verdict']> => (await keysHere(tools)).verdict

/** For commands that have links mailed. @throws Refusal where the secret here is wrong and would make dead links */
export async function refuseWrongSecret(tools: Tools): Promise<void> {
  const verdict = await verdictHere(tools)
  if (verdict === 'wrong') throw new Refusal(WRONG_SECRET)
  if (verdict === 'incomplete') throw new Refusal(LACKING_SECRET)
}

/** The keys, for commands that make or read seals of accounts and invitations. @throws Refusal without the right secret */
export async function keysFor(tools: Tools): Promise<CardKeys> {
  await refuseWrongSecret(tools)
  const { keys } = await keysHere(tools)
  if (keys === undefined)
    throw new Refusal(
      'CARD_KEY_SECRET is not set here: without it nothing can be sealed, or told from a false one.',
    )
  return keys
}
