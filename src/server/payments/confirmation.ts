import { readKey } from '#domain/card/keys.ts'
import { isVisible } from '#domain/card/states.ts'
import { Problem } from '#domain/problems.ts'
import type { ConfirmationRequest, InvitationMailRequest, QueuedConfirmation } from '#server/app.ts'
import type { CardKeys } from '#server/cards/keys.ts'
import type { Writer } from '#server/db/database.ts'
import { isIdShaped } from '#server/db/ids.ts'
import type { VolunteeringCard } from '#server/db/schema.ts'
import { queueVolunteeringConfirmationAgain } from '#server/volunteering/mail-jobs.ts'
import { confirmationsOf, queueConfirmationAgain, tryNow } from './confirmation-jobs.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { isSameSecret } from './digests.ts'
import { type Card, lockCard, lockVolunteeringCard } from './locked-card.ts'

const DAY_MS = 24 * 3_600_000
const SENDS_PER_DAY = 5

/** What asking for a mail again needs to know of a kind of card. */
interface KindOfCard<Held extends Card | VolunteeringCard> {
  readonly lock: (trx: Writer, column: 'id', value: string) => Promise<Held | undefined>
  /** Does whoever asks hold what only the buyer has? */
  readonly isHolder: (keys: CardKeys, card: Held) => boolean
  readonly queueAgain: typeof queueConfirmationAgain
}

/**
 * Queues the buyer's mail once more, or joins the one that is still queued; one that waits for its next try after a
 * failure is tried at once.
 * The mail goes to the address of the payment; the request only proves, by both keys, that it may ask.
 * Problems: card-not-found for any wrong key or card; invalid-fields when the payment gave no address;
 * too-many-requests after five mails in 24 hours, with the time until the next.
 */
export function requestConfirmation(
  deps: PaymentsDependencies,
  request: ConfirmationRequest,
): Promise<QueuedConfirmation> {
  return askAgain(deps, request.cardId, {
    lock: lockCard,
    isHolder: (keys, card) => {
      const isPrivate = isKey(request.privateKey, keys.privateKey(card.id, card.key_version))
      const isPublic = isKey(request.publicKey, keys.publicKey(card.id, card.key_version))
      return isPrivate && isPublic
    },
    queueAgain: queueConfirmationAgain,
  })
}

/** The same for an invitation: its key, and its id, which the person invited never sees. */
export function requestInvitationMail(
  deps: PaymentsDependencies,
  request: InvitationMailRequest,
): Promise<QueuedConfirmation> {
  return askAgain(deps, request.cardId, {
    lock: lockVolunteeringCard,
    isHolder: (keys, card) => isKey(request.key, keys.privateKey(card.id, card.key_version)),
    queueAgain: queueVolunteeringConfirmationAgain,
  })
}

/** Is this key, however it may be written, that one? */
const isKey = (written: string, key: string): boolean => isSameSecret(readKey(written) ?? written, key)

async function askAgain<Held extends Card | VolunteeringCard>(
  { db, keys, clock, onQueued }: PaymentsDependencies,
  cardId: string,
  { lock, isHolder, queueAgain }: KindOfCard<Held>,
): Promise<QueuedConfirmation> {
  if (!isIdShaped(cardId)) throw new Problem('card-not-found')
  const now = clock()
  const queued = await db.transaction(async trx => {
    const card = await lock(trx, 'id', cardId)
    if (!card || !isVisible(card.status) || !isHolder(keys, card)) throw new Problem('card-not-found')
    if (card.email === null) {
      throw new Problem('invalid-fields', { fields: [{ path: 'email', rule: 'none-known' }] })
    }
    const mails = await confirmationsOf(trx, card.id)
    const status = mails.at(-1)?.hasFailed ? 'failing' : 'queued'
    const waiting = mails.find(({ isWaiting }) => isWaiting)
    if (waiting) {
      await tryNow(trx, waiting.id, now)
      return { status } as const
    }
    const lastDay = mails.filter(({ createdAt }) => createdAt > now - DAY_MS)
    const [oldest] = lastDay
    if (oldest && lastDay.length >= SENDS_PER_DAY) {
      throw new Problem('too-many-requests', { retryAfterSeconds: (oldest.createdAt + DAY_MS - now) / 1000 })
    }
    await queueAgain(trx, { cardId: card.id, now, count: mails.length })
    return { status } as const
  })
  onQueued?.()
  return queued
}
