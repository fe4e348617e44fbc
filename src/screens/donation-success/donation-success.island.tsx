import { useEffect } from 'react'
import { lastDayBefore } from '#domain/dates.ts'
import type { Currency } from '#domain/money/currency.ts'
import { screenAfterPayment } from '#domain/polls/polls.ts'
import { fillText } from '#domain/text/fill-text.ts'
import {
  cardPath,
  giftLinkPath,
  LAST_DAY_PATH,
  PRINT_KEY_FIELD,
  PRINT_PATH,
  senderPath,
  sendingPath,
} from '#paths'
import { endOrder } from '#screens/shared/choices/fallback.store.ts'
import { useBrowserValue } from '#screens/shared/kit/use-browser-value.ts'
import {
  AFTER_PAYMENT_TEXTS,
  AfterPayment,
  type AfterPaymentProps,
  type GiftSource,
} from '#screens/shared/payment/AfterPayment.tsx'
import { GIFT_IN_HAND_TEXTS, GiftInHand, useUnfoldsAs } from '#screens/shared/payment/GiftInHand.tsx'
import { leadToMany } from '#screens/shared/payment/lead-to-many.ts'
import { paidGifts } from '#screens/shared/payment/paid-gifts.store.ts'
import { privateKeyOf, sessionIdOf } from '#screens/shared/payment/session-id.ts'
import { isAfterPayment, pollState } from '#screens/shared/polls/polls.store.ts'
import {
  type DonationSuccess,
  readDonationSuccess,
  readFreeGiftCard,
  sendConfirmation,
  sendFreeConfirmation,
} from '#wire/client.ts'

export const DONATION_SUCCESS_TEXTS = [
  ...AFTER_PAYMENT_TEXTS,
  ...GIFT_IN_HAND_TEXTS,
  'poll-after-payment',
  'poll-after-payment-go',
  'passport-title',
  'last-day-calendar',
] as const

interface Props extends AfterPaymentProps {
  readonly texts: Readonly<Record<(typeof DONATION_SUCCESS_TEXTS)[number], string>>
  /** Continue leads on to what was not asked yet, and back here. */
  readonly asks?: boolean
  /** Says until when a card can be used, by the currency it was bought in. */
  readonly lastDays: Readonly<Record<Currency, string>>
  /** How the card came to be: by a payment, or by a claim. */
  readonly source: keyof typeof SOURCES
}

/** Where the polls end: the same links once more. */
const LINKS_AGAIN = 'no-refresh/checkout'

const SOURCES = {
  payment: {
    idOf: sessionIdOf,
    async read(checkoutSessionId, language) {
      const answer = await readDonationSuccess({ checkoutSessionId, language })
      if (!answer.ok) return answer
      const { value } = answer
      if ('manyKey' in value) return leadToMany(value, language)
      // Once for each gift: a reload must not take back what the next order chose meanwhile.
      if (paidGifts.donation.last.get()?.cardId !== value.cardId) endOrder()
      return { ok: true, value }
    },
    sendMail: sendConfirmation,
    kept: paidGifts.donation,
    gifts: 'packages-donation',
    summary: 'donation-prepayment',
  },
  claim: {
    idOf: privateKeyOf,
    read: privateKey => readFreeGiftCard(privateKey),
    sendMail: sendFreeConfirmation,
    kept: paidGifts.donation,
    gifts: 'packages-donation',
  },
} as const satisfies Readonly<Record<string, GiftSource<DonationSuccess>>>

/** After the payment of a gift card, or its claim: the card in hand, and what is still to be asked. */
export default function DonationSuccessPage({ source, lastDays, asks = false, ...props }: Props) {
  const { language, texts, siteUrl, motifs } = props
  const polls = useBrowserValue(() => screenAfterPayment(pollState()), LINKS_AGAIN)
  const unfoldsAs = useUnfoldsAs(language)
  useEffect(() => isAfterPayment.set(undefined), [])

  const end = asks && polls !== LINKS_AGAIN && (
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
  )

  return (
    <AfterPayment {...props} source={SOURCES[source]} end={end}>
      {(
        { publicKey, privateKey, senderName, checkWord, cardId, sendingKey, autoDonateAt, price },
        bought,
      ) => (
        <GiftInHand
          url={siteUrl + cardPath(privateKey, 'introduction', 'final')}
          preview={{
            href: siteUrl + cardPath(publicKey, 'introduction', 'preview'),
            action: 'open-preview',
          }}
          link={siteUrl + giftLinkPath(unfoldsAs, privateKey)}
          trail={{
            href: siteUrl + giftLinkPath(unfoldsAs, publicKey, 'passport'),
            label: texts['passport-title'],
          }}
          sendForMe={sendingKey && sendingPath(cardId, sendingKey)}
          pictureName="gift.png"
          printCard={fileForm(
            PRINT_PATH,
            privateKey,
            'print',
            texts['donation-success-print'],
            'button button-quiet',
          )}
          calendar={fileForm(LAST_DAY_PATH, privateKey, 'calendar', texts['last-day-calendar'], 'link')}
          // A tab may have kept the card of the version before, which did not say it.
          lastDay={
            autoDonateAt &&
            fillText(lastDays[price.currency], { date: lastDayBefore(autoDonateAt, language) }, language)
          }
          {...{ bought, senderName, checkWord, motifs, language, texts }}
        />
      )}
    </AfterPayment>
  )
}

/** An ordinary form, which every browser saves the answer of; the key stands in no address. */
function fileForm(path: string, key: string, action: string, text: string, className: string) {
  return (
    <form method="post" action={path}>
      <input type="hidden" name={PRINT_KEY_FIELD} value={key} />
      <button type="submit" {...{ className }} data-action={action}>
        {text}
      </button>
    </form>
  )
}
