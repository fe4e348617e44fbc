import { authorityOf, readKey } from '#domain/card/keys.ts'
import { paidSets } from '#domain/payout/payout-states.ts'
import { Problem } from '#domain/problems.ts'
import type { Amounts, Cause } from '#domain/public-ledger/leaf.ts'
import {
  monthOfUse,
  type OwnLine,
  opensLine,
  type PaidRun,
  type PassportKey,
  runForGiver,
  tellsUse,
} from '#domain/public-ledger/passport.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import { leftToDraw } from '#server/modules/gifts/holds.ts'
import type { CardUse, GivenPassport, Passport } from '#server/modules/gifts/interface.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

const IS_PAYMENT: ReadonlySet<Cause> = new Set(['sale', 'claim'])

interface PassportTools {
  readonly db: Database
  readonly keys: CardKeys
}

/**
 * Where the money of a card is, by one of its two keys. It only reads, and tells nothing of what a recipient chose.
 * @param now epoch ms
 * @throws Problem card-not-found
 */
export function passportOf(
  { db, keys }: PassportTools,
  written: string,
  asked: 'full' | 'preview',
  now: number,
): Promise<Passport> {
  return db.read(async reader => {
    const { card, keyKind } = await findByKey(reader, keys, 'donation', written)
    const key = authorityOf(keyKind, asked) === 'full' ? 'private' : 'public'
    const lines = await linesOf(reader, card.id, key)
    const use = await useOf(reader, card.id)
    const isTold = use !== undefined && tellsUse(key, use.at, now)
    const run = isTold ? await runOfCard(reader, card.id) : undefined
    return {
      free: card.kind === 'free',
      paid: { at: card.created_at, line: lines.find(({ cause }) => IS_PAYMENT.has(cause)) },
      until: card.auto_donate_at,
      ...(isTold && {
        used: {
          by: use.by,
          month: monthOfUse(use.at),
          line: lines.find(({ cause }) => !IS_PAYMENT.has(cause)),
        },
      }),
      ...(run && { run: { id: run.id, at: run.at } }),
    }
  })
}

/** Who disposed of a card, and when: what was left to the draw is used from then on, and not from its draw. */
async function useOf(
  db: Reader,
  cardId: string,
): Promise<{ readonly by: CardUse['by']; readonly at: number } | undefined> {
  const left = (await leftToDraw(db, [cardId])).get(cardId)
  const use = await db
    .selectFrom('redemptions')
    .select(['cause', 'created_at'])
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  if (left !== undefined && use?.cause !== 'recipient') return { by: 'draw', at: left }
  return use && { by: use.cause, at: use.created_at }
}

/**
 * Where each part of a used card is, by its receipt key. It only reads.
 * @throws Problem card-not-found
 */
export function passportOfReceipt({ db, keys }: PassportTools, written: string): Promise<GivenPassport> {
  const key = readKey(written)
  return db.read(async reader => {
    const found = await reader
      .selectFrom('redemptions')
      .select(['card_id', 'created_at'])
      .where('receipt_digest', '=', keys.digest(key ?? written))
      .executeTakeFirst()
    if (key === undefined || found === undefined) throw new Problem('card-not-found')
    const [line] = await linesOf(reader, found.card_id, 'receipt')
    const payouts = await payoutsOfCard(reader, found.card_id)
    return {
      month: monthOfUse(found.created_at),
      line,
      parts: (await allocationsOf(reader, found.card_id)).map(({ ngoId, amount }) => ({
        ngoId,
        amount,
        payout: payouts.get(ngoId),
      })),
    }
  })
}

