import { timingSafeEqual } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { money } from '#domain/money/money.ts'
import { adviceAnswer, isReceiptFault, receiptKindOf } from '#domain/payout/advice.ts'
import { Problem } from '#domain/problems.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { type Advice, type AdviceKeys, giftsOf } from './advices.ts'
import type { ConfirmablePayout, ReceivedPayouts } from './interface.ts'
import { type KeptReceipt, keepReceipt, receiptFile } from './receipt-files.ts'

interface Parts {
  readonly db: Database
  readonly keys: Pick<AdviceKeys, 'digest'>
  readonly clock: Clock
  readonly dataDir: string
}

/** Makes what an organisation does with the link of a mail about a payout. */
export function createReceivedPayouts(parts: Parts): ReceivedPayouts {
  const { db } = parts
  const open = (adviceId: string, key: string) =>
    db.read(async reader => shown(reader, await adviceOfKey(reader, parts, adviceId, key)))
  return {
    open,
    async confirm(adviceId, key, receipt) {
      const before = await open(adviceId, key)
      if (before.receivedAt !== null) return before
      const kind = receipt && receiptKindOf(receipt)
      if (kind !== undefined && isReceiptFault(kind)) return { ...before, fault: kind }
      // The file is there before its row: a row never names one that is missing.
      const kept = receipt && kind && (await keepReceipt(parts.dataDir, adviceId, kind, receipt))
      const isOurs = await note(parts, adviceId, kept)
      // Of two presses at once one counts; the other's file is nobody's.
      if (!isOurs && kept) await removeUnlessKept(parts, adviceId, kept)
      return open(adviceId, key)
    },
  }
}

/** @returns false where it was confirmed or withdrawn in the meantime */
async function note({ db, clock }: Parts, adviceId: string, kept: KeptReceipt | undefined): Promise<boolean> {
  const noted = await db.transaction(trx =>
    trx
      .updateTable('payout_advices')
      .set({
        received_at: clock(),
        receipt_kind: kept?.kind ?? null,
        receipt_digest: kept?.digest ?? null,
        receipt_bytes: kept?.bytes ?? null,
      })
      .where('id', '=', adviceId)
      .where('received_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .returning('id')
      .execute(),
  )
  return noted.length > 0
}

async function removeUnlessKept({ db, dataDir }: Parts, adviceId: string, kept: KeptReceipt): Promise<void> {
  const row = await db.read(reader => adviceById(reader, adviceId))
  if (row?.receipt_digest === kept.digest && row.receipt_kind === kept.kind) return
  await rm(receiptFile(dataDir, adviceId, kept), { force: true })
}

/** @throws Problem payment-not-found, after the same work, for every wrong key and every link that is dead */
async function adviceOfKey(
  db: Reader,
  { keys, clock }: Parts,
  adviceId: string,
  key: string,
): Promise<Advice> {
  const advice = await adviceById(db, isIdShaped(adviceId) ? adviceId : '')
  const given = keys.digest(key)
  const isRight = timingSafeEqual(Buffer.from(given), Buffer.from(advice?.key_digest ?? keys.digest('')))
  if (advice === undefined || !isRight || answerOf(advice, clock()) === 'dead')
    throw new Problem('payment-not-found')
  return advice
}

const answerOf = (advice: Advice, now: number) =>
  adviceAnswer(
    { createdAt: advice.created_at, withdrawnAt: advice.withdrawn_at, receivedAt: advice.received_at },
    now,
  )

function adviceById(db: Reader, id: string): Promise<Advice | undefined> {
  return db.selectFrom('payout_advices').selectAll().where('id', '=', id).executeTakeFirst()
}

async function shown(db: Reader, advice: Advice): Promise<ConfirmablePayout> {
  const payout = await db
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', advice.payout_id)
    .executeTakeFirstOrThrow()
  return {
    ngoId: payout.ngo_id,
    amount: money(payout.amount, payout.currency),
    reference: payout.reference ?? '',
    paidAt: payout.paid_at ?? 0,
    ...(await giftsOf(db, payout.id)),
    receivedAt: advice.received_at,
    hasReceipt: advice.receipt_kind !== null,
  }
}
