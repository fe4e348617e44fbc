import { useStore } from '@nanostores/react'
import { useEffect, useMemo } from 'react'
import '#styles/prepayment.css'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { SenderScreen } from '#domain/sender/flow.ts'
import { readSender } from '#domain/sender/sender-name.ts'
import { DEFAULT_THEME } from '#domain/themes.ts'
import { readMission } from '#domain/volunteering/mission.ts'
import { senderPath } from '#paths'
import { createPayment } from '#stores/payment.ts'
import { $theme } from '#stores/theme.ts'
import { $mission, $volunteeringSender, $volunteeringSupport, invitationPrice } from '#stores/volunteering.ts'
import { fill } from '#ui/fill.ts'
import { PRICE_TEXTS, PriceRows } from '#ui/sender/PriceRows.tsx'
import { newAttemptKey, type Refusal } from '#wire/client.ts'
import { startVolunteeringPayment } from '#wire/volunteering-client.ts'
import { useChoice, useCurrency } from '../browser.ts'
import { guardVolunteering } from './guard.ts'

export const PREPAYMENT_TEXTS = [
  'donation-prepayment-summary',
  'donation-prepayment-support',
  'donation-prepayment-change',
  'donation-prepayment-pay',
  'donation-prepayment-wait',
  'volunteering-prepayment-mission',
  'volunteering-prepayment-from',
  'mission-decide-later',
  'common-loading',
  'common-retry',
  'common-contact',
  ...PRICE_TEXTS,
] as const

/** After so many failures in a row a retry alone is no help. */
const OFFER_CONTACT_AFTER = 2
const LEAVES_WITHIN_MS = 20_000
const NO_MISSION = { text: '' }

interface Props {
  readonly language: Language
  readonly texts: Readonly<Record<(typeof PREPAYMENT_TEXTS)[number], string>>
  /** The operator's missions, by their ids. */
  readonly missions: Readonly<Record<string, string>>
  readonly problems: Readonly<Partial<Record<Refusal['code'], string>> & { 'something-went-wrong': string }>
  readonly contactHref: string
}

/** What was chosen for an invitation, what it costs, and the door to the provider's page. */
export default function Prepayment({ language, texts, missions, problems, contactHref }: Props) {
  const payment = useMemo(() => createPayment({ start: startVolunteeringPayment, newAttemptKey }), [])
  const state = useStore(payment.$state)
  const choice = useChoice($mission, NO_MISSION)
  const sender = readSender('own', useChoice($volunteeringSender, ''))
  const position = useChoice($volunteeringSupport, undefined) ?? 0
  const themeId = useChoice($theme, undefined) ?? DEFAULT_THEME
  const currency = useCurrency(language)
  useEffect(() => guardVolunteering('volunteering-prepayment', language), [language])
  useEffect(() => {
    // Back from the provider's page, the page may come out of the browser's memory still loading.
    const back = (event: PageTransitionEvent): void => {
      if (event.persisted) payment.reset()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [payment])

  const mission = readMission(choice, Object.keys(missions))
  const price = invitationPrice(position, currency)
  const loading = state.kind === 'loading'
  const failed = state.kind === 'failed' ? state : undefined

  const pay = async (): Promise<void> => {
    // The operator took the mission down meanwhile: its own screen says so.
    if (!mission) return location.assign(senderPath(language, 'mission'))
    if (!sender) return
    const url = await payment.press({
      packageId: price.packageId,
      price: price.ngo.amount,
      supportAmount: price.support.amount,
      currency,
      themeId,
      sender,
      mission,
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
  const missionText =
    mission?.kind === 'other'
      ? mission.text
      : mission?.kind === 'listed'
        ? missions[mission.id]
        : mission && texts['mission-decide-later']

  return (
    <div className="form">
      <h2 className="visually-hidden">{texts['donation-prepayment-summary']}</h2>
      <dl className="rows chosen">
        {chosen('mission', texts['volunteering-prepayment-mission'], missionText ?? '\u00a0')}
        {chosen(
          'volunteering-sender-name',
          texts['volunteering-prepayment-from'],
          sender?.kind === 'own' ? sender.name : '\u00a0',
        )}
        {chosen(
          'volunteering-packages-support-amount',
          texts['donation-prepayment-support'],
          formatMoney(price.support, language, 'when-needed'),
          'figure',
        )}
      </dl>
      <PriceRows language={language} price={price} texts={texts} />
      <div className="actions" data-needs-script>
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
        {failed && failed.retries >= OFFER_CONTACT_AFTER && (
          <a className="link" href={contactHref} data-action="contact">
            {texts['common-contact']}
          </a>
        )}
      </div>
    </div>
  )
}
