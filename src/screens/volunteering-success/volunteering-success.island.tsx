import { giftLinkPath, localizedPath, sendingPath, volunteeringCardPath } from '#paths'
import { $volunteeringMessage } from '#screens/shared/choices/message.store.ts'
import {
  AFTER_PAYMENT_TEXTS,
  AfterPayment,
  type AfterPaymentProps,
  type GiftSource,
} from '#screens/shared/payment/AfterPayment.tsx'
import { GIFT_IN_HAND_TEXTS, GiftInHand, useUnfoldsAs } from '#screens/shared/payment/GiftInHand.tsx'
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
  async read(checkoutSessionId, language) {
    const answer = await readVolunteeringSuccess({ checkoutSessionId, language })
    // The next invitation begins without these words; a reload takes back nothing of what the next order has chosen.
    if (answer.ok && paidGifts.volunteering.last.get()?.cardId !== answer.value.cardId)
      $volunteeringMessage.set('')
    return answer
  },
  sendMail: sendInvitationMail,
  kept: paidGifts.volunteering,
  gifts: 'packages-volunteering',
  summary: 'volunteering-prepayment',
}

/** After the payment of an invitation: the invitation in hand, and the photo-book. */
export default function Success(props: Props) {
  const { language, texts, siteUrl, motifs } = props
  const unfoldsAs = useUnfoldsAs(language)
  return (
    <AfterPayment {...props} source={SOURCE}>
      {({ key, cardId, sendingKey, senderName, checkWord, mission }, bought) => {
        const url = siteUrl + volunteeringCardPath(key)
        const title =
          (typeof mission === 'string' ? mission : mission?.[language]) ??
          texts['volunteering-success-mission-later']
        // The title and no price: the buyer may show this screen to the guest.
        const invitation = bought && { packageId: bought.packageId, title }
        return (
          <>
            <GiftInHand
              link={siteUrl + giftLinkPath({ ...unfoldsAs, kind: 'volunteering' }, key)}
              preview={{ href: url, action: 'open' }}
              // No organisation gets of it, so there is no passport: all the money has a page.
              trail={{ href: localizedPath(language, '/transparency'), label: texts['transparency-title'] }}
              sendForMe={sendingKey && sendingPath(cardId, sendingKey)}
              pictureName="invitation.png"
              {...{ url, senderName, checkWord, motifs, language, texts }}
              bought={invitation}
            />
            <BookDownload cardKey={key} language={language} texts={texts} />
          </>
        )
      }}
    </AfterPayment>
  )
}
