import { type ReactNode, useEffect, useRef, useState } from 'react'
import '#screens/shared/kit/actions-stay.css'
import '#screens/shared/kit/rows.css'
import '#screens/shared/kit/tick.css'
import '#screens/shared/kit/tick-missing.css'
import '#screens/shared/payment/prepayment.css'
import {
  DOCUMENT_LENGTH,
  DONOR_NAME_LENGTH,
  type DonorField,
  type DonorIdentity,
  donorFaults,
  readDonor,
} from '#domain/donor/identity.ts'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import { isSpent } from '#domain/payment/spent.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import type { SenderScreen } from '#domain/sender/flow.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { changePath } from '#paths'
import { fill } from '#screens/shared/kit/fill.ts'
import { useStore } from '#screens/shared/kit/use-browser-value.ts'
import { asksToWrite } from '#screens/shared/payment/asks-to-write.ts'
import { PriceRows } from '#screens/shared/payment/PriceRows.tsx'
import type { Payment } from '#screens/shared/payment/payment.store.ts'
import type { PAYMENT_FORM_TEXTS } from '#screens/shared/payment/prepayment-texts.ts'
import type { PlaceInLine, Refusal } from '#wire/client.ts'

/** After so many failures in a row a retry alone is no help. */
const OFFER_CONTACT_AFTER = 2

const LEAVES_WITHIN_MS = 20_000

/** The page holds what was so before. It is loaded anew: its choices are kept, and nothing was paid. */
const isOutdated = ({ code }: Refusal): boolean => code === 'terms-changed' || code === 'summary-changed'

/** What somebody says of themselves here stands in the page alone: no tab and no browser keeps it. */
const DONOR_FIELDS = [
  { field: 'name', autoComplete: 'name', maxLength: DONOR_NAME_LENGTH },
  { field: 'document', autoComplete: 'off', maxLength: DOCUMENT_LENGTH },
] as const

/** Name and document as they were typed. */
function typedIn(fields: HTMLFieldSetElement | null): [name: string, document: string] {
  const typed = (field: DonorField) =>
    fields?.querySelector<HTMLInputElement>(`[name="donor-${field}"]`)?.value ?? ''
  return [typed('name'), typed('document')]
}

/** A choice and the screen on which it is changed; without a value its place is kept. */
export interface ChosenRow {
  readonly screen: SenderScreen
  /** Tells it from another choice of the same screen. */
  readonly name?: string
  readonly label: string
  readonly value: string | undefined
  readonly className?: string
}

/** What the screens before a payment get from their page. */
export interface PaymentFormProps {
  readonly language: Language
  /** A sentence for each way the payment page can fail to open. */
  readonly problems: Readonly<Partial<Record<Refusal['code'], string>> & { 'something-went-wrong': string }>
  readonly contactHref: string
  /** Where the terms stand that the press accepts. */
  readonly termsHref: string
}

interface Props<Choice extends object> extends PaymentFormProps {
  readonly texts: Readonly<Record<(typeof PAYMENT_FORM_TEXTS)[number], string>>
  readonly gift: GiftKind
  readonly payment: Payment<Choice>
  /** What is paid for; undefined while a choice is missing, which the press then does not send. */
  readonly choiceToPay: (said: {
    readonly fulfilmentConsent: boolean
    readonly donor: DonorIdentity | null
  }) => Choice | undefined
  /** Has the buyer to agree that the gift is fulfilled when it is used? */
  readonly asksConsent: boolean
  /** From which amount on the law of the market asks who gives, written out; undefined where it doesn't ask of this. */
  readonly donorFrom: string | undefined
  readonly rows: readonly ChosenRow[]
  readonly price: Quote | undefined
  /** Of the support, in percent. */
  readonly taxShare: number
  /** A way out that a refusal of this kind of gift has. */
  readonly wayOut?: (refusal: Refusal) => ReactNode
}

