import type { MailJobs } from '#domain/mail/mail-jobs.ts'
import { money } from '#domain/money/money.ts'
import { giftsOf, type PAYOUT_ADVICE } from '#server/modules/payouts/advices/advices.ts'
import { noteTold, PAYEE_CHANGE, payeeById } from '#server/modules/payouts/payee-accounts.ts'
import type { WhenDone } from '#server/platform/outbox/claim.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { payeeChangeMail, payoutAdviceMail } from '../payees.ts'

/** Send the letters to organisations. Where one goes to is read when it is sent. */
export function payeeHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<typeof PAYEE_CHANGE | typeof PAYOUT_ADVICE> {
  const { db, keys, ngoName } = parts
  return {
    async 'payee-change'(job) {
      const found = await db.read(async reader => {
        const next = await reader
          .selectFrom('payee_accounts')
          .selectAll()
          .where('id', '=', job.payload.accountId)
          .executeTakeFirst()
        // It was withdrawn before anybody was told.
        if (next?.state !== 'proposed' || next.replaces === null) return undefined
        // A contact that another hand wrote is told nothing: the mail waits until the row is put right.
        const before = await payeeById(reader, keys, next.replaces)
        return before && { next, before }
      })
      // Nobody is left to be told.
      if (found === undefined || found.before.contact === null) return
      const { next, before } = found
      const { language } = before
      const mail = payeeChangeMail(
        { language, organisation: ngoName(next.ngo_id, language) },
        { numberBefore: numberOf(before), numberNext: numberOf(next), proposedAt: next.proposed_at },
        siteIn(language, parts),
      )
      await deliver(mail, { job, to: before.contact })
    },
    async 'payout-advice'(job) {
      const found = await db.read(async reader => {
        const advice = await reader
          .selectFrom('payout_advices')
          .innerJoin('payouts', 'payouts.id', 'payout_advices.payout_id')
          .selectAll('payout_advices')
          .select([
            'payouts.ngo_id',
            'payouts.amount',
            'payouts.currency',
            'payouts.reference',
            'payouts.paid_at',
          ])
          .where('payout_advices.id', '=', job.payload.adviceId)
          .executeTakeFirst()
        // Its link was ended before it was sent.
        if (advice === undefined || advice.withdrawn_at !== null) return undefined
        // A contact that another hand wrote is told nothing: the mail waits until the row is put right.
        const account = await payeeById(reader, keys, advice.account_id)
        return account && { advice, account, gifts: await giftsOf(reader, advice.payout_id) }
      })
      if (found === undefined) return
      const { advice, account, gifts } = found
      // Forgotten meanwhile. Somebody has to know that nobody was written to.
      if (account.contact === null) throw new MailFailure('no-contact', true)
      const { language } = account
      const mail = payoutAdviceMail(
        { language, organisation: ngoName(advice.ngo_id, language) },
        {
          adviceId: advice.id,
          key: keys.adviceKey(advice.id, advice.key_version),
          amount: money(advice.amount, advice.currency),
          reference: advice.reference ?? '',
          payoutId: advice.payout_id,
          paidAt: advice.paid_at ?? 0,
          ...gifts,
        },
        siteIn(language, parts),
      )
      await deliver(mail, { job, to: account.contact })
    },
  }
}

const numberOf = ({ iban, number }: { readonly iban: string | null; readonly number: string | null }) =>
  iban ?? number ?? ''

/** Handed over or given up: the waiting day begins. */
export const whenPayeeTold = ({ clock, keys }: Pick<MailParts, 'clock' | 'keys'>) =>
  ({
    [PAYEE_CHANGE]: (trx, job) =>
      noteTold(trx, keys, (job.payload as MailJobs[typeof PAYEE_CHANGE]).accountId, clock()),
  }) satisfies Partial<Record<keyof MailJobs, WhenDone>>
