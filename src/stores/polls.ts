import { type PollAnswers, type PollId, type PollState, readAnswers } from '#domain/polls/polls.ts'
import { FLAG, oneOf, persisted } from './persisted.ts'
import { tabChoice } from './tab.ts'

const isAnswer = (text: unknown): text is 'yes' | 'no' => text === 'yes' || text === 'no'

/** Has the visitor sent the first poll? */
export const $poll1Completed = persisted<boolean>('gift:poll-1-completed', false, FLAG)

/** Whether the visitor wants to do the second poll, once asked. */
export const $wantsPoll2 = persisted<'yes' | 'no' | undefined>(
  'gift:poll-2-wanted',
  undefined,
  oneOf(isAnswer),
)

/** Has the visitor sent the second poll? */
export const $poll2Completed = persisted<boolean>('gift:poll-2-completed', false, FLAG)

const NOTHING: PollAnswers = {}

/** What was answered so far; gone once the poll is sent. */
export const pollAnswers = (poll: PollId) =>
  persisted<PollAnswers>(`gift:${poll}`, NOTHING, {
    read: text => {
      try {
        return readAnswers(poll, JSON.parse(text))
      } catch {
        return undefined
      }
    },
    write: answers => (Object.keys(answers).length === 0 ? undefined : JSON.stringify(answers)),
  })

/** Is the buyer on the way from the payment's links through the polls, and back to the links? */
export const isAfterPayment = tabChoice<boolean>('gift:after-payment', FLAG)

/** Everything that decides where the polls lead. */
export function pollState(): PollState {
  const wantsPoll2 = $wantsPoll2.get()
  return {
    poll1Completed: $poll1Completed.get(),
    wantsPoll2: wantsPoll2 && wantsPoll2 === 'yes',
    poll2Completed: $poll2Completed.get(),
  }
}
