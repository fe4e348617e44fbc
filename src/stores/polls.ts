import { FLAG, oneOf, persisted } from './persisted.ts'

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
