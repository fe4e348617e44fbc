import type { Language } from '#domain/languages.ts'
import { useCopy, useShare } from '#screens/shared/share/copy-and-share-link.ts'
import { LINK_PART_TEXTS, LinkButton, LinkStatus, ShareButton } from '#screens/shared/share/link-parts.tsx'

export const INVITATION_LINK_TEXTS = [
  ...LINK_PART_TEXTS,
  'volunteering-success-link-title',
  'volunteering-success-link-note',
  'volunteering-success-print-how',
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
        <LinkButton action="copy" onClick={copy}>
          {texts['donation-success-copy']}
        </LinkButton>
        <a className="button button-quiet" href={url} data-action="open">
          {texts['donation-success-open']}
        </a>
        <ShareButton {...{ canShare, share, texts }} className="button button-wide" />
      </div>
      <LinkStatus {...{ said, senderName, language, texts }} />
    </section>
  )
}
