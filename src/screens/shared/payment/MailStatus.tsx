import { inAWhile } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { pieceAround } from '#screens/shared/kit/piece-around.ts'

export const MAIL_TEXTS = [
  'donation-success-mail-sending',
  'donation-success-mail-sent',
  'donation-success-mail-failed',
  'donation-success-mail-enough',
  'donation-success-mail-wait',
  'donation-success-mail-retry',
  'donation-success-mail-again',
] as const

interface Props {
  /** `enough`: so many were delivered lately that no other goes for a while. */
  readonly mail: {
    readonly kind: 'sending' | 'sent' | 'enough' | 'failed'
    readonly retryAfterSeconds?: number | undefined
  }
  readonly language: Language
  readonly address: string
  /** Why the mail was refused, in words. */
  readonly problem: string
  readonly texts: Readonly<Record<(typeof MAIL_TEXTS)[number], string>>
  readonly onSend: () => void
}

/** Whether the links have gone out by e-mail, and a way to send them once more. */
export function MailStatus({ mail, language, address, problem, texts, onSend }: Props) {
  const failed = mail.kind === 'failed'
  const when = mail.retryAfterSeconds ? inAWhile(mail.retryAfterSeconds, language) : ''
  const masked = maskAddress(address)
  const said = fill(texts[`donation-success-mail-${mail.kind}`], { when, address: masked })
  const [before, piece, after] = pieceAround(said, masked)
  const why = when ? fill(texts['donation-success-mail-wait'], { when }) : problem
  return (
    <div className="mail-status" data-mail={mail.kind}>
      <p className={failed ? 'error' : 'soft'}>
        {before}
        <span className="unbroken">{piece}</span>
        {after}
        {failed && ` ${why}`}
      </p>
      {mail.kind !== 'sending' && mail.kind !== 'enough' && (
        <button type="button" className="link" data-action="send-mail" onClick={onSend}>
          {texts[failed ? 'donation-success-mail-retry' : 'donation-success-mail-again']}
        </button>
      )}
    </div>
  )
}
