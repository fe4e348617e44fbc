import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

/** The cards of each kind that are looked at: one that somebody has tampered with stops no site. */
const LOOKED_AT = 3
const NAME = 'card-key-secret'

/** `unknown`: nothing has been made with any secret yet. */
export type SecretVerdict = 'right' | 'wrong' | 'unknown'

/** What is said where the secret is another one than before. */
export const WRONG_SECRET =
  'CARD_KEY_SECRET is not the one the cards were made with, so every link would be dead: set the earlier one.'

/**
 * Were this database's cards made with this secret? The newest cards of both kinds say so: their keys are derived and
 * compared with the digests that are kept. Where there is no card yet, what the first start has noted says it.
 */
export function examineSecret(db: Database, keys: CardKeys): Promise<SecretVerdict> {
  return db.read(async reader => {
    const cards = await newestCards(reader)
    if (cards.length > 0) {
      const isRight = cards.some(
        ({ id, key_version, digest }) => keys.digest(keys.privateKey(id, key_version)) === digest,
      )
      return isRight ? 'right' : 'wrong'
    }
    const noted = await reader
      .selectFrom('secret_checks')
      .select('digest')
      .where('name', '=', NAME)
      .executeTakeFirst()
    if (noted === undefined) return 'unknown'
    return noted.digest === noteOf(keys) ? 'right' : 'wrong'
  })
}

/** Notes which secret a database without cards belongs to, so that the next start knows. */
export async function noteSecret(db: Database, keys: CardKeys, now: number): Promise<void> {
  const isNoted = await db.read(reader =>
    reader.selectFrom('secret_checks').select('name').where('name', '=', NAME).executeTakeFirst(),
  )
  if (isNoted) return
  await db.transaction(trx =>
    trx
      .insertInto('secret_checks')
      .values({ name: NAME, digest: noteOf(keys), created_at: now })
      // Another server starts as well.
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute(),
  )
}

/** A text that only this secret gives, and that opens nothing; of it the digest. */
const noteOf = (keys: CardKeys): string => keys.digest(keys.pseudonym('which secret this is'))

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
