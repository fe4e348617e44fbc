import { useStore } from '@nanostores/react'
import { useEffect, useMemo } from 'react'
import '#styles/prepayment.css'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { PackageId } from '#domain/pricing/packages.ts'
import type { SenderScreen } from '#domain/sender/flow.ts'
import { DEFAULT_THEME } from '#domain/themes.ts'
import { senderPath } from '#paths'
import { $package } from '#stores/gift-package.ts'
import { createPayment } from '#stores/payment.ts'
import { chosenEntry, priceOf } from '#stores/price.ts'
import { $sender, NO_SENDER, senderOf } from '#stores/sender.ts'
import { $supportPosition } from '#stores/support.ts'
import { $theme } from '#stores/theme.ts'
import { fill } from '#ui/fill.ts'
import { PRICE_TEXTS, PriceRows } from '#ui/sender/PriceRows.tsx'
import { newAttemptKey, type Refusal, startDonationPayment } from '#wire/client.ts'
import { useChoice, useCurrency } from './browser.ts'
import { guard } from './guard.ts'

const SCREEN = 'donation-prepayment'

export const PREPAYMENT_TEXTS = [
  'donation-prepayment-summary',
  'donation-prepayment-gift',
  'donation-prepayment-from',
  'donation-prepayment-anonymous',
  'donation-prepayment-support',
  'donation-prepayment-change',
  'donation-prepayment-pay',
  'donation-prepayment-wait',
  'common-loading',
  'common-retry',
  'common-contact',
  'entry-continue',
  ...PRICE_TEXTS,
] as const

/** After so many failures in a row a retry alone is no help. */
const OFFER_CONTACT_AFTER = 2

const LEAVES_WITHIN_MS = 20_000

interface Props {
  readonly language: Language
  readonly texts: Readonly<Record<(typeof PREPAYMENT_TEXTS)[number], string>>
  readonly packageTitles: Readonly<Record<PackageId, string>>
  /** A sentence for each way the payment page can fail to open. */
  readonly problems: Readonly<Partial<Record<Refusal['code'], string>> & { 'something-went-wrong': string }>
  readonly contactHref: string
}

/** What was chosen, what it costs, and the door to the provider's page. */
export default function Prepayment({ language, texts, packageTitles, problems, contactHref }: Props) {
  const payment = useMemo(() => createPayment({ start: startDonationPayment, newAttemptKey }), [])
  const state = useStore(payment.$state)
  const packageId = useChoice($package, undefined)
  const position = useChoice($supportPosition, undefined) ?? 0
  const sender = senderOf(useChoice($sender, NO_SENDER))
  const themeId = useChoice($theme, undefined) ?? DEFAULT_THEME
  const currency = useCurrency(language)
  useEffect(() => guard(SCREEN, language), [language])
  useEffect(() => {
    // Back from the provider's page, the page may come out of the browser's memory still loading.
    const back = (event: PageTransitionEvent): void => {
      if (event.persisted) payment.reset()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [payment])

  const entry = packageId && chosenEntry(language)
  const price = entry && priceOf(entry, position, currency)
  const loading = state.kind === 'loading'
  const failed = state.kind === 'failed' ? state : undefined

  const pay = async (): Promise<void> => {
    if (!price || !sender) return
    const url = await payment.press({
      packageId: price.packageId,
      ngoAmount: price.ngo.amount,
      supportAmount: price.support.amount,
      currency,
      themeId,
      sender,
      language,
    })
    if (url === undefined) return
    location.assign(url)
    // Still here after that long, the visitor stopped the browser on its way: the button must not stay dead.
    setTimeout(payment.reset, LEAVES_WITHIN_MS)
  }

  const chosen = (screen: SenderScreen, label: string, value: string, className?: string) => (
    <div key={screen} data-chosen={screen}>
      <dt>{label}</dt>
      <dd>
        <span className={className}>{value}</span>
        <a className="link" href={senderPath(language, screen)} data-action="change">
          {texts['donation-prepayment-change']}
          <span className="visually-hidden">: {label}</span>
        </a>
      </dd>
    </div>
  )
  const senderText = sender?.kind === 'own' ? sender.name : sender && texts['donation-prepayment-anonymous']

  return (
    <div className="form" data-needs-script>
      <h2 className="visually-hidden">{texts['donation-prepayment-summary']}</h2>
      <dl className="rows chosen">
        {chosen(
          'packages-donation',
          texts['donation-prepayment-gift'],
          packageId ? packageTitles[packageId] : '\u00a0',
        )}
        {chosen('donation-sender-name', texts['donation-prepayment-from'], senderText ?? '\u00a0')}
        {chosen(
          'donation-packages-support-amount',
          texts['donation-prepayment-support'],
          price ? formatMoney(price.support, language, 'when-needed') : '\u00a0',
          'figure',
        )}
      </dl>
      <PriceRows language={language} price={price} texts={texts} />
      <div className="actions">
        <div className="failure" role="status" id="payment-problem">
          {failed && (
            <p className="error">
              {problems[failed.refusal.code] ?? problems['something-went-wrong']}{' '}
              {failed.refusal.retryAfterSeconds !== undefined &&
                fill(texts['donation-prepayment-wait'], { seconds: failed.refusal.retryAfterSeconds })}
            </p>
          )}
        </div>
        <button
          type="button"
          className="button"
          data-action="pay"
          data-state={loading ? 'loading' : failed ? 'retry' : 'ready'}
          data-retries={failed?.retries}
          aria-disabled={loading}
          aria-busy={loading}
          aria-describedby="payment-problem"
          onClick={() => void pay()}
        >
          {loading
            ? texts['common-loading']
            : failed
              ? texts['common-retry']
              : texts['donation-prepayment-pay']}
        </button>
        {failed?.refusal.code === 'price-not-listed' && (
          <a className="link" href={senderPath(language, 'packages-donation')} data-action="packages">
            {texts['entry-continue']}
          </a>
        )}
        {failed && failed.retries >= OFFER_CONTACT_AFTER && (
          <a className="link" href={contactHref} data-action="contact">
            {texts['common-contact']}
          </a>
        )}
      </div>
    </div>
  )
}
