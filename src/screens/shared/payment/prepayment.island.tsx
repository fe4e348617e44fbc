import { useEffect, useMemo } from 'react'
import { asksForDonor } from '#domain/donor/identity.ts'
import type { Language } from '#domain/languages.ts'
import { asksForFulfilmentConsent } from '#domain/legal/fulfilment-consent.ts'
import type { Market } from '#domain/market.ts'
import type { Currency } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import { MINOR_UNITS_PER_UNIT, money } from '#domain/money/money.ts'
import type { AcceptedTerms, DonationChoice, VolunteeringChoice } from '#domain/payment/purchase.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import { SUMMARIES } from '#domain/sender/flow.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { readSender, type Sender } from '#domain/sender/sender-name.ts'
import type { ThemeId } from '#domain/themes.ts'
import { readMission } from '#domain/volunteering/mission.ts'
import { senderPath } from '#paths'
import { $fallback } from '#screens/shared/choices/fallback.store.ts'
import { $package } from '#screens/shared/choices/gift-package.store.ts'
import { $message, $volunteeringMessage } from '#screens/shared/choices/message.store.ts'
import { chosenEntry, forgetUnsold, priceOf } from '#screens/shared/choices/price.ts'
import { $sender, NO_SENDER, senderOf } from '#screens/shared/choices/sender.store.ts'
import type { OnSale } from '#screens/shared/choices/shown-prices.store.ts'
import { $supportPosition } from '#screens/shared/choices/support.store.ts'
import { $theme } from '#screens/shared/choices/theme.store.ts'
import {
  $mission,
  $volunteeringSender,
  $volunteeringSupport,
  invitationEntry,
} from '#screens/shared/choices/volunteering.store.ts'
import { guard } from '#screens/shared/flow/donation-guard.ts'
import { guardVolunteering } from '#screens/shared/flow/volunteering-guard.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { useBrowserValue, useChoice, useCurrency } from '#screens/shared/kit/use-browser-value.ts'
import { createPayment } from '#screens/shared/payment/payment.store.ts'
import { cameFromReceiver } from '#screens/shared/visitor/visit-flags.store.ts'
import { newAttemptKey, startDonationPayment } from '#wire/client.ts'
import { startVolunteeringPayment } from '#wire/volunteering-client.ts'
import { type ChosenRow, PaymentForm, type PaymentFormProps } from './PaymentForm.tsx'
import type { PREPAYMENT_TEXTS } from './prepayment-texts.ts'

type Texts = Readonly<Record<(typeof PREPAYMENT_TEXTS)[number], string>>
type Choice = DonationChoice | VolunteeringChoice
type ChoiceBeforeTerms =
  | Omit<DonationChoice, keyof AcceptedTerms>
  | Omit<VolunteeringChoice, keyof AcceptedTerms>

interface Props extends PaymentFormProps {
  /** Of the terms; blank while there are none, which the server then says. */
  readonly termsVersion: string
  readonly gift: GiftKind
  readonly texts: Texts
  readonly onSale: OnSale
  /** For how long a card waits, from which amount on whoever gives is asked, and what a gift is for their taxes. */
  readonly markets: Readonly<Record<Currency, Pick<Market, 'months' | 'identityFrom' | 'receipts'>>>
  /** What is given, by its id: the packages, or the operator's missions. */
  readonly titles: Readonly<Record<string, string>>
  /** Of the themes that there are; one that was chosen and is gone counts as not chosen. */
  readonly themeTitles: Readonly<Record<ThemeId, string>>
  readonly unchosenTheme: ThemeId
  /** Whom the buyer may have named for an unused card. */
  readonly ngos: readonly { readonly id: string; readonly title: string }[]
}

/** What an order of one kind of gift says, as far as it is chosen. */
interface Order {
  readonly given: readonly ChosenRow[]
  readonly senderScreen: ChosenRow['screen']
  readonly sender: Sender | undefined
  /** As it was typed; '' without anything. */
  readonly message: string
  readonly supportScreen: ChosenRow['screen']
  /** What happens to an unused card; an invitation has no credit. */
  readonly atTheEnd?: ChosenRow
  readonly price: Quote | undefined
  /** What the gateway takes; undefined while a choice is missing. */
  readonly choice: ChoiceBeforeTerms | undefined
  /** Where a choice is made that the operator has taken back since it was made. */
  readonly gone?: ChosenRow['screen'] | undefined
}

/** The theme that the gift will have. */
function useTheme({ themeTitles, unchosenTheme }: Pick<Props, 'themeTitles' | 'unchosenTheme'>): ThemeId {
  const chosen = useChoice($theme, undefined)
  return chosen !== undefined && Object.hasOwn(themeTitles, chosen) ? chosen : unchosenTheme
}

const NO_MISSION = { text: '' }

/** What is given, with what it costs: "Their water, €50". */
const withPrice = (title: string, price: Quote | undefined, language: Language): string =>
  price ? `${title}, ${formatMoney(price.ngo, language, 'when-needed')}` : title

