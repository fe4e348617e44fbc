import type { Language } from '#domain/languages.ts'
import { fillText } from '#domain/text/fill-text.ts'
import type { useCopy, useShare } from './copy-and-share-link.ts'

/** The texts of what can be done with a gift's link. */
export const LINK_PART_TEXTS = [
  'donation-success-open',
  'donation-success-copy',
  'donation-success-copied',
  'donation-success-copy-failed',
  'donation-success-share',
  'donation-success-whatsapp',
  'donation-success-share-text',
  'donation-success-print-from',
] as const

type Texts = Readonly<Record<(typeof LINK_PART_TEXTS)[number], string>>

interface LinkButtonProps {
  readonly action: string
  readonly onClick: () => void
  readonly children: string
}

/** What is done with the link beside it. One that shows the link and then copies it is the same button: it keeps the focus. */
export function LinkButton({ action, onClick, children }: LinkButtonProps) {
  return (
    <button type="button" className="button button-quiet" data-action={action} onClick={onClick}>
      {children}
    </button>
  )
}

interface ShareButtonProps extends ReturnType<typeof useShare> {
  readonly texts: Texts
  readonly className: string
}

/** Sends the link, and names WhatsApp where the browser has no share sheet of its own. */
export function ShareButton({ canShare, share, texts, className }: ShareButtonProps) {
  return (
    <button type="button" className={className} data-action="share" onClick={share}>
      {texts[canShare ? 'donation-success-share' : 'donation-success-whatsapp']}
    </button>
  )
}

interface LinkStatusProps extends Pick<ReturnType<typeof useCopy>, 'said'> {
  readonly senderName: string | null
  readonly language: Language
  readonly texts: Texts
}

/** Whether the link was copied; on paper, who the gift is from. */
export function LinkStatus({ said, senderName, language, texts }: LinkStatusProps) {
  return (
    <>
      <p className="small copied" role="status">
        {said && texts[`donation-success-${said}`]}
      </p>
      {senderName !== null && (
        <p className="print-only lead">
          {fillText(texts['donation-success-print-from'], { name: senderName }, language)}
        </p>
      )}
    </>
  )
}
