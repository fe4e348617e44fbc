import { entryScreen } from '#domain/campaign/entry.ts'
import type { Language } from '#domain/languages.ts'
import { screenAfterPayment } from '#domain/polls/polls.ts'
import { senderPath } from '#paths'
import { isAfterPayment, pollState } from '#screens/shared/polls/polls.store.ts'
import { entryVisitor } from '#screens/shared/visitor/entry.store.ts'

/** Where the polls lead: on after a payment, else as the entry does. */
export const pathAfterPoll = (language: Language): string =>
  senderPath(language, isAfterPayment.get() ? screenAfterPayment(pollState()) : entryScreen(entryVisitor()))
