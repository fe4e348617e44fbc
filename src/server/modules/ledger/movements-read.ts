/** The sighting that says until when all that moved at the payment provider was read. */
export const MOVEMENTS_READ = 'provider-movements'
