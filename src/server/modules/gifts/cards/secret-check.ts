import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

/** The cards of each kind that are looked at: one that somebody has tampered with stops no site. */
const LOOKED_AT = 3
const NAME = 'card-key-secret'

/**
 * `unknown`: nothing has been made with any secret yet. `incomplete`: there are cards that nobody has used, and the
 * earlier secret that they were made with is not here.
 */
export type SecretVerdict = 'right' | 'wrong' | 'unknown' | 'incomplete'

/** The error message when the secret differs from the one before. */
export const WRONG_SECRET =
  'CARD_KEY_SECRET is not the one the cards were made with, so every link would be dead: set the earlier one.'

/**
 * Were this database's cards made with this secret? The newest cards of both kinds say so: their keys are derived and
 * compared with the digests that are kept. Where there is no card yet, what the first start has noted says it.
 */
export function examineSecret(db: Database, keys: CardKeys): Promise<SecretVerdict> {
  return db.read(async reader => {
    const cards = (await newestCards(reader)).filter(({ key_version }) => keys.knows(key_version))
    if (cards.length > 0) {
      const isRight = cards.some(
        ({ id, key_version, digest }) => keys.digest(keys.privateKey(id, key_version)) === digest,
      )
      return isRight ? 'right' : 'wrong'
    }
    const noted = await notedMarks(reader)
    if (noted.length === 0) return 'unknown'
    return noted.some(({ mark }) => keys.marks.includes(mark)) ? 'right' : 'wrong'
  })
}

/** The name under which the secret of a number is noted. */
export const nameOfMark = (number: number): string => (number === 0 ? NAME : `${NAME}:${number}`)

/** The secrets that a database has been used with, by their numbers. */
export async function notedMarks(
  db: Reader,
): Promise<readonly { readonly number: number; readonly mark: string }[]> {
  const rows = await db
    .selectFrom('secret_checks')
    .select(['name', 'digest'])
    .where(eb => eb.or([eb('name', '=', NAME), eb('name', 'like', `${NAME}:%`)]))
    .execute()
  return rows.map(({ name, digest }) => ({ number: Number(name.split(':')[1] ?? 0), mark: digest }))
}

/** The newest cards of every kind, with the digest of their private key. */
async function newestCards(db: Reader) {
  const newest = []
  for (const kind of ALL_GIFT_KINDS) {
    const { table, digests } = STORED_CARDS[kind]
    const column = Object.entries(digests).find(([, key]) => key === 'private')![0]
    newest.push(
      ...(await db
        .selectFrom(table as 'cards')
        .select(['id', 'key_version', `${column as 'private_digest'} as digest`])
        .orderBy('id', 'desc')
        .limit(LOOKED_AT)
        .execute()),
    )
  }
  return newest
}
