import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { packTar, type TarSource } from 'modern-tar/fs'
import { localFolder, readKeptSecret } from '#server/platform/generated-secrets.ts'
import { givenIn } from '#server/platform/settings.ts'
import { Refusal, type Tools } from './command.ts'
import { settingsText } from './go-live/env.ts'

/** Where the settings and what is kept in DATA_DIR/local lie beside a backup, encrypted. */
export const secretsBeside = (backup: string): string => `${backup}${SECRETS}`
const SECRETS = '.secrets.age'

/** Is it the copy of the settings beside a backup, by its name? */
export const isSecretsCopy = (file: string): boolean => file.endsWith(SECRETS)

/** Encrypts for whoever keeps the key of a recipient (age1…), and for nobody on this machine. @throws Refusal where it is none */
export function encrypterFor(recipient: string): Encrypter {
  const encrypter = new Encrypter()
  try {
    encrypter.addRecipient(recipient)
  } catch {
    throw new Refusal(
      'BACKUP_RECIPIENT is no recipient of age. `age-keygen` says the right one, as `Public key: age1…`.',
    )
  }
  return encrypter
}

/**
 * Writes the settings as the site reads them, and DATA_DIR/local where there is one, to a file: a tar that was compressed
 * and encrypted, so that `age -d -i <key> <file> | tar xz` reads it on any machine. Whoever steals a backup with it opens
 * no card.
 */
export async function writeSecrets(tools: Tools, encrypter: Encrypter, file: string): Promise<void> {
  await pipeline(
    packTar(sourcesOf(tools)),
    createGzip(),
    async function* (plain: AsyncIterable<Uint8Array>) {
      const stream: unknown = ReadableStream.from(plain)
      yield* await encrypter.encrypt(stream as globalThis.ReadableStream<Uint8Array>)
    },
    createWriteStream(file, { mode: 0o600 }),
  )
}

/** Has a copy that is made here what opens the cards? Not where that comes with the site's own process alone. */
export const hasCardSecret = ({ environment, place }: Pick<Tools, 'environment' | 'place'>): boolean =>
  givenIn(environment).CARD_KEY_SECRET !== undefined ||
  readKeptSecret(place.dataDir, 'card-key-secret') !== undefined

/** What is said, and to be done, where it has not. */
export const WITHOUT_CARD_SECRET =
  'CARD_KEY_SECRET is not in it, since it is not set here: run this with the settings of the site.'

function sourcesOf({ environment, settingsFile, place }: Tools): TarSource[] {
  const before = settingsFile && readFileSync(settingsFile.path, 'utf8')
  const content = settingsText(givenIn(environment), HEAD, before)
  const local = localFolder(place.dataDir)
  return [
    { type: 'content', content, target: '.env', mode: 0o600 },
    ...(existsSync(local) ? [{ type: 'directory', source: local, target: 'local' } as const] : []),
  ]
}

const HEAD = 'The settings of this site as they were when a backup was made.'
