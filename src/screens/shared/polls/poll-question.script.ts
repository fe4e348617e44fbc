/** The question whether to do the second poll. */
import { languageOf } from '#domain/languages.ts'
import { pollAnswers, wantsPoll2 } from '#screens/shared/polls/polls.store.ts'
import { pathAfterPoll } from './after-poll.ts'

document.addEventListener('click', ({ target }) => {
  const answer = (target as Element).closest<HTMLElement>('[data-wants]')?.dataset.wants
  if (answer !== 'yes' && answer !== 'no') return
  wantsPoll2.set(answer)
  if (answer === 'no') pollAnswers('poll-2').set({})
  location.assign(pathAfterPoll(languageOf(document.documentElement.lang)))
})
