import { localizedPath, volunteeringCardPath } from '#paths'
import {
  AFTER_PAYMENT_TEXTS,
  AfterPayment,
  type AfterPaymentProps,
  type GiftSource,
} from '#screens/shared/payment/AfterPayment.tsx'
import { GIFT_IN_HAND_TEXTS, GiftInHand } from '#screens/shared/payment/GiftInHand.tsx'
import { paidGifts } from '#screens/shared/payment/paid-gifts.store.ts'
import { sessionIdOf } from '#screens/shared/payment/session-id.ts'
import {
  readVolunteeringSuccess,
  sendInvitationMail,
  type VolunteeringSuccess,
} from '#wire/volunteering-client.ts'
import BookDownload, { BOOK_TEXTS } from './PhotoBookDownload.tsx'

export const SUCCESS_TEXTS = [
  ...AFTER_PAYMENT_TEXTS,
  ...GIFT_IN_HAND_TEXTS,
  ...BOOK_TEXTS,
  'volunteering-success-mission-later',
  'transparency-title',
] as const

interface Props extends AfterPaymentProps {
  readonly texts: Readonly<Record<(typeof SUCCESS_TEXTS)[number], string>>
}

const SOURCE: GiftSource<VolunteeringSuccess> = {
  idOf: sessionIdOf,
  read: (checkoutSessionId, language) => readVolunteeringSuccess({ checkoutSessionId, language }),
  sendMail: sendInvitationMail,
  kept: paidGifts.volunteering,
  gifts: 'packages-volunteering',
  summary: 'volunteering-prepayment',
}

/** After the payment of an invitation: the invitation in hand, and the photo-book. */
export default function Success(props: Props) {
  const { language, texts, siteUrl, motifs } = props
  return (
    <AfterPayment {...props} source={SOURCE}>
      {({ key, senderName, mission }, bought) => {
        const url = siteUrl + volunteeringCardPath(key)
        const title =
          (typeof mission === 'string' ? mission : mission?.[language]) ??
          texts['volunteering-success-mission-later']
        // The title and no price: the buyer may show this screen to the guest.
        const invitation = bought && { packageId: bought.packageId, title }
        return (
          <>
            <GiftInHand
              preview={{ href: url, action: 'open' }}
              // No organisation gets of it, so there is no passport: all the money has a page.
              trail={{ href: localizedPath(language, '/transparency'), label: texts['transparency-title'] }}
              pictureName="invitation.png"
              {...{ url, senderName, motifs, language, texts }}
              bought={invitation}
            />
            <BookDownload cardKey={key} language={language} texts={texts} />
          </>
        )
      }}
    </AfterPayment>
  )
}
