import { readKey } from '#domain/card/keys.ts'
import { areLinksShown } from '#domain/card/shown-links.ts'
import { isVisible } from '#domain/card/states.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { money } from '#domain/money/money.ts'
import type { SettledDonation } from '#domain/payment/purchase.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { isConfirmationSent } from '#server/modules/gifts/confirmation-jobs.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'

/** For this long after a claim, a person who asks is taken for the claimant. Later it may be the recipient. */
export const CLAIMANTS_TIME_MS = 10 * 60_000

/**
 * A free card as its claimant sees it, for a day. The private key is what the recipient gets too, so the claimant's
 * address is told whole only at first, and masked from then on. The key of a link that was replaced opens nothing here
 * either. It answers with nothing that whoever asks does not hold: a row whose own key is another one, since somebody
 * wrote to the database, reads as one that is not there.
 * @throws Problem card-not-found for every other key, also that of a card that was bought; links-by-mail
 */
export async function retrieveFree(
  { db, keys, clock }: { db: Database; keys: CardKeys; clock: Clock },
  written: string,
): Promise<SettledDonation> {
  const key = readKey(written)
  const digest = keys.digest(key ?? written)
  return db.read(async reader => {
    const card = await reader
      .selectFrom('cards')
      .select([
        'id',
        'kind',
        'status',
        'email',
        'sender_name',
        'key_version',
        'check_digest',
        'created_at',
        'auto_donate_at',
        'credit',
        'currency',
      ])
      .where('private_digest', '=', digest)
      .executeTakeFirst()
    if (key === undefined || card?.kind !== 'free' || !isVisible(card.status))
      throw new Problem('card-not-found')
    if (!keys.knows(card.key_version) || keys.digest(keys.privateKey(card.id, card.key_version)) !== digest)
      throw new Problem('card-not-found')
    const since = card.created_at
    if (!areLinksShown({ since, keyVersion: card.key_version }, clock()))
      throw new Problem(
        'links-by-mail',
        card.email === null ? {} : { maskedAddress: maskAddress(card.email) },
      )
    const email = card.email ?? ''
    const privateKey = keys.privateKey(card.id, card.key_version)
    return {
      cardId: card.id,
      checkWord: printedWordOf(card, privateKey),
      sendingKey: null,
      privateKey,
      publicKey: keys.publicKey(card.id, card.key_version),
      email: clock() - card.created_at < CLAIMANTS_TIME_MS ? email : maskAddress(email),
      senderName: card.sender_name,
      isConfirmationEmailSent: await isConfirmationSent(reader, card.id),
      packageId: null,
      packageTitle: null,
      price: money(card.credit, card.currency),
      autoDonateAt: card.auto_donate_at,
    }
  })
}
