import { type InvoiceAct, InvoiceRefused, type ListedInvoice } from '#domain/invoice/invoice.ts'
import { Problem } from '#domain/problems.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { isNoted, noteOf, type Press, writeNote } from './press-notes.ts'

export interface InvoiceDeskParts {
  readonly db: Database
  readonly clock: () => number
  readonly list: (db: Reader) => Promise<readonly ListedInvoice[]>
  /**
   * Carries an act out in the transaction of its note. @returns what has to be said of it once that stands
   * @throws InvoiceRefused
   */
  readonly carryOut: (trx: Writer, asked: InvoiceAct) => Promise<() => void>
  /** Resolves once what was written would outlast the machine, where the site sees to that. */
  readonly outlasting?: (() => Promise<void>) | undefined
  /** A mail was queued. */
  readonly onQueued?: () => void
}

/** Invoices, as a treasurer looks at them and says what the bank did. `ops invoice` is the same on the machine. */
export interface InvoiceDesk {
  list(): Promise<readonly ListedInvoice[]>
  /** Carries out an act, once for each press. Problem act-refused (InvoiceRefusal). */
  act(asked: InvoiceAct, press: Press): Promise<{ readonly isRepeated: boolean }>
}

/** Makes the desk of invoices. */
export function createInvoiceDesk(parts: InvoiceDeskParts): InvoiceDesk {
  const { db, clock, list, carryOut, outlasting, onQueued } = parts
  return {
    list: () => db.snapshot(list),
    async act(asked, press) {
      const note = noteOf(press, `invoice ${asked.act}`, asked.order)
      if (await isNoted(db, note)) return { isRepeated: true }
      try {
        const say = await db.transaction(async trx =>
          (await writeNote(trx, note, clock())) ? carryOut(trx, asked) : undefined,
        )
        if (say === undefined) return { isRepeated: true }
        say()
      } catch (error) {
        if (!(error instanceof InvoiceRefused)) throw error
        throw new Problem('act-refused', { fields: [{ path: 'act', rule: error.rule }] })
      }
      // Cards that were lost would be made again with other links than their buyer was mailed.
      await outlasting?.()
      onQueued?.()
      return { isRepeated: false }
    },
  }
}
