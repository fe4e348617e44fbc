import type { Reader } from '#server/db/database.ts'
import { amount } from './table.ts'

export interface CardEvent {
  /** Epoch ms UTC. */
  readonly at: number
  readonly what: string
  readonly details: string
}

/**
 * The card of this id, or of the order of this id, and everything that happened to it, oldest first. Holds no key, no
 * digest, no name and no address.
 */
export async function cardFile(db: Reader, cardOrOrder: string) {
  const card = await db
    .selectFrom('cards')
    .selectAll()
    .where(eb => eb.or([eb('id', '=', cardOrOrder), eb('order_id', '=', cardOrOrder)]))
    .executeTakeFirst()
  if (card === undefined) return undefined
  const { id } = card
  const history = [
    ...(await orderEvents(db, card.order_id)),
    { at: card.created_at, what: 'made', details: `${amount(card.credit)} ${card.currency}` },
    ...(await bookedEvents(db, id)),
    ...(await drawEvents(db, id)),
    ...(await mailEvents(db, id)),
  ]
  return {
    id,
    status: card.status,
    kind: card.kind,
    credit: card.credit,
    currency: card.currency,
    language: card.language,
    themeId: card.theme_id,
    hasAddress: card.email !== null,
    keyVersion: card.key_version,
    createdAt: card.created_at,
    autoDonateAt: card.auto_donate_at,
    orderId: card.order_id,
    // Sorting keeps the order of what happened at the same time.
    history: history.toSorted((a, b) => a.at - b.at),
  }
}

async function orderEvents(db: Reader, orderId: string | null): Promise<CardEvent[]> {
  if (orderId === null) return []
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const details = `order ${order.id}, ${amount(order.total_amount)} ${order.currency} in all`
  return [
    { at: order.created_at, what: 'ordered', details },
    ...(order.settled_at === null ? [] : [{ at: order.settled_at, what: 'paid', details: '' }]),
  ]
}

async function bookedEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['set_id', 'cause', 'account', 'amount', 'currency', 'created_at'])
    .where('card_id', '=', cardId)
    .orderBy('created_at')
    .orderBy('set_id')
    .orderBy('account')
    .execute()
  return [...Map.groupBy(entries, ({ set_id }) => set_id).values()].map(set => ({
    at: set[0]!.created_at,
    what: `booked: ${set[0]!.cause}`,
    details: set.map(entry => `${entry.account} ${amount(entry.amount)}`).join(', '),
  }))
}

async function drawEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const draw = await db.selectFrom('draws').selectAll().where('card_id', '=', cardId).executeTakeFirst()
  if (draw === undefined) return []
  const { length } = JSON.parse(draw.candidates) as readonly string[]
  return [
    { at: draw.created_at, what: 'drawn', details: `${draw.ngo_id}, place ${draw.drawn + 1} of ${length}` },
  ]
}

async function mailEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['kind', 'created_at', 'done_at', 'failed_reason', 'attempts', 'run_at'])
    .where('subject', '=', cardId)
    .execute()
  return jobs.flatMap(job => [
    { at: job.created_at, what: `mail asked for: ${job.kind}`, details: '' },
    ...(job.done_at === null
      ? job.failed_reason === null
        ? []
        : [
            {
              at: job.run_at,
              what: 'mail comes again',
              details: `${job.failed_reason}, try ${job.attempts + 1}`,
            },
          ]
      : [
          {
            at: job.done_at,
            what: job.failed_reason === null ? `mail sent: ${job.kind}` : `mail given up: ${job.kind}`,
            details: job.failed_reason ?? '',
          },
        ]),
  ])
}
