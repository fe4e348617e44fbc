import type { SummaryAnswer } from '../product.ts'
import { DAY_MS } from '../product.ts'
import type { Figures } from './read-figures.ts'
import { type GivenUpMail, inTerminal, toContent, toGift, toPart, type Way } from './ways.ts'
import { counted, jobWords } from './words.ts'

/** Organisations are paid once a month. */
const OLD_DEBT_MS = 30 * DAY_MS

/** Something that waits for the operator. */
export interface Wanted {
  /** `critical`: money or visitors are hurt until it is done. */
  readonly tone: 'critical' | 'caution'
  readonly says: string
  /** What to do about it. */
  readonly remedy: string
  /** Where it is done. */
  readonly ways?: readonly Way[]
  /** Mails that somebody has to deal with, one by one. */
  readonly mails?: readonly GivenUpMail[]
}

/**
 * What waits for a person, the worst first.
 * @param reviewsDue documents of the content whose yearly review is due; undefined where that could not be asked
 */
export function wanted({ summary, content }: Figures, reviewsDue: number | undefined): readonly Wanted[] {
  const { mails, jobs, disputed, review, campaigns, owed, at, dead_links: dead } = summary
  const waiting = [
    ...new Set(owed.filter(({ oldest_at }) => at - oldest_at > OLD_DEBT_MS).map(({ ngo_id }) => ngo_id)),
  ]
  const found: (Wanted | false)[] = [
    ledgerState(summary) === 'broken' && {
      tone: 'critical',
      says: 'The books do not agree with what they tell of.',
      remedy: 'Run “npm run ops -- check”, which names every place, before anything is paid out.',
      ways: [inTerminal('check')],
    },
    content.state === 'broken' && {
      tone: 'critical',
      says: 'Something was published that the pages cannot show. Visitors see the content before it.',
      remedy: `Put it right in Content and publish again. ${content.says.join('; ')}`,
      ways: [toContent('Go to Content')],
    },
    content.state === 'unpublished' && {
      tone: 'critical',
      says: 'New content was published, and its pages could not be made.',
      remedy: 'Visitors see the pages before it. The site’s log says which pages and why.',
    },
    content.state === 'unreachable' && {
      tone: 'caution',
      says: 'The site cannot reach its content at present.',
      remedy: 'Visitors see the last content it had. It tries again every minute.',
    },
    mails.given_up > 0 && {
      tone: 'caution',
      says: `${capital(counted(mails.given_up, 'mail'))} could not be sent and will not be tried again.`,
      remedy:
        'Open the gift of each: correct the address, or send the mail again. Mark a mail as dealt with if it still stands here afterwards, is about no gift, or can reach nobody.',
      mails: summary.given_up,
    },
    mails.failing > 0 && {
      tone: 'caution',
      says: `${capital(counted(mails.failing, 'mail'))} did not get through yet.`,
      remedy: 'They are tried again every hour. “npm run ops -- doctor” tries the mail server.',
      ways: [inTerminal('doctor')],
    },
    disputed > 0 && {
      tone: 'critical',
      says: `The payment of ${counted(disputed, 'card')} is disputed.`,
      remedy: 'Answer in the payment account before its time is over. The timeline says until when.',
      ways: summary.disputed_cards.map((card, n) =>
        toGift(card, summary.disputed_cards.length === 1 ? undefined : `Open gift ${n + 1}`),
      ),
    },
    ...jobs.map((job): Wanted | false => {
      const state = jobState(job, at)
      return (
        (state === 'failed' || state === 'refused') && {
          tone: 'critical',
          says: `${jobWords(job.name)}: ${state === 'failed' ? 'the last run failed.' : 'not run, since the clock was not believed.'}`,
          remedy:
            state === 'failed'
              ? `The site’s log says why. “npm run ops -- run ${job.name}” tries again at once.`
              : `When the clock is right: “npm run ops -- run ${job.name} --trust-clock”.`,
          ways: [inTerminal(`run ${job.name}${state === 'failed' ? '' : ' --trust-clock'}`)],
        }
      )
    }),
    ledgerState(summary) === 'unknown' && {
      tone: 'caution',
      says: 'The books have not been checked for more than two days.',
      remedy: '“npm run ops -- run ledger-check” has the site check them now.',
      ways: [inTerminal('run ledger-check')],
    },
    waiting.length > 0 && {
      tone: 'caution',
      says: `${capital(counted(waiting.length, 'organisation'))} ${waiting.length === 1 ? 'has' : 'have'} waited more than 30 days for gifts.`,
      remedy:
        'Payouts, below: a run makes a payout for each organisation that has an account, and names the others.',
      ways: [toPart('payouts', 'Go to the payouts')],
    },
    (review.is_due || (reviewsDue ?? 0) > 0) && {
      tone: 'caution',
      says:
        reviewsDue === undefined
          ? 'The yearly review of the organisations is due.'
          : `The yearly review is due for ${counted(reviewsDue || 1, 'document')}.`,
      remedy: 'Content → Review due.',
      ways: [toContent('Go to the reviews', 'review-due')],
    },
    dead.length > 0 && {
      tone: 'caution',
      says: `${capital(counted(dead.length, 'link'))} of organisations ${dead.length === 1 ? 'leads' : 'lead'} to nothing.`,
      remedy:
        'They are named below. Open each. Where the page is gone, put the organisation’s new one in Content → Organisations.',
      ways: [toPart('dead-links', 'See the links'), toContent('Go to the organisations', 'ngo')],
    },
    ...campaigns
      .filter(({ active, stock, claimed }) => active && stock - claimed <= Math.ceil(stock / 10))
      .map(
        ({ tag, stock, claimed }): Wanted => ({
          tone: 'caution',
          says:
            stock > claimed
              ? `The campaign ${tag} has ${counted(stock - claimed, 'card')} left of ${stock}.`
              : `The campaign ${tag} has given all its ${stock} cards.`,
          remedy: 'Content → Campaigns with free cards: more stock, or switch it off.',
          ways: [toContent('Go to the campaigns', 'freeCampaign')],
        }),
      ),
  ]
  return found
    .filter(each => each !== false)
    .sort((a, b) => Number(b.tone === 'critical') - Number(a.tone === 'critical'))
}

