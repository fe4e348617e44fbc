import { WITHDRAWAL_DAYS } from '#domain/withdrawal/withdrawal.ts'
import type { WithdrawalParts } from '#server/modules/payments/withdrawals/dependencies.ts'
import {
  createWithdrawals,
  type WithdrawalsWithJobs,
} from '#server/modules/payments/withdrawals/withdrawals.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CARD, type PaymentsFixture } from './payments-fixture.ts'

export const WORDS = { name: 'Aina Puig', email: 'buyer@mail.example' } as const

/** A card whose buyer can withdraw. */
export interface Bought {
  readonly orderId: string
  readonly cardId: string
  readonly privateKey: string
  /** Withdraws with what the buyer's mail says. */
  withdraw(by?: WithdrawalsWithJobs): ReturnType<WithdrawalsWithJobs['confirm']>
  open(): ReturnType<WithdrawalsWithJobs['open']>
}

/** Withdrawals beside the payments of a fixture. */
export interface WithdrawalsFixture {
  readonly parts: WithdrawalParts
  readonly withdrawals: WithdrawalsWithJobs
  /** As another server has them. */
  over(db: Database): WithdrawalsWithJobs
  buy(changes?: Parameters<PaymentsFixture['buy']>[0], card?: string): Promise<Bought>
  /** The newest row of each. */
  rowOf(
    orderId: string,
  ): Promise<{ readonly state: string; readonly answer: string; readonly amount: number } | undefined>
  statusOf(cardId: string): Promise<string | undefined>
  /** Refunds at the provider: amount and status, oldest first. */
  refunds(): Promise<readonly string[]>
  /** The balance of each account that has one. */
  balances(): Promise<Readonly<Record<string, number>>>
}

export function withdrawalsOf(fixture: PaymentsFixture): WithdrawalsFixture {
  const parts: WithdrawalParts = { ...fixture.deps, withdrawalDays: WITHDRAWAL_DAYS.usual }
  const withdrawals = createWithdrawals(parts)
  const { db } = fixture.test
  const { keys } = fixture.deps
  return {
    parts,
    withdrawals,
    over: other => createWithdrawals({ ...parts, db: other }),
    async buy(changes, card = CARD.good) {
      const { sessionId } = await fixture.buy(changes, card)
      const { cardId, privateKey } = await fixture.payments.settle(sessionId)
      const { order_id: orderId } = await db.read(reader =>
        reader.selectFrom('cards').select('order_id').where('id', '=', cardId).executeTakeFirstOrThrow(),
      )
      const key = keys.withdrawalKey(orderId!, 1)
      return {
        orderId: orderId!,
        cardId,
        privateKey,
        withdraw: (by = withdrawals) => by.confirm(orderId!, key, WORDS),
        open: () => withdrawals.open(orderId!, key),
      }
    },
    rowOf: orderId =>
      db.read(reader =>
        reader
          .selectFrom('withdrawals')
          .select(['state', 'answer', 'amount'])
          .where('order_id', '=', orderId)
          .orderBy('number', 'desc')
          .executeTakeFirst(),
      ),
    async statusOf(cardId) {
      const card = await db.read(reader =>
        reader.selectFrom('cards').select('status').where('id', '=', cardId).executeTakeFirst(),
      )
      return card?.status
    },
    async refunds() {
      // The long run has more of them than one page.
      const data = await fixture.stripe.refunds.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
      return data.map(({ amount, status }) => `${amount} ${status}`).reverse()
    },
    async balances() {
      const rows = await db.read(reader =>
        reader.selectFrom('ledger_entries').select(['account', 'amount']).execute(),
      )
      const sums = new Map<string, number>()
      for (const { account, amount } of rows) sums.set(account, (sums.get(account) ?? 0) + amount)
      return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0))
    },
  }
}
