import type { PayoutRefusal } from '#domain/desk/payout-acts.ts'
import { openRestoration } from '#server/modules/gifts/cards/restored.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

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

/**
 * A backup that was brought back owes again what was paid since: nothing more may be paid out, and no payout be taken
 * back, until that is compared with the bank's statement.
 * @throws PayoutRefused while a restoration waits to be reconciled
 */
export async function refuseRestored(db: Reader): Promise<void> {
  if ((await openRestoration(db)) === undefined) return
  throw new PayoutRefused(
    'restored',
    'A backup was brought back, and what was paid since is owed again here: `ops reconcile` says what to do first.',
  )
}
