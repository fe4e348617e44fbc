import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { setPageTitle } from '#screens/shared/kit/page-title.ts'
import '#screens/shared/kit/unbroken.css'
import '#screens/shared/payment/after-payment.css'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { SettledGift } from '#domain/payment/purchase.ts'
import type { SenderScreen } from '#domain/sender/flow.ts'
import { localizedPath, senderPath } from '#paths'
import { useStore } from '#screens/shared/kit/use-browser-value.ts'
import { createAfterPayment } from '#screens/shared/payment/after-payment.store.ts'
import type { Bought, MotifsOfThemes } from '#screens/shared/payment/GiftInHand.tsx'
import { BY_MAIL_TEXTS, LinksByMail, LostLinkWay } from '#screens/shared/payment/LinksByMail.tsx'
import { MAIL_TEXTS, MailStatus } from '#screens/shared/payment/MailStatus.tsx'
import type { KeptGift } from '#screens/shared/payment/paid-gifts.store.ts'
import type { QueuedMail, Refusal, Result } from '#wire/client.ts'

/** What each kind of gift says in words of its own; the pages of the others put theirs in these places. */
export const AFTER_PAYMENT_TEXTS = [
  'donation-success-title-loading',
  'donation-success-title-ready',
  'donation-success-title-pending',
  'donation-success-title-unpaid',
  'donation-success-title-failed',
  'donation-success-title-absent',
  'donation-success-title-by-mail',
  'donation-success-absent',
  'donation-success-pending-note',
  'donation-success-pay-again',
  'donation-success-check-again',
  'donation-success-back',
  'donation-success-buy-more',
  'problem-payment-not-completed',
  'common-retry',
  'common-contact',
  'common-home',
  ...BY_MAIL_TEXTS,
  ...MAIL_TEXTS,
] as const

export type Problems = Readonly<Partial<Record<Refusal['code'], string>> & { 'something-went-wrong': string }>

/** How a kind of gift comes to be: what of the address says which one, where it is asked for, its mail too. */
export interface GiftSource<Gift extends SettledGift> {
  readonly idOf: (search: string) => string | undefined
  readonly read: (id: string, language: Language) => Promise<Result<Gift>>
  readonly sendMail: (gift: Gift & { readonly language: Language }) => Promise<Result<QueuedMail>>
  readonly kept: KeptGift<Gift>
  /** Where gifts of this kind are chosen. */
  readonly gifts: SenderScreen
  /** Where what was chosen is paid, as a new attempt; absent where nothing is. */
  readonly summary?: SenderScreen
}

/** What the pages after a payment get, whatever was paid for. */
export interface AfterPaymentProps {
  readonly language: Language
  /** What failed after the payment. */
  readonly problems: Problems
  /** Why the mail was refused. */
  readonly mailProblems: Problems
  readonly contactHref: string
  /** What can be bought, by its id; a card that nobody paid for stands under ''. */
  readonly packageTitles: Readonly<Record<string, string>>
  readonly motifs: MotifsOfThemes
  /** Origin of the site: page and mail give the same links, whatever name the visitor came by. */
  readonly siteUrl: string
}

interface Props<Gift extends SettledGift> extends AfterPaymentProps {
  readonly source: GiftSource<Gift>
  readonly texts: Readonly<Record<(typeof AFTER_PAYMENT_TEXTS)[number], string>>
  /** The gift itself, once there is one, and what was bought. */
  readonly children: (gift: Gift, bought: Bought | undefined) => ReactNode
  /** What stands at the end of the page then. */
  readonly end?: ReactNode
}

/** Takes the id out of the address bar, so that it is in no history, screenshot or shared link. */
function takeId(idOf: (search: string) => string | undefined): string | undefined {
  const { search, hash } = location
  const id = idOf(`${search}&${hash.slice(1)}`)
  if (search || hash) history.replaceState(history.state, '', location.pathname)
  return id
}

/** After the payment of a gift: its links, the mail's state, and what to do when something fails. */
export function AfterPayment<Gift extends SettledGift>(props: Props<Gift>) {
  const { language, texts, problems, mailProblems, contactHref, packageTitles, source, children, end } = props
  const { idOf, read, sendMail, kept, gifts, summary } = source
  const payment = useMemo(
    () =>
      createAfterPayment({
        readSuccess: id => read(id, language),
        sendMail: gift => sendMail({ ...gift, language }),
        kept,
        later: (callback, ms) => setTimeout(callback, ms),
      }),
    [language, read, sendMail, kept],
  )
  const state = useStore(payment.$state)
  const mail = useStore(payment.$mail)
  const heading = useRef<HTMLHeadingElement>(null)
  const title = texts[`donation-success-title-${state.kind}`]
  useEffect(() => payment.begin(takeId(idOf)), [payment, idOf])
  useEffect(() => setPageTitle(title), [title])
  const retry = (): void => {
    // The button is about to go.
    heading.current?.focus()
    payment.retry()
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
      {state.kind === 'ready' && children(state.gift, boughtOf(state.gift, packageTitles, language))}
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
            language={language}
            address={state.gift.email}
            problem={mail.kind === 'failed' && mail.code ? sentence(mailProblems, mail.code) : ''}
            texts={texts}
            onSend={() => void payment.sendMail()}
          />
        )}
      </div>
      {(state.kind === 'loading' || state.kind === 'pending') && (
        <span className="waiting" aria-hidden="true" />
      )}
      {state.kind === 'ready' && (
        <>
          <div className="actions">
            <div className="links">
              <a className="link" href={senderPath(language, 'packages-donation')} data-action="buy-more">
                {texts['donation-success-buy-more']}
              </a>
              {contact}
              {home}
            </div>
          </div>
          {end}
        </>
      )}
      {state.kind !== 'ready' && state.kind !== 'loading' && (
        <div className="actions">
          {state.kind === 'failed' && (
            <button type="button" className="button" data-state="retry" data-action="retry" onClick={retry}>
              {texts['common-retry']}
            </button>
          )}
          {state.kind === 'unpaid' && summary && (
            <a className="button" href={senderPath(language, summary)} data-action="pay-again">
              {texts['donation-success-pay-again']}
            </a>
          )}
          {state.kind === 'by-mail' && <LostLinkWay href={senderPath(language, 'lost-link')} texts={texts} />}
          <div className="links">
            {state.kind === 'unpaid' && (
              <>
                <button type="button" className="link" data-action="retry" onClick={retry}>
                  {texts['donation-success-check-again']}
                </button>
                <a className="link" href={senderPath(language, gifts)} data-action="back">
                  {texts['donation-success-back']}
                </a>
              </>
            )}
            {contact}
            {home}
          </div>
        </div>
      )}
    </div>
  )
}

/** What was bought, in words: two gifts bought in two tabs can be told apart. */
function boughtOf(
  { packageId, packageTitle, price }: SettledGift,
  packageTitles: Props<SettledGift>['packageTitles'],
  language: Language,
): Bought | undefined {
  // As it was called when it was bought; what a tab kept from before knows the id alone.
  const title = packageTitle?.[language] ?? packageTitles[packageId ?? '']
  // What a tab kept before its page was made anew says neither.
  if (!price || title === undefined) return undefined
  return { packageId: packageId ?? '', title, amount: formatMoney(price, language, 'when-needed') }
}
