import type { ExpressionBuilder } from 'kysely'
import type { ClaimAddress } from '#domain/campaign/claim-address.ts'
import { HOUR_MS } from '#domain/durations.ts'
import type { Language } from '#domain/languages.ts'
import { CONFIRM_WITHIN_MS, NEWSLETTER_TEXT_VERSION } from '#domain/newsletter/form.ts'
import { SUBSCRIPTION_MOVES, subscriptionStatesMovedBy } from '#domain/newsletter/subscription-states.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Tokens } from './tokens.ts'

const NEWSLETTER_CONFIRM = 'newsletter-confirm'

export interface Subscription {
  readonly address: ClaimAddress
  readonly name: string
  /** Given for news by WhatsApp, and a consent of its own. */
  readonly phone: string | undefined
  readonly language: Language
}

export interface Newsletter {
  /** Sends the mail that makes it good. Says nothing of whether the address is known. */
  subscribe(asked: Subscription): Promise<void>
  /** Problem `not-found` for a token that is wrong, was overtaken by a later asking, or is older than 48 hours. */
  confirm(token: string): Promise<void>
  /** Forgets the person; what proves the consent stays, without them. A wrong token changes nothing: false. */
  unsubscribe(token: string): Promise<boolean>
}

export interface NewsletterParts {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly tokens: Tokens
  readonly onQueued?: () => void
}

/** However often somebody asks: nobody's mailbox is filled through us. */
const MAILS_A_DAY = 3

/** Makes the newsletter: nobody is on it before they confirm by mail. */
export function createNewsletter({ db, keys, clock, tokens, onQueued }: NewsletterParts): Newsletter {
  return {
    async subscribe({ address, name, phone, language }) {
      const now = clock()
      const digest = digestOfMailbox(keys, address)
      await db.transaction(async trx => {
        const asked = {
          status: SUBSCRIPTION_MOVES.asked.to,
          email: address.address,
          name,
          phone: phone ?? null,
          language,
          text_version: NEWSLETTER_TEXT_VERSION,
          asked_at: now,
          whatsapp_at: phone === undefined ? null : now,
        }
        // Taken or made, the row keeps every other asking for this address away until this one is done.
        const row = await trx
          .insertInto('newsletter_subscribers')
          .values({
            id: newId(now),
            address_digest: digest,
            confirmed_at: null,
            unsubscribed_at: null,
            ...asked,
          })
          .onConflict(conflict =>
            conflict
              .column('address_digest')
              .doUpdateSet(eb => ({ status: eb.ref('newsletter_subscribers.status') })),
          )
          .returning(['id', 'status'])
          .executeTakeFirstOrThrow()
        // An existing subscription does not change, since somebody else may have typed the address.
        if (!SUBSCRIPTION_MOVES.asked.from[row.status]) return
        const mails = await mailsOf(trx, row.id)
        const isWaiting = mails.some(({ done_at }) => done_at === null)
        // Without a further mail nothing changes either: the link in the last one must stay good.
        if (!isWaiting && !maySendAgain(mails, now)) return
        await trx
          .updateTable('newsletter_subscribers')
          .set({ ...asked, unsubscribed_at: null })
          .where('id', '=', row.id)
          .execute()
        if (isWaiting) return
        await queueMail(trx, {
          kind: NEWSLETTER_CONFIRM,
          dedupeKey: `newsletter:${row.id}:${now}`,
          payload: { subscriberId: row.id },
          runAt: now,
          subject: row.id,
        })
      })
      onQueued?.()
    },

    async confirm(token) {
      const id = tokens.idOf(token)
      if (id === undefined) throw new Problem('not-found')
      await db.transaction(async trx => {
        const row = await trx
          .selectFrom('newsletter_subscribers')
          .select(['status', 'asked_at'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row || !tokens.isRight(token, 'confirm', id, row.asked_at)) throw new Problem('not-found')
        // Pressed twice.
        if (row.status === SUBSCRIPTION_MOVES.confirmed.to) return
        if (!SUBSCRIPTION_MOVES.confirmed.from[row.status] || clock() - row.asked_at > CONFIRM_WITHIN_MS)
          throw new Problem('not-found')
        await trx
          .updateTable('newsletter_subscribers')
          .set({ status: SUBSCRIPTION_MOVES.confirmed.to, confirmed_at: clock() })
          .where('id', '=', id)
          .where('status', 'in', subscriptionStatesMovedBy('confirmed'))
          .execute()
      })
    },

    async unsubscribe(token) {
      const id = tokens.idOf(token)
      if (id === undefined || !tokens.isRight(token, 'unsubscribe', id, 0)) return false
      await db.transaction(trx =>
        trx
          .updateTable('newsletter_subscribers')
          .set({
            status: SUBSCRIPTION_MOVES.left.to,
            email: null,
            name: null,
            phone: null,
            unsubscribed_at: clock(),
          })
          .where('id', '=', id)
          .where('status', 'in', subscriptionStatesMovedBy('left'))
          .execute(),
      )
      return true
    },
  }
}

interface AskedMail {
  readonly created_at: number
  readonly done_at: number | null
}

/** The mails that a subscriber was or will be asked by. */
function mailsOf(trx: Writer, subscriberId: string): Promise<AskedMail[]> {
  return trx
    .selectFrom('jobs')
    .select(['created_at', 'done_at'])
    .where('subject', '=', subscriberId)
    .where('kind', '=', NEWSLETTER_CONFIRM)
    .execute()
}

/** The limits of mails to one address: one an hour, and three a day. */
function maySendAgain(mails: readonly AskedMail[], now: number): boolean {
  const within = (ms: number): number => mails.filter(({ created_at }) => now - created_at < ms).length
  return within(HOUR_MS) === 0 && within(24 * HOUR_MS) < MAILS_A_DAY
}

/**
 * The keyed digest by which a subscription is found, also after its address is forgotten. Nobody can confirm a guess
 * without the secret.
 */
export const digestOfMailbox = (keys: CardKeys, { folded }: ClaimAddress): string =>
  keys.keyedDigest(`newsletter of ${folded}`)

const DELETED_AT_ONCE = 100

/** For a daily job: some addresses that nobody confirmed in time. @returns how many rows went; 0 when there are none */
export async function deleteUnconfirmed(db: Database, now: number): Promise<number> {
  const isOver = (eb: ExpressionBuilder<Schema, 'newsletter_subscribers'>) =>
    eb.and([eb('status', '=', SUBSCRIPTION_MOVES.asked.to), eb('asked_at', '<', now - CONFIRM_WITHIN_MS)])
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('newsletter_subscribers')
      .where('id', 'in', eb =>
        eb.selectFrom('newsletter_subscribers').select('id').where(isOver).limit(DELETED_AT_ONCE),
      )
      // Somebody may be asking anew in this moment.
      .where(isOver)
      .returning('id')
      .execute(),
  )
  return gone.length
}
