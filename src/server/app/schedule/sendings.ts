import { MINUTE_MS } from '#domain/durations.ts'
import { openRestoration } from '#server/modules/gifts/cards/restored.ts'
import {
  type After,
  type DueTools,
  remindSomeRecipients,
  sendSome,
} from '#server/modules/gifts/sendings/due.ts'
import type { PeriodicJob, Turn } from '#server/platform/job-runner/job.ts'

/** Mails gifts on the day that their givers chose, and reminds whoever has not used one (product.md#send-it-for-me). */
export function sendings(tools: DueTools): PeriodicJob {
  return {
    name: 'sendings',
    everyMs: MINUTE_MS,
    irreversible: true,
    async run(turn) {
      // A backup that was brought back may not know what went, or was used, since: late is better than twice.
      if (await tools.db.read(openRestoration)) return { waiting: 'for the reconciliation' }
      const sent = await all(after => sendSome(tools, after), turn)
      const reminded = await all(after => remindSomeRecipients(tools, after), turn)
      return { sent, reminded }
    },
  }
}

/** @returns how many mails were queued */
async function all(
  some: (after: After | undefined) => ReturnType<typeof sendSome>,
  turn: Turn,
): Promise<number> {
  let queued = 0
  for (let after: After | undefined; ; ) {
    const looked = await some(after)
    queued += looked.queued
    after = looked.after
    if (after === undefined) return queued
    await turn.goOn()
  }
}
