import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef } from 'react'
import '#styles/checkout.css'
import type { Language } from '#domain/languages.ts'
import { screenAfterPayment } from '#domain/polls/polls.ts'
import { cardPath, localizedPath, PRINT_KEY_FIELD, PRINT_PATH, senderPath } from '#paths'
import { createCheckout } from '#stores/checkout.ts'
import { giftSession, lastGift, pendingSession } from '#stores/last-gift.ts'
import { isAfterPayment, pollState } from '#stores/polls.ts'
import { GiftLinks, LINK_TEXTS } from '#ui/sender/GiftLinks.tsx'
import { BY_MAIL_TEXTS, LinksByMail, LostLinkWay } from '#ui/sender/LinksByMail.tsx'
import { MAIL_TEXTS, MailStatus } from '#ui/sender/MailStatus.tsx'
import { privateKeyOf, sessionIdOf } from '#ui/sender/session-id.ts'
import {
  type Refusal,
  readDonationSuccess,
  readFreeGiftCard,
  sendConfirmation,
  sendFreeConfirmation,
} from '#wire/client.ts'
import { useBrowserValue } from './browser.ts'

export const CHECKOUT_TEXTS = [
  'donation-success-title-loading',
  'donation-success-title-ready',
  'donation-success-title-pending',
  'donation-success-title-unpaid',
  'donation-success-title-failed',
  'donation-success-title-absent',
  'donation-success-title-by-mail',
  'donation-success-absent',
  'problem-payment-not-completed',
  'donation-success-pending-note',
  'donation-success-back',
  'donation-success-buy-more',
  'common-retry',
  'poll-after-payment',
  'poll-after-payment-go',
  'common-contact',
  'common-home',
  ...BY_MAIL_TEXTS,
  ...LINK_TEXTS,
  ...MAIL_TEXTS,
] as const

interface Props {
  readonly language: Language
  readonly texts: Readonly<Record<(typeof CHECKOUT_TEXTS)[number], string>>
  /** What failed after the payment. */
  readonly problems: Problems
  /** Why the mail was refused. */
  readonly mailProblems: Problems
  readonly contactHref: string
  /** Continue leads on to what was not asked yet, and back here (decisions §8). */
  readonly asks?: boolean
  /** How the card came to be: by a payment, or by a claim. */
  readonly source: keyof typeof SOURCES
  /** Origin of the site: page and mail give the same links, whatever name the visitor came by. */
  readonly siteUrl: string
}

type Problems = Readonly<Partial<Record<Refusal['code'], string>> & { 'something-went-wrong': string }>

/** Where the polls end: the same links once more. */
const LINKS_AGAIN = 'no-refresh/checkout'

/** Where the card is asked for, its mail too, and what of the address says which card. */
const SOURCES = {
  payment: {
    idOf: sessionIdOf,
    read: (checkoutSessionId: string, language: Language) =>
      readDonationSuccess({ checkoutSessionId, language }),
    sendMail: sendConfirmation,
  },
  claim: {
    idOf: privateKeyOf,
    read: (privateKey: string) => readFreeGiftCard(privateKey),
    sendMail: sendFreeConfirmation,
  },
} as const

/** Takes the id out of the address bar, so that it is in no history, screenshot or shared link. */
function takeId(idOf: (search: string) => string | undefined): string | undefined {
  const id = idOf(location.search)
  if (location.search) history.replaceState(history.state, '', location.pathname)
  return id
}

