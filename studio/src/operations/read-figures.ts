import type {
  AudienceAnswer,
  ContentStateAnswer,
  DueAnswer,
  InvoicesAnswer,
  PartnersAnswer,
  PayoutsAnswer,
  PeopleAnswer,
  SummaryAnswer,
  WishesAnswer,
} from '../product.ts'
import { OPERATOR_PATHS } from '../product.ts'

/** Everything that the tool shows, read at one time. */
export interface Figures {
  readonly summary: SummaryAnswer
  readonly audience: AudienceAnswer
  readonly content: ContentStateAnswer
  readonly due: DueAnswer
  readonly payouts: PayoutsAnswer
  readonly people: PeopleAnswer
  readonly partners: PartnersAnswer
  readonly wishes: WishesAnswer
  readonly invoices: InvoicesAnswer
}

/**
 * Why there are no figures. `session-over`: the operator has to sign in (again). `elsewhere`: this Studio does
 * not come from the site that has them. `too-often`: in a few minutes again. `unreachable`: the site did not answer.
 * `broken`: it answered with a failure.
 */
export type Trouble = 'session-over' | 'elsewhere' | 'too-often' | 'unreachable' | 'broken'

export type Reading =
  | { readonly kind: 'figures'; readonly figures: Figures }
  | { readonly kind: 'trouble'; readonly trouble: Trouble }

const PARTS = [
  'summary',
  'audience',
  'content',
  'due',
  'payouts',
  'people',
  'partners',
  'wishes',
  'invoices',
] as const

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/**
 * Asks the site for the figures, with the session that the browser has. Never throws.
 * @param fetch the browser's own
 */
export async function readFigures(fetch: Fetch, signal: AbortSignal): Promise<Reading> {
  try {
    const answers = await Promise.all(PARTS.map(part => readPart(fetch, part, signal)))
    const refused = answers.find(({ data }) => data === undefined)
    if (refused) return { kind: 'trouble', trouble: troubleOf(refused.answer) }
    const figures = Object.fromEntries(PARTS.map((part, n) => [part, answers[n]?.data])) as unknown as Figures
    return { kind: 'figures', figures }
  } catch {
    return { kind: 'trouble', trouble: 'unreachable' }
  }
}

/** What is due alone; nothing where the site does not answer. Never throws. */
export async function readDue(fetch: Fetch, signal: AbortSignal): Promise<DueAnswer> {
  try {
    const { data } = await readPart(fetch, 'due', signal)
    return (data ?? []) as DueAnswer
  } catch {
    return []
  }
}

async function readPart(fetch: Fetch, part: (typeof PARTS)[number], signal: AbortSignal) {
  const answer = await fetch(OPERATOR_PATHS + part, { signal, headers: { Accept: 'application/json' } })
  return { answer, data: isJson(answer) && answer.ok ? ((await answer.json()) as unknown) : undefined }
}

function troubleOf({ status, ok }: Response): Trouble {
  if (status === 401) return 'session-over'
  if (status === 429) return 'too-often'
  // Another host's page, or a site that hears this Studio as a stranger's.
  if (ok || status === 403 || status === 404) return 'elsewhere'
  return 'broken'
}

const isJson = ({ headers }: Response): boolean => /\bjson\b/.test(headers.get('Content-Type') ?? '')
