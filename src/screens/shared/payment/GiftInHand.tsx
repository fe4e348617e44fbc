import { type ReactNode, useEffect, useRef, useState } from 'react'
import '#screens/shared/envelope/envelope.css'
import { ENVELOPE_BOX, envelopeShapes } from '#domain/envelope.ts'
import type { Language } from '#domain/languages.ts'
import { fillText } from '#domain/text/fill-text.ts'
import type { Motif } from '#domain/themes.ts'
import type { UnfoldsAs } from '#paths'
import { useBrowserValue } from '#screens/shared/kit/use-browser-value.ts'
import { useCopy, useQr, useShare } from '#screens/shared/share/copy-and-share-link.ts'

/** What each kind of gift says in words of its own stands in these places. */
export const GIFT_IN_HAND_TEXTS = [
  'donation-success-bought',
  'donation-success-bought-from',
  'donation-success-copied',
  'donation-success-copy',
  'donation-success-copy-failed',
  'donation-success-gift-note',
  'donation-success-open',
  'donation-success-print',
  'donation-success-print-hidden',
  'donation-success-print-how',
  'donation-success-qr',
  'donation-success-reveal',
  'donation-success-share',
  'donation-success-share-text',
  'donation-success-whatsapp',
  'is-this-real-printed',
  'sending-door',
  'envelope-from',
] as const

/** What was bought, in words; undefined where the tab kept a gift before its page was made anew. */
export interface Bought {
  readonly packageId: string
  readonly title: string
  /** Of what is given away with it; an invitation gives none. */
  readonly amount?: string
}

/** What each theme's envelope shows; under '' the one of a visitor who has chosen none. */
export type MotifsOfThemes = Readonly<Record<string, Motif>>

interface Props {
  /** The link that is the gift, as it is shown and copied. */
  readonly url: string
  /** The one that is sent and printed. */
  readonly link: string
  readonly bought: Bought | undefined
  readonly senderName: string | null
  /** Tells that the gift is real; nothing for one from before there were words, or that a tab kept from then. */
  readonly checkWord: string | null
  /** Has it mailed to somebody on a day; nothing where nobody paid, or where a tab kept the gift from before there was a way. */
  readonly sendForMe?: string | null | undefined
  /** Puts that day in a calendar. */
  readonly calendar?: ReactNode
  /** Says until when the gift can be used, where it has a last day. */
  readonly lastDay?: string | 0
  readonly motifs: MotifsOfThemes
  readonly language: Language
  readonly texts: Readonly<Record<(typeof GIFT_IN_HAND_TEXTS)[number], string>>
  /** What the picture of its code is called. */
  readonly pictureName: string
  /** Shows how the gift opens, without using it. */
  readonly preview: { readonly href: string; readonly action: 'open-preview' | 'open' }
  /** Says where its money is, where it has some to give. */
  readonly trail?: { readonly href: string; readonly label: string }
  /** Makes the printable card, where there is one; else the page itself is printed. */
  readonly printCard?: ReactNode
}

