import {
  isPollId,
  type PollAnswers,
  type PollId,
  type PollState,
  readAnswers,
  sentAnswers,
} from '#domain/polls/polls.ts'
import { type Codec, FLAG, oneOf, persistentStorage } from '#screens/shared/storage/persisted.ts'
import { choicesOfTab, json, lastingValue, tabChoice } from '#screens/shared/storage/tab.ts'
import type { Delivery } from '#wire/analytics-client.ts'
import {
  AFTER_PAYMENT_KEY,
  POLL_1_COMPLETED_KEY,
  POLL_2_COMPLETED_KEY,
  POLL_2_WANTED_KEY,
  POLL_ANSWERS_KEYS,
  UNSENT_POLLS_KEY,
} from '#wire/browser-names.ts'

const isAnswer = (text: unknown): text is 'yes' | 'no' => text === 'yes' || text === 'no'

/** Has the server taken the visitor's first poll? */
export const poll1Completed = lastingValue<boolean>(POLL_1_COMPLETED_KEY, FLAG)

/** Whether the visitor wants to do the second poll, once asked. */
export const wantsPoll2 = lastingValue<'yes' | 'no' | undefined>(POLL_2_WANTED_KEY, oneOf(isAnswer))

/** Has the server taken the visitor's second poll? */
export const poll2Completed = lastingValue<boolean>(POLL_2_COMPLETED_KEY, FLAG)

const NOTHING: PollAnswers = {}

const answersTo = (poll: PollId): Codec<PollAnswers> => ({
  read: text => {
    try {
      return readAnswers(poll, JSON.parse(text))
    } catch {
      return undefined
    }
  },
  write: answers => (Object.keys(answers).length === 0 ? undefined : JSON.stringify(answers)),
})

/** What was answered so far, which lives in the tab alone; gone once it is sent, or the poll is put off. */
export const pollAnswers = (poll: PollId) => {
  const key = POLL_ANSWERS_KEYS[poll]
  // Once they outlived the tab.
  if (choicesOfTab() !== persistentStorage) persistentStorage?.removeItem(key)
  const answers = tabChoice(key, answersTo(poll))
  return { get: (): PollAnswers => answers.get() ?? NOTHING, set: answers.set }
}

/** A poll that the visitor has submitted and the server has not taken. */
interface UnsentPoll {
  readonly poll: PollId
  /** None once the server has refused them for good: it is not asked again in this tab, and counts as not done. */
  readonly answers: PollAnswers
  /** Says of two calls that they are one submission. */
  readonly attempt: string
}

const unsent = tabChoice(
  UNSENT_POLLS_KEY,
  json((value): value is UnsentPoll[] => Array.isArray(value) && value.every(each => isPollId(each?.poll))),
)

const unsentPolls = (): readonly UnsentPoll[] => unsent.get() ?? []

const isUnsent = (poll: PollId): boolean => unsentPolls().some(each => each.poll === poll)

/** Keeps a poll until the server has taken it: see `sendPolls`. */
export function submitPoll(poll: PollId, answers: PollAnswers, attempt: string): void {
  unsent.set([...unsentPolls().filter(each => each.poll !== poll), { poll, answers, attempt }])
}

/**
 * Sends every submitted poll that has not been taken; only what was taken is complete, and what failed is sent again
 * by the next page.
 */
export async function sendPolls(
  deliver: (metadata: Readonly<Record<string, unknown>>) => Promise<Delivery>,
): Promise<void> {
  for (const { poll, answers: kept, attempt } of unsentPolls()) {
    const answers = readAnswers(poll, kept)
    if (Object.keys(answers).length === 0) continue
    const outcome = await deliver({ poll, answers: sentAnswers(poll, answers), attempt })
    if (outcome === 'failed') continue
    // Read anew: the other poll may have been submitted meanwhile.
    const others = unsentPolls().filter(each => each.attempt !== attempt)
    const left = outcome === 'refused' ? [...others, { poll, answers: NOTHING, attempt }] : others
    unsent.set(left.length > 0 ? left : undefined)
    if (outcome === 'taken') (poll === 'poll-1' ? poll1Completed : poll2Completed).set(true)
  }
}

/** Is the buyer on the way from the payment's links through the polls, and back to the links? */
export const isAfterPayment = tabChoice<boolean>(AFTER_PAYMENT_KEY, FLAG)

/** Everything that decides where the polls lead. Who has submitted a poll is not asked for it again. */
export function pollState(): PollState {
  const answer = wantsPoll2.get()
  return {
    poll1Completed: poll1Completed.get() === true || isUnsent('poll-1'),
    wantsPoll2: answer && answer === 'yes',
    poll2Completed: poll2Completed.get() === true || isUnsent('poll-2'),
  }
}
