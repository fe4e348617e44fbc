import { account } from './account.ts'
import { address } from './address.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { blankMessage } from './blank-message.ts'
import { blockAnswer } from './block-answer.ts'
import { books } from './books.ts'
import { campaigns } from './campaigns.ts'
import { card, cards, resend } from './cards.ts'
import { certificates } from './certificates.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { dealtWith } from './dealt-with.ts'
import { doctor } from './doctor.ts'
import { donors } from './donors.ts'
import { did, due } from './due.ts'
import { endGrace } from './end-grace.ts'
import { erase } from './erase.ts'
import { find } from './find.ts'
import { goLive } from './go-live.ts'
import { hold, release } from './hold.ts'
import { invoice } from './invoice.ts'
import { jobs, run } from './jobs.ts'
import { ledger } from './ledger.ts'
import { move } from './move.ts'
import { partner } from './partner.ts'
import { payout } from './payout.ts'
import { people } from './people.ts'
import { provider } from './provider.ts'
import { receipts } from './receipts.ts'
import { reconcile } from './reconcile.ts'
import { report } from './report.ts'
import { restore } from './restore.ts'
import { vat } from './vat.ts'
import { wishes } from './wishes.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  due,
  did,
  report,
  books,
  vat,
  donors,
  certificates,
  receipts,
  check,
  ledger,
  doctor,
  goLive,
  find,
  cards,
  card,
  resend,
  address,
  dealtWith,
  blockAnswer,
  blankMessage,
  wishes,
  hold,
  release,
  account,
  payout,
  provider,
  campaigns,
  endGrace,
  jobs,
  run,
  people,
  invoice,
  partner,
  audit,
  erase,
  backup,
  restore,
  reconcile,
  move,
]
