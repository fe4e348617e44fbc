/** The sighting that says until when all that moved at the payment provider was read. */
export const MOVEMENTS_READ = 'provider-movements'

/**
 * The sighting of a payout whose parts nobody will ever know in whole: a person made it by hand, it pays out what
 * came in before the product sold anything, or the provider knows it no more. Followed by the id of its movement.
 */
export const PAYOUT_OF_UNKNOWN_PARTS = 'provider-payout-of-unknown-parts:'
