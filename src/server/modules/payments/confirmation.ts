import { setTimeout as wait } from 'node:timers/promises'
import { readKey } from '#domain/card/keys.ts'
import { isVisible } from '#domain/card/states.ts'
import { DAY_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import {
  type ConfirmationRecord,
  confirmationsOf,
  queueConfirmationAgain,
  tryNow,
} from '#server/modules/gifts/confirmation-jobs.ts'
import { type Card, lockCard } from '#server/modules/gifts/stored-cards.ts'
import type {
  ConfirmationRequest,
  InvitationMailRequest,
  QueuedConfirmation,
} from '#server/modules/payments/interface.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { isSameSecret } from './digests.ts'

/** Mails that arrive in 24 hours. */
const SENDS_PER_DAY = 5
/** Mails that are tried in 24 hours, those that were refused included: a wrong address is no reason to go on for ever. */
const TRIES_PER_DAY = 25

/**
 * Queues the buyer's mail once more, or joins the one that is still queued; one that waits for its next try after a
 * failure is tried at once.
 * The mail goes to the address of the payment; the request only proves, by both keys, that it may ask.
 * Where a worker runs, it answers with what became of the mail if that is known within a few seconds.
 * Problems: card-not-found for any wrong key or card; invalid-fields when the payment gave no address;
 * too-many-requests with the time until the next, after five mails that were delivered in 24 hours (then with the rule
 * `delivered` at the field `mail`) or too many that were tried.
 */
export function requestConfirmation(
  deps: PaymentsDependencies,
  request: ConfirmationRequest,
): Promise<QueuedConfirmation> {
  return askAgain(deps, 'donation', request.cardId, ({ keys }, { id, key_version: version }) => {
    if (!keys.knows(version)) return false
    const isPrivate = isKey(request.privateKey, keys.privateKey(id, version))
    const isPublic = isKey(request.publicKey, keys.publicKey(id, version))
    return isPrivate && isPublic
  })
}

/** The same for an invitation: its key, and its id, which the person invited never sees. */
export function requestInvitationMail(
  deps: PaymentsDependencies,
  request: InvitationMailRequest,
): Promise<QueuedConfirmation> {
  return askAgain(
    deps,
    'volunteering',
    request.cardId,
    ({ keys }, { id, key_version: version }) =>
      keys.knows(version) && isKey(request.key, keys.privateKey(id, version)),
  )
}

/** Is this key, however it may be written, that one? */
const isKey = (written: string, key: string): boolean => isSameSecret(readKey(written) ?? written, key)

/** @param isHolder does whoever asks hold what only the buyer has? */
async function askAgain(
  deps: PaymentsDependencies,
  kind: GiftKind,
  cardId: string,
  isHolder: (deps: PaymentsDependencies, card: Pick<Card, 'id' | 'key_version'>) => boolean,
): Promise<QueuedConfirmation> {
  const { db, clock, onQueued, outcomeWaitsMs = [] } = deps
  if (!isIdShaped(cardId)) throw new Problem('card-not-found')
  const now = clock()
  const queued = await db.transaction(async trx => {
    const card = await lockCard(trx, kind, cardId)
    if (!card || !isVisible(card.status) || !isHolder(deps, card)) throw new Problem('card-not-found')
    if (card.email === null) {
      throw new Problem('invalid-fields', { fields: [{ path: 'email', rule: 'none-known' }] })
    }
    const mails = await confirmationsOf(trx, card.id)
    const status = mails.at(-1)?.hasFailed ? ('failing' as const) : ('queued' as const)
    const waiting = mails.find(({ isWaiting }) => isWaiting)
    if (waiting) {
      await tryNow(trx, waiting.id, now)
      return { status, jobId: waiting.id, tries: waiting.tries }
    }
    const next = nextAllowed(mails, now)
    if (next) {
      const fields = next.isDelivered ? [{ path: 'mail', rule: 'delivered' }] : []
      throw new Problem('too-many-requests', { fields, retryAfterSeconds: (next.at - now) / 1000 })
    }
    await queueConfirmationAgain(trx, { kind, cardId: card.id, now, count: mails.length })
    const before = new Set(mails.map(({ id }) => id))
    const added = (await confirmationsOf(trx, card.id)).find(({ id }) => !before.has(id))
    return { status, jobId: added?.id, tries: 0 }
  })
  onQueued?.()
  for (const ms of outcomeWaitsMs) {
    await wait(ms)
    const mail = (await db.read(read => confirmationsOf(read, cardId))).find(({ id }) => id === queued.jobId)
    if (mail && mail.tries > queued.tries && !mail.isInHand)
      return { status: mail.isSent ? 'sent' : 'failing' }
  }
  // Where nobody looked, what became of the mail before is all there is to say.
  return { status: outcomeWaitsMs.length > 0 ? 'queued' : queued.status }
}

/** When a mail may go again, epoch ms, and whether it is those delivered that forbid it; undefined for now. */
function nextAllowed(mails: readonly ConfirmationRecord[], now: number) {
  const since = now - DAY_MS
  const delivered = mails.flatMap(({ sentAt }) => (sentAt !== undefined && sentAt > since ? [sentAt] : []))
  if (delivered.length >= SENDS_PER_DAY)
    return { at: delivered.toSorted((a, b) => a - b).at(-SENDS_PER_DAY)! + DAY_MS, isDelivered: true }
  const tried = mails.filter(({ createdAt }) => createdAt > since)
  const first = tried.at(-TRIES_PER_DAY)
  return first && { at: first.createdAt + DAY_MS, isDelivered: false }
}
