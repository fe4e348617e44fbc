import { dayInMadrid } from '#domain/days.ts'
import { isRunName, type PayoutAct, type PayoutActRefusal } from '#domain/desk/payout-acts.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { readAccountNumber } from '#server/modules/payouts/account-numbers.ts'
import { StatementRefused } from '#server/modules/payouts/bank-statement/entry.ts'
import {
  matchStatement,
  noteStatement,
  type StatementMatch,
} from '#server/modules/payouts/bank-statement/match.ts'
import { readStatement } from '#server/modules/payouts/bank-statement/read.ts'
import { transfersCsv } from '#server/modules/payouts/csv.ts'
import { isSepa, painOf } from '#server/modules/payouts/pain.ts'
import { PayeeRefused } from '#server/modules/payouts/payee-accounts.ts'
import { cancelPayout, markPaid, markUnpaid } from '#server/modules/payouts/payouts.ts'
import { PayoutRefused } from '#server/modules/payouts/refused.ts'
import { makeRun, transfersOf } from '#server/modules/payouts/runs.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { type Look, lookAtPayouts } from './look-at-payouts.ts'
import { isNoted, type Note, noteOf, type Press, writeNote } from './press-notes.ts'

export interface PayoutDeskParts {
  readonly db: Database
  readonly keys: CardKeys
  /** Epoch ms UTC. */
  readonly clock: () => number
  /** A mail was queued. */
  readonly onQueued: () => void
  readonly nameOf: (ngoId: string) => string
}

/** Who pays, and when the bank is to do it. */
export interface FilesAsked {
  readonly run: string
  readonly iban: string
  readonly payer: string
  readonly bic?: string | undefined
  /** `YYYY-MM-DD`; today in Madrid when missing. */
  readonly on?: string | undefined
}

/** What the bank is to pay of a run: files with whole account numbers. */
export interface FilesForBank {
  /** The bank's own file (pain.001) of the transfers in euros; missing where there is none. */
  readonly file?: BankFile
  /** A table of the other transfers, to be typed at the bank; missing where there is none. */
  readonly others?: BankFile
}

interface BankFile {
  readonly name: string
  readonly text: string
  readonly transfers: number
  /** Minor units, of the euros in the bank's file. */
  readonly sum?: number
}

/** What a bank's statement says of payouts, and whether it was noted. */
export interface StatementRead extends StatementMatch {
  readonly isApplied: boolean
  /** Why the file could not be read, as a sentence; nothing of it was noted then. */
  readonly unreadable?: string
}

/** The operator's payouts: what waits, and every act of the month but the bank's own. */
export interface PayoutDesk {
  look(): Promise<Look>
  /** Carries out an act, once for each press. Problem act-refused. */
  act(asked: PayoutAct, press: Press): Promise<{ readonly isRepeated: boolean }>
  /** Makes the files for the bank, and writes down that they were asked for. Problem act-refused. */
  files(asked: FilesAsked, press: Press): Promise<FilesForBank>
  /**
   * Reads a bank's statement, and notes as paid what fits where it is applied. Problem act-refused.
   * @param text the whole file
   */
  statement(
    asked: { readonly text: string; readonly isApplied: boolean },
    press: Press,
  ): Promise<StatementRead>
}