/** What was chosen, what it costs, and the door to the provider's page. */
export function PaymentForm<Choice extends object>(props: Props<Choice>) {
  const { gift, language, texts, problems, contactHref, termsHref, payment, choiceToPay } = props
  const { asksConsent, donorFrom, rows, price, taxShare, wayOut } = props
  const consent = useRef<HTMLInputElement>(null)
  const [lacksConsent, setLacksConsent] = useState(false)
  const donorFields = useRef<HTMLFieldSetElement>(null)
  const [lacksDonor, setLacksDonor] = useState<readonly DonorField[]>([])
  /** Presses that something was missing for. */
  const [refusals, setRefusals] = useState(0)
  const stillHere = useRef<ReturnType<typeof setTimeout>>(undefined)
  const state = useStore(payment.$state)
  useEffect(() => {
    // Back from the provider's page, the page may come out of the browser's memory still loading.
    const back = (event: PageTransitionEvent): void => {
      clearTimeout(stillHere.current)
      // Whoever waits in the line goes on waiting.
      if (event.persisted && payment.$state.get().kind !== 'waiting') payment.reset()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [payment])

  // Once the reason stands there, so that both come into sight. What stands first is mended first.
  useEffect(() => {
    if (refusals === 0) return
    ;(donorFields.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? consent.current)?.focus()
  }, [refusals])

  const waiting = state.kind === 'waiting' ? state.place : undefined
  const loading = state.kind === 'loading' || waiting !== undefined
  const failed = state.kind === 'failed' ? state : undefined
  // Nothing failed: the next press is a purchase of its own, and the button says what of.
  const spent = failed !== undefined && isSpent(failed.refusal)

  const pay = async (): Promise<void> => {
    if (failed && isOutdated(failed.refusal)) return location.reload()
    const agrees = consent.current?.checked ?? false
    setLacksConsent(asksConsent && !agrees)
    const typed = typedIn(donorFields.current)
    const donor = donorFrom === undefined ? null : readDonor(...typed)
    setLacksDonor(donor === undefined ? donorFaults(...typed) : [])
    if (donor === undefined || (asksConsent && !agrees)) return setRefusals(refusals + 1)
    const choice = choiceToPay({ fulfilmentConsent: agrees, donor })
    if (choice) await goOn(choice)
  }

  const goOn = async (choice: Choice): Promise<void> => {
    const url = await payment.press(choice)
    // A press while the browser is on its way changes nothing, nor what revives the button.
    if (url === undefined) return
    location.assign(url)
    clearTimeout(stillHere.current)
    // Still here after that long, the visitor stopped the browser on its way: the button must not stay dead.
    stillHere.current = setTimeout(payment.reset, LEAVES_WITHIN_MS)
  }

  // A page that was loaded anew in the line goes on by itself, unless it has to ask again who gives.
  useEffect(() => {
    if (state.kind !== 'ready' || price === undefined || donorFrom !== undefined) return
    const choice = payment.waiting(() => choiceToPay({ fulfilmentConsent: asksConsent, donor: null }))
    if (!choice) return
    // The buyer had agreed: that is in the choice that waits.
    if (consent.current) consent.current.checked = true
    void goOn(choice)
  })

  return (
    <div className="form" data-needs-script>
      <h2 className="visually-hidden">{texts['donation-prepayment-summary']}</h2>
      <dl className="rows chosen">
        {rows.map(({ screen, name, label, value, className }) => (
          <div key={name ?? screen} data-chosen={name ?? screen}>
            <dt>{label}</dt>
            <dd>
              <span className={className}>{value ?? '\u00a0'}</span>
              <a className="link" href={changePath(language, screen, gift)} data-action="change">
                {texts['donation-prepayment-change']}
                <span className="visually-hidden">: {label}</span>
              </a>
            </dd>
          </div>
        ))}
      </dl>
      <PriceRows {...{ language, price, texts, taxShare }} />
      {donorFrom !== undefined && (
        <fieldset
          className="donor"
          ref={donorFields}
          onInput={({ target }) =>
            setLacksDonor(lacks => lacks.filter(field => (target as Element).id !== `donor-${field}`))
          }
          data-donor
        >
          <legend>{texts['donor-title']}</legend>
          <p className="small soft" id="donor-note">
            {fill(texts['donor-note'], { amount: donorFrom })}
          </p>
          {DONOR_FIELDS.map(({ field, ...input }) => (
            <div className="field" key={field}>
              <label htmlFor={`donor-${field}`}>{texts[`donor-${field}`]}</label>
              <input
                id={`donor-${field}`}
                name={`donor-${field}`}
                {...input}
                required
                aria-invalid={lacksDonor.includes(field)}
                aria-describedby={lacksDonor.includes(field) ? 'donor-note donor-problem' : 'donor-note'}
              />
            </div>
          ))}
          <p className="error" id="donor-problem" role="status">
            {lacksDonor.map(field => texts[`donor-${field}-missing`]).join(' ')}
          </p>
        </fieldset>
      )}
      {asksConsent && (
        <label className="tick">
          <input
            className="tick-box"
            type="checkbox"
            ref={consent}
            autoComplete="off"
            aria-invalid={lacksConsent}
            aria-describedby="payment-problem"
            data-consent="fulfilment"
            onChange={() => setLacksConsent(false)}
          />
          <span>{texts['prepayment-fulfilment-consent']}</span>
        </label>
      )}
      <p className="small soft terms">
        {texts['prepayment-terms']}{' '}
        <a className="link" href={termsHref} data-action="terms">
          {texts['prepayment-terms-link']}
        </a>
        .
      </p>
      <div className="actions actions-stay">
        <div className="failure" role="status" id="payment-problem">
          {lacksConsent && <p className="error">{texts['prepayment-fulfilment-missing']}</p>}
          {waiting && <InLine {...{ language, texts }} place={waiting} />}
          {failed && !lacksConsent && lacksDonor.length === 0 && (
            <p className={spent ? undefined : 'error'}>
              {spent
                ? texts['payment-spent']
                : (problems[failed.refusal.code] ?? problems['something-went-wrong'])}{' '}
              {failed.refusal.retryAfterSeconds !== undefined &&
                fill(texts['donation-prepayment-wait'], { seconds: failed.refusal.retryAfterSeconds })}
            </p>
          )}
        </div>
        <button
          type="button"
          className="button"
          data-action="pay"
          data-state={waiting ? 'waiting' : loading ? 'loading' : failed && !spent ? 'retry' : 'ready'}
          data-retries={failed?.retries}
          aria-disabled={loading}
          aria-busy={loading}
          aria-describedby="payment-problem"
          onClick={() => void pay()}
        >
          {loading
            ? texts[waiting ? 'prepayment-line-button' : 'common-loading']
            : failed && !spent
              ? texts['common-retry']
              : price
                ? fill(texts['donation-prepayment-pay-amount'], {
                    amount: formatMoney(price.total, language, 'when-needed'),
                  })
                : texts['donation-prepayment-pay']}
        </button>
        {failed?.refusal.code === 'terms-changed' && (
          <a className="link" href={termsHref} data-action="new-terms">
            {texts['legal-in-force']}
          </a>
        )}
        {failed && wayOut?.(failed.refusal)}
        {failed && (failed.retries >= OFFER_CONTACT_AFTER || asksToWrite(failed.refusal.code)) && (
          <a className="link" href={contactHref} data-action="contact">
            {texts['common-contact']}
          </a>
        )}
      </div>
    </div>
  )
}

const MINUTE_MS = 60_000

interface InLineProps {
  readonly language: Language
  readonly texts: Props<object>['texts']
  readonly place: PlaceInLine
}

/** Where a press stands in the line, and when its turn comes. What changes stands last, so that nothing moves. */
function InLine({ language, texts, place }: InLineProps) {
  const minutes = Math.ceil(place.wait_ms / MINUTE_MS)
  return (
    <div className="in-line" data-ahead={place.ahead}>
      <p>{texts[place.place_was_over ? 'prepayment-line-again' : 'prepayment-line']}</p>
      <p>
        {fill(texts[minutes < 2 ? 'prepayment-line-soon' : 'prepayment-line-minutes'], {
          ahead: place.ahead.toLocaleString(language),
          minutes,
        })}
      </p>
    </div>
  )
}
