import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useState } from 'react'
import '#styles/checkout.css'
import type { Language } from '#domain/languages.ts'
import { localizedPath, senderPath, volunteeringCardPath } from '#paths'
import { createInvitation, invitationSession, lastInvitation } from '#stores/invitation.ts'
import { BY_MAIL_TEXTS, LinksByMail, LostLinkWay } from '#ui/sender/LinksByMail.tsx'
import { sessionIdOf } from '#ui/sender/session-id.ts'
import type { Refusal } from '#wire/client.ts'
import { readVolunteeringSuccess } from '#wire/volunteering-client.ts'
import BookDownload, { BOOK_TEXTS } from './BookDownload.tsx'

export const SUCCESS_TEXTS = [
  'volunteering-success-title-loading',
  'volunteering-success-title-ready',
  'volunteering-success-title-pending',
  'volunteering-success-title-unpaid',
  'volunteering-success-title-failed',
  'volunteering-success-title-absent',
  'volunteering-success-title-by-mail',
  'volunteering-success-absent',
  'volunteering-success-mail',
  'volunteering-success-link-title',
  'volunteering-success-link-note',
  'volunteering-success-open',
  'volunteering-success-share',
  'volunteering-success-share-text',
  'volunteering-success-more',
  'problem-payment-not-completed',
  'donation-success-copy',
  'donation-success-copied',
  'donation-success-copy-failed',
  'donation-success-whatsapp',
  'common-retry',
  'common-contact',
  'common-home',
  ...BOOK_TEXTS,
  ...BY_MAIL_TEXTS,
] as const

type Texts = Readonly<Record<(typeof SUCCESS_TEXTS)[number], string>>

interface Props {
  readonly language: Language
  readonly texts: Texts
  readonly problems: Readonly<Partial<Record<Refusal['code'], string>> & { 'something-went-wrong': string }>
  readonly contactHref: string
  /** Origin of the site: page and mail give the same links, whatever name the visitor came by. */
  readonly siteUrl: string
}

/** Takes the session id out of the address bar, so that it is in no history, screenshot or shared link. */
function takeSessionId(): string | undefined {
  const id = sessionIdOf(location.search)
  if (location.search) history.replaceState(history.state, '', location.pathname)
  return id
}

/** After the payment of an invitation: its link, the photo-book, and what to do when something fails. */
export default function Success({ language, texts, problems, contactHref, siteUrl }: Props) {
  const invitation = useMemo(
    () =>
      createInvitation({
        read: checkoutSessionId => readVolunteeringSuccess({ checkoutSessionId, language }),
        session: invitationSession,
        card: lastInvitation,
        later: (callback, ms) => setTimeout(callback, ms),
      }),
    [language],
  )
  const state = useStore(invitation.$state)
  const title = texts[`volunteering-success-title-${state.kind}`]
  useEffect(() => invitation.begin(takeSessionId()), [invitation])
  useEffect(() => {
    document.title = document.title.replace(/^.*(?= · )/, title)
  }, [title])
  const failure =
    state.kind === 'failed' ? state.code : state.kind === 'unpaid' ? 'payment-not-completed' : undefined

  return (
    <div className="form checkout" data-state={state.kind} aria-busy={state.kind === 'loading'}>
      <h1 className="title" tabIndex={-1} aria-live="polite">
        {title}
      </h1>
      <div role="status" className="checkout-status">
        {state.kind === 'pending' && <p className="lead">{texts['problem-payment-not-completed']}</p>}
        {failure && <p className="lead">{problems[failure] ?? problems['something-went-wrong']}</p>}
        {state.kind === 'absent' && <p className="lead">{texts['volunteering-success-absent']}</p>}
        {state.kind === 'by-mail' && <LinksByMail address={state.address} texts={texts} />}
        {state.kind === 'ready' && <p className="soft">{texts['volunteering-success-mail']}</p>}
      </div>
      {(state.kind === 'loading' || state.kind === 'pending') && (
        <span className="waiting" aria-hidden="true" />
      )}
      {state.kind === 'ready' && (
        <>
          <InvitationLink url={siteUrl + volunteeringCardPath(state.card.key)} texts={texts} />
          <BookDownload cardKey={state.card.key} language={language} texts={texts} />
        </>
      )}
      <div className="actions">
        {failure && (
          <button
            type="button"
            className="button"
            data-state="retry"
            data-action="retry"
            onClick={invitation.retry}
          >
            {texts['common-retry']}
          </button>
        )}
        {state.kind === 'by-mail' && <LostLinkWay href={senderPath(language, 'lost-link')} texts={texts} />}
        {state.kind !== 'loading' && (
          <div className="links">
            <a className="link" href={senderPath(language, 'packages-donation')} data-action="buy-more">
              {texts['volunteering-success-more']}
            </a>
            <a className="link" href={contactHref} data-action="contact">
              {texts['common-contact']}
            </a>
            <a className="link" href={localizedPath(language, '/')} data-action="home">
              {texts['common-home']}
            </a>
          </div>
        )}
      </div>
    </div>
  )
}

/** The invitation's link: shown whole, copied, opened and sent. */
function InvitationLink({ url, texts }: { readonly url: string; readonly texts: Texts }) {
  const [said, setSaid] = useState('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url)
      setSaid(texts['donation-success-copied'])
    } catch {
      setSaid(texts['donation-success-copy-failed'])
    }
  }
  const text = texts['volunteering-success-share-text']
  const share = (): void => void navigator.share({ text, url }).catch(() => {})
  const canShare = typeof navigator !== 'undefined' && 'share' in navigator
  return (
    <section className="card link-card" data-link="invitation">
      <h2>{texts['volunteering-success-link-title']}</h2>
      <p className="soft small">{texts['volunteering-success-link-note']}</p>
      <div className="link-row">
        <code className="url url-whole" data-url>
          {url}
        </code>
        <button type="button" className="button button-quiet" data-action="copy" onClick={() => void copy()}>
          {texts['donation-success-copy']}
        </button>
        <a className="button button-quiet" href={url} data-action="open">
          {texts['volunteering-success-open']}
        </a>
        {canShare ? (
          <button type="button" className="button button-wide" data-action="share" onClick={share}>
            {texts['volunteering-success-share']}
          </button>
        ) : (
          <a
            className="button button-wide"
            href={`https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`}
            rel="noopener"
            data-action="whatsapp"
          >
            {texts['donation-success-whatsapp']}
          </a>
        )}
      </div>
      <p className="small copied" role="status">
        {said}
      </p>
    </section>
  )
}
