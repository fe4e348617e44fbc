import { type ReactNode, useState } from 'react'
import type { Language } from '#domain/languages.ts'
import { useCopy, useShare } from '#screens/shared/share/copy-and-share-link.ts'
import { LINK_PART_TEXTS, LinkButton, LinkStatus, ShareButton } from '#screens/shared/share/link-parts.tsx'

export const LINK_TEXTS = [
  ...LINK_PART_TEXTS,
  'donation-success-preview-title',
  'donation-success-preview-note',
  'donation-success-gift-title',
  'donation-success-gift-note',
  'donation-success-hidden',
  'donation-success-reveal',
  'donation-success-print',
] as const

interface Props {
  readonly gift: { readonly preview: string; readonly secret: string; readonly senderName: string | null }
  readonly texts: Readonly<Record<(typeof LINK_TEXTS)[number], string>>
  readonly language: Language
  /** Where the private key is answered with a sheet to print; an ordinary form, which every browser saves from. */
  readonly printForm: { readonly action: string; readonly field: string; readonly key: string }
  /** Quiet links below the actions. */
  readonly children: ReactNode
}

/** The preview link, and the gift's own: hidden until asked for, then copied, shared or printed. */
export function GiftLinks({
  gift: { preview, secret, senderName },
  texts,
  language,
  printForm,
  children,
}: Props) {
  const [revealed, setRevealed] = useState(false)
  const shareText = texts['donation-success-share-text']
  const { said, copy } = useCopy(secret)
  const { canShare, share } = useShare(shareText, secret)

  return (
    <>
      <section className="card link-card" aria-labelledby="preview-title">
        <h2 id="preview-title">{texts['donation-success-preview-title']}</h2>
        <p className="small soft">{texts['donation-success-preview-note']}</p>
        <div className="link-row">
          <code className="url">{shortened(preview)}</code>
          <a
            className="button button-quiet"
            href={preview}
            target="_blank"
            rel="noopener"
            data-action="open-preview"
          >
            {texts['donation-success-open']}
          </a>
        </div>
      </section>
      <section className="card link-card" aria-labelledby="gift-title">
        <p className="print-only display">{shareText}</p>
        <h2 id="gift-title">{texts['donation-success-gift-title']}</h2>
        <p className="small soft">{texts['donation-success-gift-note']}</p>
        <div className="link-row">
          {revealed ? (
            <code className="url url-whole" data-secret>
              {secret}
            </code>
          ) : (
            <code className="url" role="img" aria-label={texts['donation-success-hidden']}>
              •••• •••• •••• ••••
            </code>
          )}
          <LinkButton
            action={revealed ? 'copy' : 'reveal'}
            onClick={revealed ? copy : () => setRevealed(true)}
          >
            {texts[revealed ? 'donation-success-copy' : 'donation-success-reveal']}
          </LinkButton>
        </div>
        <LinkStatus {...{ said, senderName, language, texts }} />
      </section>
      <div className="actions">
        <ShareButton {...{ canShare, share, texts }} className="button" />
        <div className="links">
          <form method="post" action={printForm.action}>
            <input type="hidden" name={printForm.field} value={printForm.key} />
            <button type="submit" className="link" data-action="print">
              {texts['donation-success-print']}
            </button>
          </form>
          {children}
        </div>
      </div>
    </>
  )
}

/** A link as a glimpse: the start of its key is enough to tell two apart. */
function shortened(url: string): string {
  const [, key = ''] = /\/gift-card\/([^/]+)/.exec(url) ?? []
  return `…/${key.slice(0, 4)}…/preview`
}