type Job = SummaryAnswer['jobs'][number]

export type JobState = 'running' | 'done' | 'failed' | 'refused' | 'never ran'

export function jobState({ lease_until, outcome }: Job, now: number): JobState {
  if ((lease_until ?? 0) > now) return 'running'
  return outcome === 'failed' || outcome === 'refused' || outcome === 'done' ? outcome : 'never ran'
}

export type LedgerState = 'in order' | 'broken' | 'unknown' | 'not yet'

/** What the daily check of the books said; `unknown` when it is older than two days. */
export function ledgerState({ jobs, at }: SummaryAnswer): LedgerState {
  const check = jobs.find(({ name }) => name === 'ledger-check')
  if (Number(check?.result.findings ?? 0) > 0) return 'broken'
  if (check?.outcome !== 'done') return check?.outcome ? 'unknown' : 'not yet'
  return at - (check.finished_at ?? 0) > 2 * DAY_MS ? 'unknown' : 'in order'
}

type Owed = SummaryAnswer['owed'][number]

/** What is owed in each currency, `sum` in minor units; the most first, since amounts of one currency compare. */
export function owedByCurrency(
  owed: SummaryAnswer['owed'],
): readonly { readonly currency: string; readonly sum: number; readonly rows: readonly Owed[] }[] {
  return [...new Set(owed.map(({ currency }) => currency))].sort().map(currency => {
    const rows = owed.filter(each => each.currency === currency).sort((a, b) => b.amount - a.amount)
    return { currency, sum: rows.reduce((sum, each) => sum + each.amount, 0), rows }
  })
}

/** Where the money of one currency stands now, minor units: parts of one whole, the buyers' and campaigns' money. */
export function standing(money: SummaryAnswer['money'][number]): readonly { what: string; amount: number }[] {
  const inNoPayout = money.allocated - money.being_paid_out - money.paid_out
  return [
    { what: 'On cards that nobody has used', amount: money.outstanding },
    { what: 'Given, in no payout yet', amount: inNoPayout },
    { what: 'In payouts that the bank has not paid', amount: money.being_paid_out },
    { what: 'Paid to organisations', amount: money.paid_out },
    { what: 'Volunteering packages', amount: money.volunteering },
    { what: 'Support, without tax', amount: money.support },
    { what: 'Tax', amount: money.tax },
  ]
}

/** The bounds of Web Vitals, as browsers' makers set them: good up to the first, poor beyond the second. */
const VITALS: Readonly<Record<string, readonly [number, number]>> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  FCP: [1_800, 3_000],
  TTFB: [800, 1_800],
}

/** How visitors find a measurement; undefined for one that has no bounds. */
export function vitalVerdict(name: string, p75: number): 'good' | 'fair' | 'poor' | undefined {
  const bounds = VITALS[name.toUpperCase()]
  if (!bounds) return undefined
  return p75 <= bounds[0] ? 'good' : p75 <= bounds[1] ? 'fair' : 'poor'
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
