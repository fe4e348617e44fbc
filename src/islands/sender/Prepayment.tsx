import { useEffect, useMemo } from 'react'
import { formatMoney } from '#domain/money/format.ts'
import type { PackageId } from '#domain/pricing/packages.ts'
import { DEFAULT_THEME } from '#domain/themes.ts'
import { senderPath } from '#paths'
import { $package } from '#stores/gift-package.ts'
import { createPayment } from '#stores/payment.ts'
import { chosenEntry, priceOf } from '#stores/price.ts'
import { $sender, NO_SENDER, senderOf } from '#stores/sender.ts'
import { $supportPosition } from '#stores/support.ts'
import { $theme } from '#stores/theme.ts'
import { newAttemptKey, startDonationPayment } from '#wire/client.ts'
import { useChoice, useCurrency } from './browser.ts'
import { guard } from './guard.ts'
import { PAYMENT_DOOR_TEXTS, PaymentDoor, type PaymentDoorTexts } from './PaymentDoor.tsx'

const SCREEN = 'donation-prepayment'

export const PREPAYMENT_TEXTS = [
  'donation-prepayment-gift',
  'donation-prepayment-from',
  'donation-prepayment-anonymous',
  'entry-continue',
  ...PAYMENT_DOOR_TEXTS,
] as const

interface Props extends PaymentDoorTexts {
  readonly texts: Readonly<Record<(typeof PREPAYMENT_TEXTS)[number], string>>
  readonly packageTitles: Readonly<Record<PackageId, string>>
}

/** The last look at a gift card before it is paid. */
export default function Prepayment({ language, texts, packageTitles, problems, contactHref }: Props) {
  const payment = useMemo(() => createPayment({ start: startDonationPayment, newAttemptKey }), [])
  const packageId = useChoice($package, undefined)
  const position = useChoice($supportPosition, undefined) ?? 0
  const sender = senderOf(useChoice($sender, NO_SENDER))
  const themeId = useChoice($theme, undefined) ?? DEFAULT_THEME
  const currency = useCurrency(language)
  useEffect(() => guard(SCREEN, language), [language])

  const entry = packageId && chosenEntry(language)
  const price = entry && priceOf(entry, position, currency)
  return (
    <PaymentDoor
      {...{ language, texts, problems, contactHref, payment, price }}
      choiceToPay={() =>
        price &&
        sender && {
          packageId: price.packageId,
          ngoAmount: price.ngo.amount,
          supportAmount: price.support.amount,
          currency,
          themeId,
          sender,
          language,
        }
      }
      rows={[
        {
          screen: 'packages-donation',
          label: texts['donation-prepayment-gift'],
          value: packageId && packageTitles[packageId],
        },
        {
          screen: 'donation-sender-name',
          label: texts['donation-prepayment-from'],
          value: sender?.kind === 'own' ? sender.name : sender && texts['donation-prepayment-anonymous'],
        },
        {
          screen: 'donation-packages-support-amount',
          label: texts['donation-prepayment-support'],
          value: price && formatMoney(price.support, language, 'when-needed'),
          className: 'figure',
        },
      ]}
      wayOut={({ code }) =>
        code === 'price-not-listed' && (
          <a className="link" href={senderPath(language, 'packages-donation')} data-action="packages">
            {texts['entry-continue']}
          </a>
        )
      }
    />
  )
}