/** Makes the desk of payouts. The same use cases stand behind the terminal's commands. */
export function createPayoutDesk(parts: PayoutDeskParts): PayoutDesk {
  const { db, keys, clock } = parts
  return {
    look: () => db.snapshot(reader => lookAtPayouts(reader, parts, clock())),
    async act(asked, press) {
      checkWords(asked)
      const note = noteOfAct(asked, press)
      if (await isNoted(db, note)) return { isRepeated: true }
      await refusing(() => carryOut(parts, asked, note))
      parts.onQueued()
      return { isRepeated: false }
    },
    async files(asked, press) {
      const made = await refusing(() => filesOf(parts, asked))
      await noteOnce(parts, noteOf(press, 'payout file', asked.run))
      return made
    },
    async statement({ text, isApplied }, press) {
      try {
        const entries = await readStatement(text)
        const match = await refusing(() => db.snapshot(reader => matchStatement(reader, keys, entries)))
        if (!isApplied) return { ...match, isApplied }
        const changed = await refusing(() => noteStatement(db, match, clock(), keys))
        await noteOnce(parts, noteOf(press, 'payout import', 'statement'))
        parts.onQueued()
        const paid = match.paid.filter(({ payout }) => !changed.some(({ subject }) => subject === payout.id))
        return { ...match, paid, amiss: [...match.amiss, ...changed], isApplied }
      } catch (error) {
        if (!(error instanceof StatementRefused)) throw error
        return {
          paid: [],
          noted: [],
          seen: [],
          amiss: [],
          others: 0,
          isApplied: false,
          unreadable: error.message,
        }
      }
    },
  }
}

const refuse = (rule: PayoutActRefusal): never => {
  throw new Problem('act-refused', { fields: [{ path: 'act', rule }] })
}

/** Turns what the modules refuse into the problem that the Studio has a sentence for. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PayoutRefused) return refuse(error.rule)
    if (error instanceof PayeeRefused) return refuse('seal')
    throw error
  }
}

function checkWords(asked: PayoutAct): void {
  if (asked.act === 'run' && !isRunName(asked.run)) refuse('run-name')
  if (asked.act !== 'run' && !isIdShaped(asked.payout)) refuse('no-such-payout')
  if (asked.act === 'paid' && asked.reference.trim() === '') refuse('reference')
}

/** The reference is left out, since it may be any text. */
function noteOfAct(asked: PayoutAct, press: Press): Note {
  const subject = asked.act === 'run' ? asked.run : asked.payout
  return noteOf(press, `payout ${asked.act}`, subject)
}

function carryOut({ db, keys, clock }: PayoutDeskParts, asked: PayoutAct, note: Note): Promise<unknown> {
  const now = clock()
  const also = (trx: Parameters<typeof writeNote>[0]) => writeNote(trx, note, now)
  switch (asked.act) {
    case 'run':
      return makeRun(db, keys, { runKey: asked.run, givenBefore: Math.min(asked.before, now) }, now, also)
    case 'paid':
      return markPaid(db, { id: asked.payout, reference: asked.reference.trim() }, now, keys, also)
    case 'unpaid':
      return markUnpaid(db, asked.payout, now, also)
    case 'cancel':
      return cancelPayout(db, asked.payout, now, also)
  }
}

async function filesOf({ db, keys, clock }: PayoutDeskParts, asked: FilesAsked): Promise<FilesForBank> {
  const account = readAccountNumber({ iban: asked.iban, bic: asked.bic || undefined })
  if (typeof account === 'string' || account.iban === null) return refuse('payer-account')
  const payer = asked.payer.trim()
  if (payer === '') return refuse('payer-name')
  const on = asked.on || dayInMadrid(clock())
  if (!/^\d{4}-\d\d-\d\d$/.test(on) || on < dayInMadrid(clock())) return refuse('day')
  const { run, transfers } = await db.read(reader => transfersOf(reader, keys, asked.run))
  if (transfers.length === 0) return refuse('nothing-to-transfer')
  const some = transfers.filter(isSepa)
  const others = transfers.filter(each => !isSepa(each))
  const paying = { payer: { name: payer, iban: account.iban, bic: account.bic }, on }
  return {
    ...(some.length > 0 && {
      file: {
        name: `payouts-${run.run_key}.xml`,
        text: painOf(run, some, paying),
        transfers: some.length,
        sum: some.reduce((total, { payout }) => total + payout.amount, 0),
      },
    }),
    ...(others.length > 0 && {
      others: {
        name: `payouts-${run.run_key}-others.csv`,
        text: transfersCsv(others),
        transfers: others.length,
      },
    }),
  }
}

const noteOnce = ({ db, clock }: PayoutDeskParts, note: Note): Promise<boolean> =>
  db.transaction(trx => writeNote(trx, note, clock()))
