import type { ActRequest, CardFileAnswer } from '../product.ts'
import { PAYOUT_SENTENCES } from './payouts.ts'
import { LOOK_AGAIN, type Sentence } from './sentence.ts'

export type ActName = ActRequest['act']

/** How an act is asked for: its button, what it does said beforehand, and what has to be typed. */
export interface Offer {
  readonly act: ActName
  readonly button: string
  /** What it does to this card, before it is done. */
  readonly says: string
  /** The button that does it. */
  readonly confirm: string
  readonly fields: readonly ('email' | 'amount')[]
  /** It gives somebody a gift or money: a treasurer confirms it with a passkey. */
  readonly isTreasurers: boolean
  /** It is about all cards of its order. */
  readonly isOfOrder?: true
}

const isUsable = ({ status }: CardFileAnswer): boolean => status === 'active'
const isShown = ({ status }: CardFileAnswer): boolean => status === 'active' || status === 'consumed'

/** What can be done about a card as it is now. */
export function offersFor(card: CardFileAnswer): readonly Offer[] {
  const to = card.address === null ? undefined : card.address
  const offers: (Offer | false)[] = [
    isShown(card) &&
      to !== undefined && {
        act: 'resend',
        button: 'Send the mail again',
        says: `The mail with the links goes to ${to} once more.`,
        confirm: 'Send it',
        fields: [],
        isTreasurers: false,
      },
    isShown(card) && {
      act: 'address',
      button: 'Correct the address',
      says: 'Whoever has the new address gets the links, and may replace them. Be sure that they are the buyer.',
      confirm: 'Correct it and send the links',
      fields: ['email'],
      isTreasurers: true,
    },
    isUsable(card) &&
      to !== undefined && {
        act: 'links',
        button: 'Replace the links',
        says: `The links that were sent are dead at once, in the recipient’s hands too. New ones go to ${to}.`,
        confirm: 'Replace them',
        fields: [],
        isTreasurers: true,
      },
    (card.holds.includes('operator') || card.holds.includes('refund')) && {
      act: 'release',
      button: 'Release the card',
      says: 'The card can be used again, unless something else holds it.',
      confirm: 'Release it',
      fields: [],
      isTreasurers: false,
    },
    !card.holds.includes('operator') &&
      (isUsable(card) || card.status === 'cancelling' || card.status === 'frozen') && {
        act: 'hold',
        button: 'Freeze the card',
        says: 'Nobody can use the card, and its links say that there is none, until you release it.',
        confirm: 'Freeze it',
        fields: [],
        isTreasurers: false,
      },
    ...offersForOrder(card),
    card.has_message && {
      act: 'blank',
      button: 'Forget the message',
      says: 'What its giver wrote is forgotten: its screens, its paper and letters go without it. A letter that has gone keeps it.',
      confirm: 'Forget it',
      fields: [],
      isTreasurers: false,
    },
    mostToRefund(card) > 0 &&
      !card.holds.includes('dispute') &&
      !card.holds.includes('withdrawal') && {
        act: 'refund',
        button: 'Refund',
        says: card.refundable?.used
          ? 'The card was used, or left to the draw: what you give back is your own loss.'
          : 'Given back whole, the card can be used no more. A part leaves the card as it is, and is your own loss.',
        confirm: 'Go on',
        fields: ['amount'],
        isTreasurers: true,
      },
  ]
  return offers.filter(offer => offer !== false)
}

/** What can be done about all cards of its order at once. */
function offersForOrder({ many }: CardFileAnswer): readonly Offer[] {
  if (many === null) return []
  const offers: (Offer | false)[] = [
    many.to_hold > 0 && {
      act: 'hold',
      button: `Freeze all ${many.cards} cards`,
      says: `Nobody can use the ${many.to_hold} cards of this order that are left, until you release them. What was given stays given.`,
      confirm: 'Freeze them all',
      fields: [],
      isTreasurers: false,
      isOfOrder: true,
    },
    many.held > 0 && {
      act: 'release',
      button: `Release all ${many.held} frozen cards`,
      says: 'The cards of this order that an operator holds can be used again, unless something else holds them.',
      confirm: 'Release them all',
      fields: [],
      isTreasurers: false,
      isOfOrder: true,
    },
  ]
  return offers.filter(offer => offer !== false)
}

/** The most that can be given back from the file of a card, minor units: of one of many what is left of that card alone. */
export function mostToRefund({ refundable }: Pick<CardFileAnswer, 'refundable'>): number {
  return refundable?.leftOfCard ?? refundable?.left ?? 0
}