/** What a buyer has just bought, as a thing: the envelope, and what can be done with its link. */
export function GiftInHand(props: Props) {
  const {
    url,
    link,
    bought,
    senderName,
    checkWord,
    sendForMe,
    motifs,
    language,
    texts,
    pictureName,
    preview,
    trail,
    printCard,
    calendar,
    lastDay,
  } = props
  const theme = useBrowserValue(ownTheme, '')
  const motif = motifs[theme] ?? motifs[''] ?? 'plain'
  const [isRevealed, setRevealed] = useState(false)
  const shown = useRef<HTMLElement>(null)
  const { said, copy } = useCopy(url)
  const qr = useQr(link)
  const { canShare, share } = useShare(texts['donation-success-share-text'], link, qr, pictureName)
  useEffect(() => {
    if (said === 'copy-failed') setRevealed(true)
  }, [said])
  useEffect(() => {
    if (said === 'copy-failed' && isRevealed && shown.current)
      getSelection()?.selectAllChildren(shown.current)
  }, [said, isRevealed])
  const check = checkWord && `${texts['is-this-real-printed']} ${checkWord}`
  // A card that is not to be seen on the screen is not to be seen on paper either: it has its own.
  const isPrinted = isRevealed || !printCard

  return (
    <section className="in-hand">
      <figure className="envelope" data-bought={bought?.packageId}>
        <svg
          viewBox={ENVELOPE_BOX}
          aria-hidden="true"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the domain's own drawing
          dangerouslySetInnerHTML={{ __html: envelopeShapes({ motif }) }}
        />
        {bought && (
          <figcaption>
            {bought.amount ? (
              <>
                <span className="amount">{bought.amount}</span>{' '}
                <span className="in-hand-line">
                  {fillText(
                    texts[senderName === null ? 'donation-success-bought' : 'donation-success-bought-from'],
                    { gift: bought.title, name: senderName ?? '' },
                    language,
                  )}
                </span>
              </>
            ) : (
              <>
                <span className="in-hand-line in-hand-mission">{bought.title}</span>{' '}
                {senderName !== null && (
                  <span className="in-hand-line">
                    {fillText(texts['envelope-from'], { name: senderName }, language)}
                  </span>
                )}
              </>
            )}
          </figcaption>
        )}
      </figure>
      <button type="button" className="button button-wide" data-action="share" onClick={share}>
        {texts[canShare ? 'donation-success-share' : 'donation-success-whatsapp']}
      </button>
      <div className="in-hand-ways">
        <button type="button" className="button button-quiet" data-action="copy" onClick={copy}>
          {texts['donation-success-copy']}
        </button>
        {printCard ?? (
          <button type="button" className="button button-quiet" data-action="print" onClick={() => print()}>
            {texts['donation-success-print']}
          </button>
        )}
        <a
          className="button button-quiet"
          href={preview.href}
          target="_blank"
          rel="noopener"
          data-action={preview.action}
        >
          {texts['donation-success-open']}
        </a>
      </div>
      <p className="small copied" role="status">
        {said && texts[`donation-success-${said}`]}
      </p>
      {sendForMe && (
        <p className="small in-hand-send">
          <a className="link" href={sendForMe} data-action="send-for-me">
            {texts['sending-door']}
          </a>
        </p>
      )}
      {calendar && (
        <div className="small soft in-hand-until">
          {lastDay && <p data-last-day>{lastDay}</p>}
          {calendar}
        </div>
      )}
      <details
        className="in-hand-link"
        open={isRevealed}
        onToggle={event => setRevealed(event.currentTarget.open)}
      >
        <summary data-action="reveal">{texts['donation-success-reveal']}</summary>
        {isRevealed && (
          <>
            <p className="small soft">{texts['donation-success-gift-note']}</p>
            <code className="url url-whole" data-secret ref={shown}>
              {url}
            </code>
          </>
        )}
      </details>
      {trail && (
        <p className="small">
          <a className="link" href={trail.href} target="_blank" rel="noopener" data-action="trail">
            {trail.label}
          </a>
        </p>
      )}
      {checkWord && (
        <p className="small">
          {texts['is-this-real-printed']} <span className="unbroken">{checkWord}</span>
        </p>
      )}
      <div className="print-only" data-paper={isPrinted ? 'gift' : 'hidden'}>
        {isPrinted ? (
          <>
            <p className="display">{texts['donation-success-share-text']}</p>
            {bought?.amount && <p className="paper-amount amount">{bought.amount}</p>}
            {senderName !== null && (
              <p className="lead">{fillText(texts['envelope-from'], { name: senderName }, language)}</p>
            )}
            {qr && (
              <svg
                className="paper-code"
                viewBox={`0 0 ${qr.size} ${qr.size}`}
                role="img"
                aria-label={texts['donation-success-qr']}
              >
                <path d={qr.path} />
              </svg>
            )}
            {lastDay && <p>{lastDay}</p>}
            {check && <p>{check}</p>}
            <p>{texts['donation-success-print-how']}</p>
            <p className="url url-whole">{link}</p>
          </>
        ) : (
          <p>{texts['donation-success-print-hidden']}</p>
        )}
      </div>
    </section>
  )
}

/** How the gift's link unfolds: in the colours that the tab wears, since the gift was bought in them. */
export function useUnfoldsAs(language: Language): UnfoldsAs {
  const themeId = useBrowserValue(ownTheme, '') || 'palestine'
  return { themeId, language }
}

const ownTheme = (): string => document.documentElement.dataset.theme ?? ''
