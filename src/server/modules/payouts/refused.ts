/** Why a payout was not made or not marked; the message says the way out. */
export class PayoutRefused extends Error {
  override readonly name = 'PayoutRefused'
}