function useDonation(props: Props): Order {
  const { language, onSale, texts, titles, ngos } = props
  const packageId = useChoice($package, undefined)
  const position = useChoice($supportPosition, undefined) ?? 0
  const sender = senderOf(useChoice($sender, NO_SENDER))
  const message = useChoice($message, '')
  const themeId = useTheme(props)
  const currency = useCurrency(language)
  const entry = packageId ? chosenEntry(onSale.gifts, language, currency) : undefined
  const price = entry && priceOf(entry, position, currency, onSale.taxes)
  const fallbackNgoId = useChoice($fallback, undefined) ?? null
  return {
    given: [
      {
        screen: 'packages-donation',
        label: texts['donation-prepayment-gift'],
        value: packageId && withPrice(titles[packageId] ?? '', price, language),
      },
    ],
    senderScreen: 'donation-sender-name',
    sender,
    message,
    supportScreen: 'donation-packages-support-amount',
    atTheEnd: {
      screen: 'donation-packages-support-amount',
      name: 'fallback',
      label: fill(texts['fallback-row'], { months: props.markets[currency].months }),
      value:
        fallbackNgoId === null
          ? texts['fallback-chance']
          : ngos.find(({ id }) => id === fallbackNgoId)?.title,
    },
    price,
    choice: price &&
      sender && {
        packageId: price.packageId,
        ngoAmount: price.ngo.amount,
        supportAmount: price.support.amount,
        currency,
        themeId,
        sender,
        message,
        fallbackNgoId,
        language,
      },
  }
}

function useInvitation(props: Props): Order {
  const { language, onSale, texts, titles } = props
  const chosen = useChoice($mission, NO_MISSION)
  const sender = readSender('own', useChoice($volunteeringSender, ''))
  const position = useChoice($volunteeringSupport, undefined) ?? 0
  const message = useChoice($volunteeringMessage, '')
  const themeId = useTheme(props)
  const currency = useCurrency(language)
  // As it is delivered the page knows neither the support nor the currency: a price would be another one.
  const isKnown = useBrowserValue(() => true, false)
  const mission = readMission(chosen, Object.keys(titles))
  const price = isKnown
    ? priceOf(invitationEntry(onSale.invitation, currency), position, currency, onSale.taxes)
    : undefined
  const missionTitle =
    mission?.kind === 'other'
      ? mission.text
      : mission?.kind === 'listed'
        ? titles[mission.id]
        : mission && texts['mission-decide-later']
  return {
    given: [
      {
        screen: 'packages-volunteering',
        label: texts['donation-prepayment-gift'],
        value: withPrice(texts['price-ngo'], price, language),
      },
      { screen: 'mission', label: texts['volunteering-prepayment-mission'], value: missionTitle },
    ],
    senderScreen: 'volunteering-sender-name',
    sender,
    message,
    supportScreen: 'volunteering-packages-support-amount',
    price,
    choice: price &&
      sender &&
      mission && {
        packageId: price.packageId,
        price: price.ngo.amount,
        supportAmount: price.support.amount,
        currency,
        themeId,
        sender,
        message,
        mission,
        language,
      },
    // The operator took the mission down meanwhile: its own screen says so.
    gone: mission ? undefined : 'mission',
  }
}

const GIFTS = {
  donation: { useOrder: useDonation, guard, gifts: 'packages-donation' },
  volunteering: { useOrder: useInvitation, guard: guardVolunteering, gifts: 'packages-volunteering' },
} as const

const start = (choice: Choice, attemptKey: string) =>
  'mission' in choice
    ? startVolunteeringPayment(choice, attemptKey)
    : startDonationPayment(choice, attemptKey)

/** The last look at a gift before it is paid. */
export default function Prepayment(props: Props) {
  const { gift, language, onSale, texts, themeTitles, problems, contactHref, termsHref, termsVersion } = props
  const { useOrder, guard, gifts } = GIFTS[gift]
  const payment = useMemo(() => createPayment({ start, newAttemptKey }), [])
  const { given, senderScreen, sender, message, supportScreen, atTheEnd, price, choice, gone } =
    useOrder(props)
  const currency = useCurrency(language)
  const from = props.markets[currency].identityFrom
  const themeId = useTheme(props)
  const theme = useBrowserValue(() => themeTitles[themeId], undefined)
  useEffect(() => {
    if (gift === 'donation') forgetUnsold(onSale.gifts, language)
    guard(SUMMARIES[gift], language)
  }, [gift, guard, onSale, language])

  return (
    <>
      <PaymentForm
        {...{ gift, language, texts, problems, contactHref, termsHref, payment, price }}
        taxShare={onSale.taxes[currency].taxShare}
        asksConsent={asksForFulfilmentConsent(currency)}
        donorFrom={
          price && from !== null && asksForDonor(price, gift, from)
            ? formatMoney(money(from * MINOR_UNITS_PER_UNIT, currency), language, 'when-needed')
            : undefined
        }
        choiceToPay={({ fulfilmentConsent, donor }) => {
          if (gone) location.assign(senderPath(language, gone))
          const keepsChain = cameFromReceiver.get()
          return (
            choice &&
            ({ ...choice, termsVersion, fulfilmentConsent, keepsChain, ...(donor && { donor }) } as Choice)
          )
        }}
        rows={[
          ...given,
          {
            screen: senderScreen,
            label: texts['donation-prepayment-from'],
            value: sender?.kind === 'own' ? sender.name : sender && texts['donation-prepayment-anonymous'],
          },
          ...(message.trim() === ''
            ? []
            : [
                {
                  screen: senderScreen,
                  name: 'message',
                  label: texts['donation-prepayment-message'],
                  value: message,
                },
              ]),
          {
            screen: supportScreen,
            label: texts['donation-prepayment-support'],
            value: price && formatMoney(price.support, language, 'when-needed'),
            className: 'figure',
          },
          ...(atTheEnd ? [atTheEnd] : []),
          { screen: 'choose-theme', label: texts['donation-prepayment-colours'], value: theme },
        ]}
        wayOut={({ code }) =>
          code === 'price-not-listed' && (
            <a className="link" href={senderPath(language, gifts)} data-action="packages">
              {texts['entry-continue']}
            </a>
          )
        }
      />
      {gift === 'donation' && (
        <p className="small soft" data-receipts>
          {texts[`receipts-${props.markets[currency].receipts}`]}
        </p>
      )}
    </>
  )
}
