/**
 * A mail that was not delivered. The message is a short code (`invalid-address`, `smtp-ESOCKET`, `smtp-450`)
 * and nothing else: the errors of mail libraries and servers quote addresses, and this one is logged and kept
 * in the job's row.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** True when another try cannot help. */
  readonly permanent: boolean

  constructor(code: string, permanent: boolean) {
    super(code)
    this.permanent = permanent
  }
}
