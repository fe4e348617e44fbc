import type { CardFileAnswer, FoundAnswer } from '../product.ts'
import { actRefusal } from './acts.ts'
import type { NoAnswer } from './ask.ts'
import type { Sentence } from './sentence.ts'

type Hit = FoundAnswer['hits'][number]

const KINDS: Readonly<Record<Hit['kind'], string>> = {
  card: 'Card',
  'free-card': 'Free card',
  invitation: 'Invitation',
  order: 'Order without a card',
  payout: 'Payout to',
  'provider-payout': 'The provider’s payout to the bank',
  organisation: 'Organisation',
}

/** What something that was found is called. */
export const hitWords = ({ kind, name }: Pick<Hit, 'kind' | 'name'>): string =>
  name === null ? KINDS[kind] : `${KINDS[kind]} ${name}`

/** What was found, with the state of a card that was read since. */
export const hitsAfter = (
  hits: readonly Hit[],
  read: Pick<CardFileAnswer, 'id' | 'status'> | undefined,
): readonly Hit[] =>
  hits.map(hit =>
    read !== undefined && hit.card === read.id && CARD_KINDS.includes(hit.kind)
      ? { ...hit, state: read.status }
      : hit,
  )

const CARD_KINDS: readonly Hit['kind'][] = ['card', 'free-card', 'invitation']

/** Why nothing was found, and what else to try. */
export function emptyWords({ recognised, lacks }: Pick<FoundAnswer, 'recognised' | 'lacks'>): Sentence {
  if (recognised === 'key')
    return {
      says: 'That is a key, or a link that holds one: it opens the gift.',
      remedy: 'Nothing is looked for by it. Ask for the e-mail address that the gift was paid with.',
    }
  if (recognised === 'part-of-payment')
    return {
      says: `An amount alone finds too much: the ${lacks.join(' and the ')} is missing.`,
      remedy: 'Write it like this: 65 EUR 2026-11-21.',
    }
  if (recognised === 'nothing')
    return {
      says: 'Nothing can be looked for by that.',
      remedy: 'Type an e-mail address, an id, an amount with its day, or the name of an organisation.',
    }
  return {
    says: 'Nothing is found by that.',
    remedy:
      'Look for the payment in the payment account by the buyer’s name, and copy its id (ch_… or pi_…) here. Addresses that were forgotten find nothing.',
  }
}

/** Why the site gave no answer, and the way on. */
export const NO_ANSWER: Readonly<Record<NoAnswer, Sentence>> = {
  'session-over': {
    says: 'The site asks who you are.',
    remedy: 'Your session of twelve hours is over, or has not begun. You come back here afterwards.',
  },
  elsewhere: {
    says: 'Gifts are not found at this address.',
    remedy:
      'They are found by the Studio that the site itself serves: open /studio at the address of your site (SITE_URL).',
  },
  'too-often': {
    says: 'The site was asked too often.',
    remedy: 'Wait a few minutes, then try again.',
  },
  unreachable: {
    says: 'The site did not answer.',
    remedy: 'Look whether you are online and the site is running, then try again. Nothing is lost.',
  },
  broken: {
    says: 'The site could not answer.',
    remedy: 'Its log says why. Try again; “npm run ops” lists what the terminal can do meanwhile.',
  },
}

const REFUSALS: Readonly<Record<string, Sentence>> = {
  'card-not-found': {
    isOld: true,
    says: 'There is no such card any more.',
    remedy: 'Look for it again by the e-mail address or the payment.',
  },
  'payment-not-found': {
    says: 'The payment account does not know this payment.',
    remedy:
      'Is it another account by now? Look into the one of then. If a refund does not stand there, “npm run ops -- release <card> --refund-not-made” ends it.',
  },
  'provider-unavailable': {
    says: 'The payment provider did not answer.',
    remedy: 'Try again in a minute. To find a gift by its charge (ch_…) needs no answer from it.',
  },
  'invalid-fields': {
    says: 'Something is too long, or not what the site expects.',
    remedy:
      'Make it shorter, or load the Studio again. A longer statement of the bank is read in the terminal: “npm run ops -- payout import”.',
  },
  'body-too-large': {
    says: 'That is too large for the site.',
    remedy: 'A longer statement of the bank is read in the terminal: “npm run ops -- payout import”.',
  },
  'temporarily-unavailable': {
    says: 'The site is busy.',
    remedy: 'Try again in a minute.',
  },
}

/** What a refusal of the site means. @param rule of an act (domain/desk/acts.ts) */
export const refusalWords = (code: string, rule?: string): Sentence =>
  code === 'act-refused'
    ? actRefusal(rule)
    : (REFUSALS[code] ?? { says: 'The site refused that.', remedy: `Its reason is “${code}”.` })