/** After the payment: the two links of the gift, the mail's state, and what to do when something fails. */
export default function Checkout(props: Props) {
  const { language, texts, problems, mailProblems, contactHref, siteUrl, source, asks = false } = props
  const { idOf, read, sendMail } = SOURCES[source]
  const checkout = useMemo(
    () =>
      createCheckout({
        readSuccess: id => read(id, language),
        sendMail: gift => sendMail({ ...gift, language }),
        session: pendingSession,
        gift: lastGift,
        giftSession,
        later: (callback, ms) => setTimeout(callback, ms),
      }),
    [language, read, sendMail],
  )
  const polls = useBrowserValue(() => screenAfterPayment(pollState()), LINKS_AGAIN)
  const state = useStore(checkout.$state)
  const mail = useStore(checkout.$mail)
  const heading = useRef<HTMLHeadingElement>(null)
  const title = texts[`donation-success-title-${state.kind}`]
  useEffect(() => {
    isAfterPayment.set(undefined)
    checkout.begin(takeId(idOf))
  }, [checkout, idOf])
  useEffect(() => {
    // What follows the dot is the site's name.
    document.title = document.title.replace(/^.*(?= · )/, title)
  }, [title])
  const retry = (): void => {
    // The button is about to go.
    heading.current?.focus()
    checkout.retry()
  }

  const sentence = (of: Problems, code: Refusal['code']): string => of[code] ?? of['something-went-wrong']
  const contact = (
    <a className="link" href={contactHref} data-action="contact">
      {texts['common-contact']}
    </a>
  )
  const home = (
    <a className="link" href={localizedPath(language, '/')} data-action="home">
      {texts['common-home']}
    </a>
  )

  return (
    <div className="form checkout" data-state={state.kind} aria-busy={state.kind === 'loading'}>
      <h1 ref={heading} className="title" tabIndex={-1} aria-live="polite">
        {title}
      </h1>
      <div role="status" className="checkout-status">
        {state.kind === 'pending' && (
          <>
            <p className="lead">{texts['problem-payment-not-completed']}</p>
            <p className="lead">{texts['donation-success-pending-note']}</p>
          </>
        )}
        {state.kind === 'unpaid' && <p className="lead">{sentence(problems, 'payment-not-completed')}</p>}
        {state.kind === 'failed' && <p className="lead">{sentence(problems, state.code)}</p>}
        {state.kind === 'absent' && <p className="lead">{texts['donation-success-absent']}</p>}
        {state.kind === 'by-mail' && <LinksByMail address={state.address} texts={texts} />}
        {state.kind === 'ready' && (
          <MailStatus
            mail={mail}
            address={state.gift.email}
            problem={mail.kind === 'failed' && mail.code ? sentence(mailProblems, mail.code) : ''}
            texts={texts}
            onSend={() => void checkout.sendMail()}
          />
        )}
      </div>
      {(state.kind === 'loading' || state.kind === 'pending') && (
        <span className="waiting" aria-hidden="true" />
      )}
      {state.kind === 'ready' && (
        <GiftLinks
          gift={{
            preview: siteUrl + cardPath(state.gift.publicKey, 'introduction', 'preview'),
            secret: siteUrl + cardPath(state.gift.privateKey, 'introduction', 'final'),
            senderName: state.gift.senderName,
          }}
          texts={texts}
          language={language}
          printForm={{ action: PRINT_PATH, field: PRINT_KEY_FIELD, key: state.gift.privateKey }}
        >
          <a className="link" href={senderPath(language, 'packages-donation')} data-action="buy-more">
            {texts['donation-success-buy-more']}
          </a>
          {contact}
          {home}
        </GiftLinks>
      )}
      {state.kind === 'ready' && asks && polls !== LINKS_AGAIN && (
        <div className="actions after-payment">
          <p className="soft">{texts['poll-after-payment']}</p>
          <a
            className="button button-quiet"
            href={senderPath(language, polls)}
            data-action="continue"
            onClick={() => isAfterPayment.set(true)}
          >
            {texts['poll-after-payment-go']}
          </a>
        </div>
      )}
      {state.kind !== 'ready' && state.kind !== 'loading' && (
        <div className="actions">
          {(state.kind === 'failed' || state.kind === 'unpaid') && (
            <button type="button" className="button" data-state="retry" data-action="retry" onClick={retry}>
              {texts['common-retry']}
            </button>
          )}
          {state.kind === 'by-mail' && <LostLinkWay href={senderPath(language, 'lost-link')} texts={texts} />}
          <div className="links">
            {state.kind === 'unpaid' && (
              <a className="link" href={senderPath(language, 'packages-donation')} data-action="back">
                {texts['donation-success-back']}
              </a>
            )}
            {contact}
            {home}
          </div>
        </div>
      )}
    </div>
  )
}
