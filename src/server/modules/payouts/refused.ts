import type { PayoutRefusal } from '#domain/desk/payout-acts.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** Writes something else in the same transaction: the note of who asked. */
export type Also = (trx: Writer) => Promise<unknown>

/** Why something about a payout was not done: a rule for the Studio, and a message for the terminal that says the way out. */
export class PayoutRefused extends Error {
  override readonly name = 'PayoutRefused'
  readonly rule: PayoutRefusal

  constructor(rule: PayoutRefusal, message: string) {
    super(message)
    this.rule = rule
  }
}
