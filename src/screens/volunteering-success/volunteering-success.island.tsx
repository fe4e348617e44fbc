import { volunteeringCardPath } from '#paths'
import {
  AFTER_PAYMENT_TEXTS,
  AfterPayment,
  type AfterPaymentProps,
  type GiftSource,
} from '#screens/shared/payment/AfterPayment.tsx'
import { paidGifts } from '#screens/shared/payment/paid-gifts.store.ts'
import { sessionIdOf } from '#screens/shared/payment/session-id.ts'
import { INVITATION_LINK_TEXTS, InvitationLink } from '#screens/volunteering-success/InvitationLink.tsx'
import {
  readVolunteeringSuccess,
  sendInvitationMail,
  type VolunteeringSuccess,
} from '#wire/volunteering-client.ts'
import BookDownload, { BOOK_TEXTS } from './PhotoBookDownload.tsx'

export const SUCCESS_TEXTS = [...AFTER_PAYMENT_TEXTS, ...INVITATION_LINK_TEXTS, ...BOOK_TEXTS] as const

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

/** After the payment of an invitation: its link, and the photo-book. */
export default function Success(props: Props) {
  const { language, texts, siteUrl } = props
  return (
    <AfterPayment {...props} source={SOURCE}>
      {({ key, senderName }, quiet) => (
        <>
          <InvitationLink url={siteUrl + volunteeringCardPath(key)} {...{ senderName, language, texts }} />
          <BookDownload cardKey={key} language={language} texts={texts} />
          <div className="actions">
            <div className="links">{quiet}</div>
          </div>
        </>
      )}
    </AfterPayment>
  )
}
