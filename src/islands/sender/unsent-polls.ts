/** Sends what an earlier page of this tab could not deliver; asked for by layouts/shell.ts where something waits. */
import { sendPolls } from '#stores/polls.ts'
import { deliverPoll } from '#wire/analytics-client.ts'

void sendPolls(deliverPoll)
