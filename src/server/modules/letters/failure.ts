/**
 * A mail that was not delivered. Its message is its code (`smtp-ESOCKET`, `invalid-address`) and nothing else:
 * the errors of mail libraries and servers quote addresses, and this one is logged and kept in the job's row.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly code: string
  /** True when no later try can deliver it: the outbox then gives the job up. */
  readonly permanent: boolean

  constructor(code: string, permanent: boolean) {
    super(code)
    this.code = code
    this.permanent = permanent
  }
}
