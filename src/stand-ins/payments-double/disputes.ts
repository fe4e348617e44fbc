import { balanceOfDispute } from './balance.ts'
import type { Bank } from './bank.ts'
import { missing, refuse } from './errors.ts'
import { type Charge, complete, type Dispute, type Metadata } from './objects.ts'
import { cardOf } from './payments.ts'
import type { Params } from './validate.ts'

const ANSWER_WITHIN_SECONDS = 7 * 24 * 60 * 60

/** The evidence texts that decide a dispute in test mode. */
const WINNING = 'winning_evidence'
const LOSING = 'losing_evidence'

/**
 * The buyer's bank comes back: the charge, or a part of it, is disputed and its funds are withdrawn.
 * @param amount minor units; the whole charge when missing
 */
export function openDispute(bank: Bank, chargeId: string, amount?: number): void {
  const charge: Charge = { ...bank.store.get<Charge>('charge', chargeId)!, disputed: true }
  bank.store.save(charge)
  const opened = complete<Dispute>({
    id: bank.newId('du_'),
    object: 'dispute',
    amount: amount ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: bank.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: bank.now() + ANSWER_WITHIN_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: cardOf(bank, charge.payment_method).dispute ?? 'general',
    status: 'needs_response',
  })
  bank.store.add(opened)
  const dispute = balanceOfDispute(bank, opened, false)
  bank.emit('charge.dispute.created', dispute)
  bank.emit('charge.dispute.funds_withdrawn', dispute)
}

export function getDispute(bank: Bank, id: string): Dispute {
  return bank.store.get<Dispute>('dispute', id) ?? missing('dispute', id, 'dispute')
}

/** Evidence for a dispute; the two magic texts of test mode win or lose it at once. */
export function updateDispute(bank: Bank, id: string, params: Params): Dispute {
  // Evidence comes too late once it is decided; the metadata is the merchant's own.
  const dispute = params.evidence === undefined ? getDispute(bank, id) : open(bank, id)
  const evidence = { ...(dispute.evidence as object), ...(params.evidence as object | undefined) }
  const text = (params.evidence as { uncategorized_text?: string } | undefined)?.uncategorized_text
  const metadata = { ...(dispute.metadata as Metadata), ...(params.metadata as Metadata | null | undefined) }
  const submitted = params.evidence !== undefined && params.submit !== false
  const updated: Dispute = {
    ...dispute,
    evidence,
    metadata,
    evidence_details: {
      ...(dispute.evidence_details as object),
      has_evidence: Object.keys(evidence).length > 0,
      submission_count: submitted ? 1 : 0,
      submission_method: submitted ? 'manual' : 'not_submitted',
    },
    ...(submitted && { status: 'under_review' as const }),
  }
  bank.store.save(updated)
  bank.emit('charge.dispute.updated', updated)
  if (submitted && text === WINNING) return decide(bank, updated, 'won')
  if (submitted && text === LOSING) return decide(bank, updated, 'lost')
  return updated
}

/** The merchant gives in. */
export const closeDispute = (bank: Bank, id: string): Dispute => decide(bank, open(bank, id), 'lost')

function open(bank: Bank, id: string): Dispute {
  const dispute = getDispute(bank, id)
  if (dispute.status === 'won' || dispute.status === 'lost') refuse('This dispute is already closed.')
  return dispute
}

function decide(bank: Bank, dispute: Dispute, status: 'won' | 'lost'): Dispute {
  const judged: Dispute = { ...dispute, status }
  bank.store.save(judged)
  const decided = status === 'won' ? balanceOfDispute(bank, judged, true) : judged
  bank.emit('charge.dispute.closed', decided)
  if (status === 'won') bank.emit('charge.dispute.funds_reinstated', decided)
  return decided
}