/** The published lines of a card that a key opens. Those of a forgotten buyer have no nonce, and are nobody's. */
async function linesOf(db: Reader, cardId: string, key: PassportKey): Promise<readonly OwnLine[]> {
  const rows = await db
    .selectFrom('ledger_nonces')
    .innerJoin('public_entries', 'public_entries.id', 'ledger_nonces.entry_id')
    .innerJoin('ledger_leaf_entries', 'ledger_leaf_entries.entry_id', 'ledger_nonces.entry_id')
    .select([
      'ledger_leaf_entries.seq',
      'public_entries.cause',
      'public_entries.amounts',
      'ledger_nonces.nonce',
    ])
    .where('ledger_nonces.card_id', '=', cardId)
    .orderBy('ledger_leaf_entries.seq')
    .execute()
  return rows
    .filter(({ cause }) => opensLine(key, cause))
    .map(({ seq, cause, amounts, nonce }) => lineOf(seq, cause, JSON.parse(amounts) as Amounts, nonce))
}

const lineOf = (seq: number, cause: Cause, amounts: Amounts, nonce: string | null): OwnLine => ({
  number: seq + 1,
  cause,
  nonce,
  amounts,
})

/** What the bank has paid, or is to pay, of a card: by organisation. */
async function payoutsOfCard(
  db: Reader,
  cardId: string,
): Promise<ReadonlyMap<string, NonNullable<GivenPassport['parts'][number]['payout']>>> {
  const rows = await db
    .selectFrom('payout_allocations')
    .innerJoin('payouts', 'payouts.id', 'payout_allocations.payout_id')
    .select(['payout_allocations.ngo_id', 'payouts.id', 'payouts.paid_at', 'payouts.taken_back'])
    .where('payout_allocations.card_id', '=', cardId)
    .execute()
  const ids = rows.flatMap(row => paidLine(row) ?? [])
  const leaves = ids.length === 0 ? [] : await leavesOf(db, ids)
  return new Map(
    rows.map(row => {
      const { ngo_id: ngoId, id, paid_at: at } = row
      const leaf = leaves.find(({ entry_id }) => entry_id === paidLine(row))
      const line = leaf && lineOf(leaf.seq, 'paid', [], null)
      return [ngoId, { id, at, line }]
    }),
  )
}

/** The entry by which a payout was noted as paid; undefined where it is not, or not any more. */
const paidLine = (payout: {
  readonly id: string
  readonly paid_at: number | null
  readonly taken_back: number
}): string | undefined => (payout.paid_at === null ? undefined : paidSets(payout.id, payout.taken_back).paid)

const leavesOf = (db: Reader, ids: readonly string[]) =>
  db.selectFrom('ledger_leaf_entries').select(['entry_id', 'seq']).where('entry_id', 'in', ids).execute()

/** The run that paid out a card, as far as it tells nothing of where the parts went. */
async function runOfCard(db: Reader, cardId: string): Promise<PaidRun | undefined> {
  const parts = await db
    .selectFrom('allocations')
    .leftJoin('payout_allocations as taken', join =>
      join
        .onRef('taken.card_id', '=', 'allocations.card_id')
        .onRef('taken.ngo_id', '=', 'allocations.ngo_id'),
    )
    .leftJoin('payouts', 'payouts.id', 'taken.payout_id')
    .select(['payouts.run_id', 'allocations.currency'])
    .where('allocations.card_id', '=', cardId)
    .execute()
  const [first] = parts
  const runId = first?.run_id
  if (!first || !runId) return undefined
  const payouts = await db
    .selectFrom('payouts')
    .select(['ngo_id', 'status', 'paid_at'])
    .where('run_id', '=', runId)
    .where('currency', '=', first.currency)
    .execute()
  const paid = payouts.filter(({ status }) => status === 'paid')
  const run: PaidRun = {
    id: runId,
    isOver: payouts.every(({ status }) => status !== 'open'),
    organisations: new Set(paid.map(({ ngo_id }) => ngo_id)).size,
    at: Math.max(0, ...paid.map(({ paid_at }) => paid_at ?? 0)),
  }
  return runForGiver(parts.map(({ run_id }) => (run_id === runId ? run : undefined)))
}
