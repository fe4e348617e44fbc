import { createHash } from 'node:crypto'
import type { ClaimAddress } from '#domain/campaign/claim-address.ts'
import type { Language } from '#domain/languages.ts'
import { CONFIRM_WITHIN_MS, NEWSLETTER_TEXT_VERSION } from '#domain/newsletter/form.ts'
import { Problem } from '#domain/problems.ts'
import type { Clock } from '#server/app.ts'
import type { Database } from '#server/db/database.ts'
import { newId } from '#server/db/ids.ts'
import { enqueue } from '#server/outbox/enqueue.ts'
import type { Tokens } from './tokens.ts'

export const NEWSLETTER_CONFIRM = 'newsletter-confirm'

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
  /** Forgets the person; what proves the consent stays, without them. A wrong token changes nothing. */
  unsubscribe(token: string): Promise<void>
}

export interface NewsletterParts {
  readonly db: Database
  readonly clock: Clock
  readonly tokens: Tokens
  readonly onQueued?: () => void
}

const HOUR_MS = 3_600_000

export function createNewsletter({ db, clock, tokens, onQueued }: NewsletterParts): Newsletter {
  return {
    async subscribe({ address, name, phone, language }) {
      const now = clock()
      const digest = createHash('sha256').update(`newsletter of ${address.folded}`).digest('hex')
      await db.transaction(async trx => {
        const asked = {
          status: 'pending' as const,
          email: address.address,
          name,
          phone: phone ?? null,
          language,
          text_version: NEWSLETTER_TEXT_VERSION,
          asked_at: now,
          whatsapp_at: phone === undefined ? null : now,
        }
        const row = await trx
          .insertInto('newsletter_subscribers')
          .values({
            id: newId(now),
            address_digest: digest,
            confirmed_at: null,
            unsubscribed_at: null,
            ...asked,
          })
          // Whoever is subscribed already stays as they are: somebody else may be typing their address.
          .onConflict(conflict =>
            conflict
              .column('address_digest')
              .doUpdateSet({ ...asked, unsubscribed_at: null })
              .where('newsletter_subscribers.status', '<>', 'active'),
          )
          .returning('id')
          .executeTakeFirst()
        if (!row) return
        // One mail an hour, however often somebody asks: nobody's mailbox is filled through us.
        const hour = Math.floor(now / HOUR_MS)
        await enqueue(trx, {
          kind: NEWSLETTER_CONFIRM,
          dedupeKey: `newsletter:${row.id}:${hour}`,
          payload: { subscriberId: row.id },
          runAt: now,
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
        if (row.status === 'active') return
        if (row.status !== 'pending' || clock() - row.asked_at > CONFIRM_WITHIN_MS)
          throw new Problem('not-found')
        await trx
          .updateTable('newsletter_subscribers')
          .set({ status: 'active', confirmed_at: clock() })
          .where('id', '=', id)
          .where('status', '=', 'pending')
          .execute()
      })
    },

    async unsubscribe(token) {
      const id = tokens.idOf(token)
      if (id === undefined || !tokens.isRight(token, 'unsubscribe', id, 0)) return
      await db.transaction(trx =>
        trx
          .updateTable('newsletter_subscribers')
          .set({ status: 'unsubscribed', email: null, name: null, phone: null, unsubscribed_at: clock() })
          .where('id', '=', id)
          .where('status', '<>', 'unsubscribed')
          .execute(),
      )
    },
  }
}

/** For a daily job: addresses that nobody confirmed in time are not kept. @returns how many rows went */
export async function deleteUnconfirmed(db: Database, now: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('newsletter_subscribers')
      .where('status', '=', 'pending')
      .where('asked_at', '<', now - CONFIRM_WITHIN_MS)
      .returning('id')
      .execute(),
  )
  return gone.length
}