const REFUSALS: Readonly<Record<string, Sentence>> = {
  passkey: {
    says: 'That is not your passkey, or it was asked for something else.',
    remedy:
      'Press again, and use the passkey with which you signed in. After ten wrong ones none is looked at for ten minutes.',
  },
  'no-passkey': {
    says: 'Nobody has a passkey yet, and the token moves no money.',
    remedy:
      'Sign out in the Studio’s own menu, and make the first passkey on the login’s page: with the token, on this device or with a security key.',
  },
  role: {
    says: 'Only a treasurer who signed in with a passkey may do that.',
    remedy:
      'Sign out in the Studio’s own menu, and come back with your passkey. Who is a treasurer stands under People.',
  },
  cancelled: {
    says: 'Your device made no signature. Nothing was done.',
    remedy: 'Press again, and use its finger, face or PIN.',
  },
  'too-old': {
    says: 'This browser has no passkeys here.',
    remedy: 'Use a current browser, over https.',
  },
  'no-address': {
    isOld: true,
    says: 'Its buyer’s address is not known, or was forgotten.',
    remedy:
      'Of a gift: look for it in the payment account, then correct the address. Of an invoice: nobody could be sent its cards, so transfer the money back.',
  },
  'not-an-address': {
    says: 'That is not an e-mail address.',
    remedy: 'Look for a missing letter or a space.',
  },
  'not-shown': {
    isOld: true,
    says: 'The card is frozen, used or given back: it has no links to send or replace.',
    remedy: 'Its timeline says what became of it.',
  },
  'nothing-paid': {
    says: 'No payment for this card is known.',
    remedy: 'Nothing can be given back from here.',
  },
  disputed: {
    isOld: true,
    says: 'The payment is disputed.',
    remedy:
      'Answer in the payment account. Until it is decided, a card that was not used stays held, and what you give back could be taken a second time.',
  },
  'withdrawal-under-way': {
    isOld: true,
    says: 'The buyer has withdrawn from this order, or from some of its cards.',
    remedy:
      'Wait until that refund is made, which happens by itself. Where it was paid by invoice, transfer it, then say so under Invoices.',
  },
  used: {
    isOld: true,
    says: 'It was used since you looked: there is nothing left to freeze.',
    remedy: 'Its timeline says when, and for whom.',
  },
  'refund-under-way': {
    isOld: true,
    says: 'A refund of this card is under way.',
    remedy:
      'Look again: where no refund stands in the timeline after ten minutes, release the card, or press again.',
  },
  amount: { isOld: true, says: 'So much is not left to give back.', remedy: LOOK_AGAIN },
  currency: { isOld: true, says: 'The payment was in another currency.', remedy: LOOK_AGAIN },
  changed: {
    isOld: true,
    says: 'Something happened to the card since you looked. Nothing was done.',
    remedy: LOOK_AGAIN,
  },
  'provider-refused': {
    says: 'The payment provider refused the refund.',
    remedy: 'The payment account says why: a balance that is too low, for example.',
  },
  name: { says: 'That is no name.', remedy: 'Type one line of at most sixty characters.' },
  scopes: { says: 'A key has to be for something.', remedy: 'Choose what it is for.' },
  'no-invoice': { isOld: true, says: 'There is no such invoice.', remedy: LOOK_AGAIN },
  'not-ours': {
    says: 'The invoice, or its order, is not as the site wrote it. Nothing was done.',
    remedy: 'Somebody may have written to the database: `npm run ops -- check` says more.',
  },
  'already-paid': { isOld: true, says: 'That invoice is paid already.', remedy: LOOK_AGAIN },
  'invoice-cancelled': {
    isOld: true,
    says: 'That invoice is cancelled.',
    remedy: 'Where money has arrived for it, transfer it back, or ask the buyer to order again.',
  },
  'other-amount': {
    says: 'That is another amount than the invoice is of.',
    remedy:
      'Cards are made for the whole amount alone. Ask the buyer for the rest, or transfer back what is too much.',
  },
  'not-a-day': {
    says: 'That is no day, one that is yet to come, or one before the invoice.',
    remedy: 'Type the day at the bank.',
  },
  'nothing-due': { isOld: true, says: 'No money is to go back for that.', remedy: LOOK_AGAIN },
  'no-such-partner': { isOld: true, says: 'That partner has no key any more.', remedy: LOOK_AGAIN },
  'no-such-person': { isOld: true, says: 'Nobody at the desk is that any more.', remedy: LOOK_AGAIN },
  'last-treasurer': {
    says: 'Nobody would be left to move money.',
    remedy: 'Invite another treasurer first, and wait until they have made a passkey.',
  },
  'not-given-up': {
    isOld: true,
    says: 'No such mail waits for somebody: it got through, or is tried again.',
    remedy: LOOK_AGAIN,
  },
  'which-card': { says: 'That is an order of many cards.', remedy: 'Open the card that you mean.' },
  'other-press': { says: 'Nothing was done.', remedy: 'Press again.' },
}

/** Why an act was refused. @param rule as the site says it (domain/desk/acts.ts, payout-acts.ts) */
export const actRefusal = (rule: string | undefined): Sentence =>
  REFUSALS[rule ?? ''] ??
  PAYOUT_SENTENCES[rule ?? ''] ?? {
    isOld: true,
    says: 'That cannot be done as things stand. Nothing was changed.',
    remedy: LOOK_AGAIN,
  }
