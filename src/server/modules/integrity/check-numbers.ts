import { type Selectable, sql } from 'kysely'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The columns of a table that hold numbers. */
type NumbersOf<Row> = {
  [Column in keyof Row]-?: NonNullable<Row[Column]> extends number ? Column : never
}[keyof Row]

/** The name of a row, and every column that holds a number. A missing column is a compile error. */
type Numbers<Table extends keyof Schema> = {
  readonly id: readonly (keyof Schema[Table])[]
  readonly numbers: Readonly<Record<NumbersOf<Selectable<Schema[Table]>>, true>>
}

/** The tables whose numbers the other rules and the counts read. */
const TABLES: { readonly [Table in keyof Schema]?: Numbers<Table> } = {
  orders: {
    id: ['id'],
    numbers: {
      ngo_amount: true,
      support_amount: true,
      tax_amount: true,
      total_amount: true,
      expires_at: true,
      created_at: true,
      settled_at: true,
      term_months: true,
      vat_rate: true,
      vat_amount: true,
      keeps_chain: true,
      card_count: true,
    },
  },
  cards: {
    id: ['id'],
    numbers: {
      credit: true,
      key_version: true,
      created_at: true,
      auto_donate_at: true,
      remind_at: true,
      reminders_sent: true,
      term_months: true,
      position: true,
    },
  },
  volunteering_cards: {
    id: ['id'],
    numbers: { key_version: true, created_at: true, answered_at: true, answers: true },
  },
  redemptions: { id: ['card_id'], numbers: { created_at: true } },
  allocations: { id: ['card_id', 'ngo_id'], numbers: { position: true, points: true, amount: true } },
  ledger_entries: { id: ['id'], numbers: { amount: true, created_at: true } },
  reversals: { id: ['order_id'], numbers: { refunded: true, lost: true, taken: true, updated_at: true } },
  card_reversals: { id: ['card_id'], numbers: { refunded: true, lost: true, taken: true, updated_at: true } },
  many_pages: {
    id: ['order_id'],
    numbers: {
      key_version: true,
      purchase_key_version: true,
      showing_position: true,
      shown_at: true,
      created_at: true,
    },
  },
  withdrawals: {
    id: ['id'],
    numbers: {
      number: true,
      amount: true,
      attempt: true,
      stated_at: true,
      confirmed_at: true,
      changed_at: true,
    },
  },
  provider_movements: {
    id: ['id'],
    numbers: {
      amount: true,
      fee: true,
      net: true,
      charged_amount: true,
      borne: true,
      created_at: true,
      available_at: true,
      read_at: true,
    },
  },
  batch_rows: { id: ['order_id', 'position'], numbers: { position: true, printed_at: true } },
  gift_messages: { id: ['order_id'], numbers: { created_at: true } },
  sendings: {
    id: ['card_id'],
    numbers: { changes_left: true, sent_at: true, created_at: true, changed_at: true },
  },
  partners: { id: ['id'], numbers: { created_at: true, revoked_at: true } },
  partner_orders: { id: ['order_id'], numbers: { created_at: true } },
  sending_stops: { id: ['address_digest'], numbers: { created_at: true } },
  donor_identities: { id: ['order_id'], numbers: { created_at: true } },
  receipt_series: { id: ['series', 'year'], numbers: { year: true, last: true } },
  receipt_numbers: {
    id: ['series', 'year', 'number'],
    numbers: { year: true, number: true, amount: true, drawn_at: true },
  },
  certificate_years: { id: ['year'], numbers: { year: true, last: true } },
  certificates: { id: ['order_id'], numbers: { year: true, number: true, amount: true, made_at: true } },
  invoice_years: { id: ['year'], numbers: { year: true, last: true } },
  invoices: {
    id: ['order_id'],
    numbers: {
      year: true,
      number: true,
      amount: true,
      created_at: true,
      changed_at: true,
      key_version: true,
    },
  },
  bank_refunds: { id: ['id'], numbers: { amount: true, withdrawal: true, attempt: true, made_at: true } },
  provider_payout_parts: { id: ['movement_id'], numbers: { read_at: true } },
  free_campaigns: { id: ['tag'], numbers: { claimed: true } },
  free_claims: { id: ['card_id'], numbers: { created_at: true } },
  draws: { id: ['card_id'], numbers: { drawn: true, created_at: true } },
  draw_announcements: {
    id: ['id'],
    numbers: { draw_at: true, created_at: true, published_at: true, size: true },
  },
  draw_cards: { id: ['card_id', 'attempt'], numbers: { attempt: true } },
  payee_accounts: {
    id: ['id'],
    numbers: { proposed_at: true, told_at: true, confirmed_at: true, ended_at: true },
  },
  payouts: {
    id: ['id'],
    numbers: {
      amount: true,
      created_at: true,
      paid_at: true,
      cancelled_at: true,
      seen_at: true,
      taken_back: true,
    },
  },
  payout_advices: {
    id: ['id'],
    numbers: {
      key_version: true,
      created_at: true,
      withdrawn_at: true,
      received_at: true,
      receipt_bytes: true,
    },
  },
  payout_runs: { id: ['id'], numbers: { created_at: true } },
  ledger_leaves: { id: ['seq'], numbers: { seq: true } },
  ledger_leaf_entries: { id: ['entry_id'], numbers: { seq: true } },
  ledger_heads: { id: ['size'], numbers: { size: true, at: true } },
  ledger_forks: { id: ['number'], numbers: { number: true, size: true, at: true } },
  ledger_cosignatures: { id: ['size', 'witness'], numbers: { size: true, seconds: true, at: true } },
  chain_days: { id: ['day'], numbers: { cards: true } },
  audit_log: { id: ['id'], numbers: { created_at: true } },
  checkpoints: { id: ['number'], numbers: { number: true, at: true } },
}

/**
 * Every number is a whole one that a program can hold. Any other (9007199254740993, or a text, which the embedded database
 * takes where its table was made anew) stops whoever reads it, so it is looked for without being read.
 */
export async function numbersAmiss(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const [table, { id, numbers }] of Object.entries(TABLES)) {
    const columns = Object.keys(numbers).map(name => ({ name, isAmiss: isAmiss(name) }))
    const rows = await db
      .selectFrom(table as 'cards')
      .select([
        sql<string>`${sql.join(
          id.map(each => sql`cast(${sql.ref(each)} as text)`),
          sql` || '/' || `,
        )}`.as('subject'),
        sql<string>`case ${sql.join(
          columns.map(({ name, isAmiss }) => sql`when ${isAmiss} then ${sql.lit(name)}`),
          sql` `,
        )} end`.as('column'),
      ])
      .where(eb => eb.or(columns.map(({ isAmiss }) => isAmiss)))
      .limit(MOST)
      .execute()
    for (const { subject, column } of rows)
      findings.push({ rule: 'number-amiss', subject: `${table}.${column} ${subject}` })
  }
  return findings.slice(0, MOST)
}

/** In SQLite a text is greater than every number. */
const isAmiss = (column: string) => {
  const most = sql.lit(Number.MAX_SAFE_INTEGER)
  const value = sql.ref(column)
  return sql<boolean>`(${value} > ${most} or ${value} < -${most} or ${value} <> cast(${value} as bigint))`
}
