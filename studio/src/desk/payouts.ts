import type { PayoutsAnswer, SummaryAnswer } from '../product.ts'
import { LOOK_AGAIN, type Sentence } from './sentence.ts'

type Payout = PayoutsAnswer['payouts'][number]

/** What a press has done to payouts since they were read: to one of them, or all that was owed went into a run. */
export type PayoutChange =
  | {
      readonly payout: string
      readonly status: Payout['status']
      readonly reference?: string
    }
  | { readonly run: string }

/** Payouts as they are after these presses. */
export const payoutsAfter = (
  payouts: readonly Payout[],
  changes: readonly PayoutChange[],
): readonly Payout[] =>
  payouts.map(each => {
    const change = changes.findLast(some => 'payout' in some && some.payout === each.id)
    if (change === undefined || !('payout' in change)) return each
    if (change.status === 'open')
      return { ...each, status: 'open', reference: null, said: null, is_by_hand: false }
    return { ...each, status: change.status, reference: change.reference ?? each.reference }
  })

/** Whether what is owed is another sum after these presses. */
export const changesWhatIsOwed = (changes: readonly PayoutChange[]): boolean =>
  changes.some(each => 'run' in each || each.status === 'cancelled')

/** What the next run would pay, and whom it would leave out. */
export interface NextRun {
  /** Sums in minor units, one for each currency. */
  readonly sums: readonly { readonly currency: string; readonly amount: number }[]
  /** How many payouts: one for each organisation and currency. */
  readonly payouts: number
  /** The names of organisations that are owed and have no confirmed account. */
  readonly leftOut: readonly string[]
}

/** @param withAccount ids of organisations with a confirmed account */
export function nextRunOf(owed: SummaryAnswer['owed'], withAccount: readonly string[]): NextRun {
  const [paid, others] = [true, false].map(has =>
    owed.filter(({ ngo_id }) => withAccount.includes(ngo_id) === has),
  )
  return {
    sums: sumsOf(paid!),
    payouts: paid!.length,
    leftOut: [...new Set(others!.map(({ name }) => name))].sort(),
  }
}

/** Amounts by currency, minor units. */
export function sumsOf(
  some: readonly { readonly currency: string; readonly amount: number }[],
): readonly { readonly currency: string; readonly amount: number }[] {
  return [...new Set(some.map(({ currency }) => currency))].sort().map(currency => ({
    currency,
    amount: some.reduce((sum, each) => sum + (each.currency === currency ? each.amount : 0), 0),
  }))
}

/** Payouts that were made together, the newest first; those that were made alone come last. */
export function runsOf(
  payouts: readonly Payout[],
): readonly { readonly run: string | null; readonly payouts: readonly Payout[] }[] {
  const names = [...new Set(payouts.map(({ run }) => run))]
  return [...names.filter(name => name !== null), ...(names.includes(null) ? [null] : [])].map(run => ({
    run,
    payouts: payouts.filter(each => each.run === run),
  }))
}

const STATES: Readonly<Record<Payout['status'], string>> = {
  open: 'not paid yet',
  paid: 'paid',
  cancelled: 'cancelled',
}

/** A payout's state, and what its organisation says. */
export const stateWords = ({ status, said }: Pick<Payout, 'status' | 'said'>): string =>
  said === null ? STATES[status] : `${STATES[status]}, ${said}`

/** Why something about payouts was refused (domain/desk/payout-acts.ts). */
export const PAYOUT_SENTENCES: Readonly<Record<string, Sentence>> = {
  restored: {
    says: 'A backup was brought back, and what the bank has paid since is owed again here.',
    remedy: '`ops reconcile` in the terminal says what to do first.',
  },
  'nothing-owed': { isOld: true, says: 'Nothing is owed to anybody.', remedy: LOOK_AGAIN },
  'no-account': {
    isOld: true,
    says: 'No organisation that is owed money has a confirmed account.',
    remedy:
      '“npm run ops -- account propose” notes one, and “account confirm” confirms it, after you have called the organisation.',
  },
  seal: {
    says: 'Somebody else has written to the account of an organisation. Nothing is paid to anybody.',
    remedy: 'Run “npm run ops -- check”, which names it, before anything is paid out.',
  },
  meanwhile: { isOld: true, says: 'Another payout was made in this moment.', remedy: LOOK_AGAIN },
  'no-such-run': { isOld: true, says: 'There is no such run any more.', remedy: LOOK_AGAIN },
  'no-such-payout': { isOld: true, says: 'There is no such payout.', remedy: LOOK_AGAIN },
  'paid-already': {
    isOld: true,
    says: 'The bank has paid it already, and that was noted.',
    remedy: 'Its reference stands beside it. Ask the organisation to send back what is too much.',
  },
  'not-paid': { isOld: true, says: 'It is not noted as paid.', remedy: LOOK_AGAIN },
  'seen-at-bank': {
    isOld: true,
    says: 'A statement of the bank has shown this transfer: it is paid.',
    remedy: 'Where it went to the wrong account, ask the bank, and the organisation, to send it back.',
  },
  received: {
    isOld: true,
    says: 'The organisation says that the money has arrived.',
    remedy: 'Call it. Where that was a mistake, “npm run ops -- payout unadvise” takes back what it said.',
  },
  'cancelled-already': {
    isOld: true,
    says: 'It was cancelled. What it paid out may be in another payout by now.',
    remedy: 'If the bank has paid it, ask the organisation to send the money back.',
  },
  'account-changed': {
    says: 'The account of an organisation in this run has changed since.',
    remedy:
      '“npm run ops -- payout others” with the run says whose. Cancel its payout, then make another run: it goes to the account that is confirmed now.',
  },
  'not-the-sum': {
    says: 'A payout of this run is not the sum of its gifts: somebody else has written to it.',
    remedy: 'Run “npm run ops -- check”, which names it, before anything is paid out.',
  },
  'run-name': {
    says: 'That is no name for a run.',
    remedy: 'Up to 35 letters, digits, points and dashes: 2026-11.',
  },
  reference: {
    says: 'The bank’s reference is missing.',
    remedy: 'Copy it from the bank’s statement.',
  },
  'payer-account': {
    says: 'That is not an account that can pay: its country, its length or its check digits are wrong.',
    remedy: 'Copy the IBAN, and the BIC if you give one, from your bank.',
  },
  'payer-name': { says: 'The name of the payer is missing.', remedy: 'Type it as your bank has it.' },
  day: { says: 'That day is over, or is no day.', remedy: 'Choose today or a later day.' },
  'nothing-to-transfer': {
    isOld: true,
    says: 'Everything of this run is paid or cancelled.',
    remedy: 'There is nothing for the bank to do.',
  },
  'not-noted': {
    isOld: true,
    says: 'This is not noted by hand.',
    remedy: 'It is done when nothing of it waits any more, and then goes from this list.',
  },
}
