import type { Language } from '#domain/languages.ts'
import { fillText } from '#domain/text/fill-text.ts'
import { useCopy, useShare } from '#screens/shared/share/copy-and-share-link.ts'

export const INVITATION_LINK_TEXTS = [
  'volunteering-success-link-title',
  'volunteering-success-link-note',
  'volunteering-success-print-how',
  'donation-success-open',
  'donation-success-copy',
  'donation-success-copied',
  'donation-success-copy-failed',
  'donation-success-share',
  'donation-success-whatsapp',
  'donation-success-share-text',
  'donation-success-print-from',
] as const

interface Props {
  readonly url: string
  readonly senderName: string | null
  readonly language: Language
  readonly texts: Readonly<Record<(typeof INVITATION_LINK_TEXTS)[number], string>>
}

/** The invitation's link: shown whole, copied, opened, sent, or printed. */
export function InvitationLink({ url, senderName, language, texts }: Props) {
  const { said, copy } = useCopy(url)
  const shareText = texts['donation-success-share-text']
  const { canShare, share } = useShare(shareText, url)
  return (
    <section className="card link-card" data-link="invitation">
      <p className="print-only display">{shareText}</p>
      <h2>{texts['volunteering-success-link-title']}</h2>
      <p className="soft small screen-only">{texts['volunteering-success-link-note']}</p>
      <p className="print-only">{texts['volunteering-success-print-how']}</p>
      <div className="link-row">
        <code className="url url-whole" data-url>
          {url}
        </code>
        <button type="button" className="button button-quiet" data-action="copy" onClick={copy}>
          {texts['donation-success-copy']}
        </button>
        <a className="button button-quiet" href={url} data-action="open">
          {texts['donation-success-open']}
        </a>
        <button type="button" className="button button-wide" data-action="share" onClick={share}>
          {texts[canShare ? 'donation-success-share' : 'donation-success-whatsapp']}
        </button>
      </div>
      <p className="small copied" role="status">
        {said && texts[`donation-success-${said}`]}
      </p>
      {senderName !== null && (
        <p className="print-only lead">
          {fillText(texts['donation-success-print-from'], { name: senderName }, language)}
        </p>
      )}
    </section>
  )
}
