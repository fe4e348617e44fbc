import { maskAddress } from '#domain/mail/mask-address.ts'

export const MAIL_TEXTS = [
  'donation-success-mail-sending',
  'donation-success-mail-sent',
  'donation-success-mail-failed',
  'donation-success-mail-retry',
  'donation-success-mail-again',
] as const

interface Props {
  readonly mail: { readonly kind: 'sending' | 'sent' | 'failed' }
  readonly address: string
  /** Why the mail was refused, in words. */
  readonly problem: string
  readonly texts: Readonly<Record<(typeof MAIL_TEXTS)[number], string>>
  readonly onSend: () => void
}

/** Whether the links have gone out by e-mail, and a way to send them once more. */
export function MailStatus({ mail, address, problem, texts, onSend }: Props) {
  const failed = mail.kind === 'failed'
  const [before, after] = texts[`donation-success-mail-${mail.kind}`].split('{{address}}')
  return (
    <div className="mail-status" data-mail={mail.kind}>
      <p className={failed ? 'error' : 'soft'}>
        {before}
        <span className="unbroken">{maskAddress(address)}</span>
        {after}
        {failed && ` ${problem}`}
      </p>
      {mail.kind !== 'sending' && (
        <button type="button" className="link" data-action="send-mail" onClick={onSend}>
          {texts[failed ? 'donation-success-mail-retry' : 'donation-success-mail-again']}
        </button>
      )}
    </div>
  )
}
