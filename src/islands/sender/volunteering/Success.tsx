import { volunteeringCardPath } from '#paths'
import { paidGifts } from '#stores/paid-gifts.ts'
import { INVITATION_LINK_TEXTS, InvitationLink } from '#ui/sender/InvitationLink.tsx'
import { sessionIdOf } from '#ui/sender/session-id.ts'
import {
  readVolunteeringSuccess,
  sendInvitationMail,
  type VolunteeringSuccess,
} from '#wire/volunteering-client.ts'
import {
  AFTER_PAYMENT_TEXTS,
  AfterPayment,
  type AfterPaymentProps,
  type GiftSource,
} from '../AfterPayment.tsx'
import BookDownload, { BOOK_TEXTS } from './BookDownload.tsx'

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
