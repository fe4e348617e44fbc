import { useEffect, useMemo } from 'react'
import { formatMoney } from '#domain/money/format.ts'
import { readSender } from '#domain/sender/sender-name.ts'
import { DEFAULT_THEME } from '#domain/themes.ts'
import { readMission } from '#domain/volunteering/mission.ts'
import { senderPath } from '#paths'
import { createPayment } from '#stores/payment.ts'
import { $theme } from '#stores/theme.ts'
import { $mission, $volunteeringSender, $volunteeringSupport, invitationPrice } from '#stores/volunteering.ts'
import { newAttemptKey } from '#wire/client.ts'
import { startVolunteeringPayment } from '#wire/volunteering-client.ts'
import { useBrowserValue, useChoice, useCurrency } from '../browser.ts'
import { PAYMENT_DOOR_TEXTS, PaymentDoor, type PaymentDoorTexts } from '../PaymentDoor.tsx'
import { guardVolunteering } from './guard.ts'

export const PREPAYMENT_TEXTS = [
  'volunteering-prepayment-mission',
  'volunteering-prepayment-from',
  'mission-decide-later',
  ...PAYMENT_DOOR_TEXTS,
] as const

const NO_MISSION = { text: '' }

interface Props extends PaymentDoorTexts {
  readonly texts: Readonly<Record<(typeof PREPAYMENT_TEXTS)[number], string>>
  /** The operator's missions, by their ids. */
  readonly missions: Readonly<Record<string, string>>
}

/** The last look at an invitation before it is paid. */
export default function Prepayment({ language, texts, missions, problems, contactHref }: Props) {
  const payment = useMemo(() => createPayment({ start: startVolunteeringPayment, newAttemptKey }), [])
  const choice = useChoice($mission, NO_MISSION)
  const sender = readSender('own', useChoice($volunteeringSender, ''))
  const position = useChoice($volunteeringSupport, undefined) ?? 0
  const themeId = useChoice($theme, undefined) ?? DEFAULT_THEME
  const currency = useCurrency(language)
  useEffect(() => guardVolunteering('volunteering-prepayment', language), [language])

  const mission = readMission(choice, Object.keys(missions))
  // As it is delivered the page knows neither the support nor the currency: a price would be another one.
  const isKnown = useBrowserValue(() => true, false)
  const price = isKnown ? invitationPrice(position, currency) : undefined
  const missionText =
    mission?.kind === 'other'
      ? mission.text
      : mission?.kind === 'listed'
        ? missions[mission.id]
        : mission && texts['mission-decide-later']

  const choiceToPay = () => {
    if (!mission) {
      // The operator took the mission down meanwhile: its own screen says so.
      location.assign(senderPath(language, 'mission'))
      return undefined
    }
    return (
      sender &&
      price && {
        packageId: price.packageId,
        price: price.ngo.amount,
        supportAmount: price.support.amount,
        currency,
        themeId,
        sender,
        mission,
        language,
      }
    )
  }

  return (
    <PaymentDoor
      {...{ language, texts, problems, contactHref, payment, price, choiceToPay }}
      rows={[
        { screen: 'mission', label: texts['volunteering-prepayment-mission'], value: missionText },
        {
          screen: 'volunteering-sender-name',
          label: texts['volunteering-prepayment-from'],
          value: sender?.kind === 'own' ? sender.name : undefined,
        },
        {
          screen: 'volunteering-packages-support-amount',
          label: texts['donation-prepayment-support'],
          value: price && formatMoney(price.support, language, 'when-needed'),
          className: 'figure',
        },
      ]}
    />
  )
}
