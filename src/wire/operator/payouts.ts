import { z } from 'zod'
import { PAYOUT_STATE_NAMES } from '#domain/payout/payout-states.ts'
import { defineContract } from '../contract.ts'
import { again, amount, carriedOut } from './parts.ts'

const payoutKeys = { payout: z.string().max(64) }

/** A whole statement of a month; a longer one goes through the terminal. */
const LONGEST_STATEMENT = 2 * 1024 * 1024

/** The body of a call with a statement: what JSON adds to its line ends and quotes counts too. */
export const MOST_STATEMENT_BYTES = 2 * LONGEST_STATEMENT

/** The payouts that a person may have to do something about. Amounts are minor units, times epoch milliseconds UTC. */
export const readPayouts = defineContract({
  method: 'GET',
  path: '/api/operator/payouts',
  request: z.undefined(),
  response: z
    .object({
      at: z.number(),
      nextRun: z.string(),
      withAccount: z.array(z.string()).readonly(),
      payouts: z
        .array(
          z.object({
            id: z.string(),
            ngoId: z.string(),
            name: z.string(),
            currency: z.string(),
            amount,
            status: z.enum(PAYOUT_STATE_NAMES),
            run: z.string().nullable(),
            madeAt: z.number(),
            reference: z.string().nullable(),
            said: z.string().nullable(),
            isByHand: z.boolean(),
          }),
        )
        .readonly(),
    })
    .transform(({ at, nextRun, withAccount, payouts }) => ({
      at,
      next_run: nextRun,
      /** Organisations that have a confirmed account. */
      with_account: withAccount,
      payouts: payouts.map(({ ngoId, madeAt, isByHand, ...each }) => ({
        ...each,
        ngo_id: ngoId,
        made_at: madeAt,
        /** Noted as paid by hand alone: no statement of the bank and no organisation says so. */
        is_by_hand: isByHand,
      })),
    })),
})

/** What an operator does about payouts. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnPayouts = defineContract({
  method: 'POST',
  path: '/api/operator/payout-act',
  request: z.discriminatedUnion('act', [
    z.object({
      act: z.literal('run'),
      run: z.string().max(35),
      /** What was given before this instant goes into it: epoch milliseconds UTC. */
      before: z.number().int().nonnegative(),
      ...again,
    }),
    z.object({ act: z.literal('paid'), ...payoutKeys, reference: z.string().max(140), ...again }),
    z.object({ act: z.literal('unpaid'), ...payoutKeys, ...again }),
    z.object({ act: z.literal('cancel'), ...payoutKeys, ...again }),
  ]),
  response: carriedOut,
})

const bankFile = z.object({
  name: z.string(),
  text: z.string(),
  transfers: z.number(),
  sum: amount.optional(),
})

/** The files for the bank, with whole account numbers. It needs an `Idempotency-Key`. */
export const makeBankFiles = defineContract({
  method: 'POST',
  path: '/api/operator/payout-files',
  request: z.object({
    run: z.string().max(35),
    iban: z.string().max(50),
    payer: z.string().max(140),
    bic: z.string().max(11).optional(),
    on: z.string().max(10).optional(),
    ...again,
  }),
  response: z.object({ file: bankFile.optional(), others: bankFile.optional() }),
})

/** Reads a bank's statement, and notes what it says where it is applied. It needs an `Idempotency-Key`. */
export const readBankStatement = defineContract({
  method: 'POST',
  path: '/api/operator/statement',
  request: z.object({ text: z.string().max(LONGEST_STATEMENT), apply: z.boolean(), ...again }),
  response: z
    .object({
      isApplied: z.boolean(),
      unreadable: z.string().optional(),
      paid: z
        .array(
          z.object({
            payout: z.object({ id: z.string(), ngo_id: z.string(), currency: z.string(), amount }),
            reference: z.string(),
          }),
        )
        .readonly(),
      noted: z.array(z.string()).readonly(),
      amiss: z.array(z.object({ subject: z.string(), reference: z.string(), why: z.string() })).readonly(),
      others: z.number(),
    })
    .transform(({ isApplied, unreadable, paid, ...rest }) => ({
      ...rest,
      is_applied: isApplied,
      /** Why the file could not be read; null where it could. */
      unreadable: unreadable ?? null,
      paid: paid.map(({ payout: { id, ...payout }, reference }) => ({ payout: id, ...payout, reference })),
    })),
})

/** Every payout as a table (RFC 4180), for the bank or a spreadsheet. */
export const PAYOUTS_CSV_PATH = '/api/operator/payouts.csv'

/** What goes over the wire, for the Studio's tool. */
export type PayoutsAnswer = z.output<typeof readPayouts.response>
export type PayoutActRequest = z.input<typeof actOnPayouts.request>
export type BankFilesAnswer = z.output<typeof makeBankFiles.response>
export type StatementAnswer = z.output<typeof readBankStatement.response>
