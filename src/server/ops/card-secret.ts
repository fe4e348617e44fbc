import { type CardKeys, createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { examineSecret, type SecretVerdict, WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { readKeptSecret } from '#server/platform/generated-secrets.ts'
import { Refusal, type Tools } from './command.ts'

/** The secret that the site would use here; undefined where none is set and none is kept. */
export function secretHere({ environment, place }: Tools): string | undefined {
  return environment.CARD_KEY_SECRET?.trim() || readKeptSecret(place.dataDir, 'card-key-secret')
}

/** The keys of that secret. */
export function keysHere(tools: Tools): CardKeys | undefined {
  const secret = secretHere(tools)
  if (secret === undefined) return undefined
  try {
    return createCardKeys(secret)
  } catch {
    // Too short: the settings say so.
    return undefined
  }
}

/** Is the secret that is set here the one that the cards were made with? `none`: there is none here. */
export async function verdictHere(tools: Tools): Promise<SecretVerdict | 'none'> {
  const keys = keysHere(tools)
  return keys === undefined ? 'none' : examineSecret(await tools.database(), keys)
}

/** The keys to look at seals with: of the right secret alone, since under another every seal looks broken. */
export async function keysOfSeals(tools: Tools): Promise<CardKeys | undefined> {
  return (await verdictHere(tools)) === 'wrong' ? undefined : keysHere(tools)
}

/** For commands that have links mailed. @throws Refusal where the secret that is set here would make dead ones */
export async function refuseWrongSecret(tools: Tools): Promise<void> {
  if ((await verdictHere(tools)) === 'wrong') throw new Refusal(WRONG_SECRET)
}
