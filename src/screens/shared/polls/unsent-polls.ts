/** Sends what an earlier page of this tab could not deliver; asked for by screens/shared/shell/settled.ts where something waits. */
import { sendPolls } from '#screens/shared/polls/polls.store.ts'
import { deliverPoll } from '#wire/analytics-client.ts'

void sendPolls(deliverPoll)
