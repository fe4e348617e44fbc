/**
 * The provider's events that the site follows, and what each names: a session, a charge, or what is of a charge. The
 * webhook has to send them all (docs/guides/deploy.md); `ops doctor` names those that it does not.
 */
export const EVENTS = {
  'checkout.session.completed': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'session',
  'checkout.session.expired': 'session',
  'charge.refunded': 'charge',
  'refund.updated': 'of a charge',
  'refund.failed': 'of a charge',
  'charge.dispute.created': 'of a charge',
  // The cards that a dispute is about are written into it by hand, after it is lost too.
  'charge.dispute.updated': 'of a charge',
  'charge.dispute.closed': 'of a charge',
  'charge.dispute.funds_reinstated': 'of a charge',
} as const

export type FollowedEvent = keyof typeof EVENTS

/**
 * The followed events that a webhook does not send.
 * @param enabled as the provider lists them; `*` is every event
 */
export const missingEvents = (enabled: readonly string[]): readonly string[] =>
  enabled.includes('*') ? [] : Object.keys(EVENTS).filter(type => !enabled.includes(type))
