/**
 * The failure to deliver a mail. Its message is a code (`smtp-ESOCKET`, `invalid-address`) and nothing else, since it
 * is logged and kept in the job's row. Errors of mail libraries and servers quote addresses.
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
