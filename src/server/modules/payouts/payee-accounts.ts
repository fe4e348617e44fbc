import type { Selectable } from 'kysely'
import type { Language } from '#domain/languages.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { confirmableFrom, type SecondChannel } from '#domain/payout/payee-accounts.ts'
import { cleanLine } from '#domain/text/clean-line.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { BROKEN, type Sealer, sealedAnew, sealOfPayee } from '#server/modules/ledger/seals.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import { isOneOf } from '#server/platform/db/same-address.ts'
import { isSandbox } from '#server/platform/db/sandbox.ts'
import type { PayeeAccountsTable } from '#server/platform/db/schema.ts'
import { readAccountNumber, type TypedAccount } from './account-numbers.ts'
import { LONGEST_NAME, losesLetters } from './sepa-text.ts'

export type PayeeAccount = Selectable<PayeeAccountsTable>

/** Why an account was not proposed, confirmed or ended; the message says the way out. */
export class PayeeRefused extends Error {
  override readonly name = 'PayeeRefused'
}

/** The kind of mail. */
export const PAYEE_CHANGE = 'payee-change'

const LONGEST_TAX_NUMBER = 35

export interface NewPayee extends TypedAccount {
  readonly ngoId: string
  /** As the bank knows the organisation. */
  readonly legalName: string
  readonly taxNumber?: string | undefined
  readonly contact: string
  readonly language: Language
}

/**
 * Proposes where an organisation is to be paid. It changes nothing yet but that the contact of the account that is paid
 * to now is written to.
 * @param now epoch ms UTC
 * @throws PayeeRefused where something of it cannot be, or another one waits
 */
export async function proposePayee(
  db: Database,
  keys: Sealer,
  typed: NewPayee,
  now: number,
): Promise<PayeeAccount> {
  const account = readAccountNumber(typed)
  if (typeof account === 'string') throw new PayeeRefused(account)
  const legalName = cleanLine(typed.legalName, LONGEST_NAME + 1)
  if (legalName === '' || [...legalName].length > LONGEST_NAME)
    throw new PayeeRefused(`The legal name has 1 to ${LONGEST_NAME} characters.`)
  if (account.iban !== null && losesLetters(legalName))
    throw new PayeeRefused(
      'Write the legal name in Latin letters, as its bank does: the bank’s file has no others.',
    )
  const taxNumber = cleanLine(typed.taxNumber ?? '', LONGEST_TAX_NUMBER) || null
  const contact = typed.contact.trim()
  if (!isMailAddress(contact)) throw new PayeeRefused('The contact is not an e-mail address.')
  return db.transaction(async trx => {
    if (await isSandbox(trx))
      throw new PayeeRefused(
        'A sandbox keeps no account numbers: a file for the bank would pay out what nobody paid in.',
      )
    if (await payeeIn(trx, typed.ngoId, 'proposed'))
      throw new PayeeRefused(
        `An account of ${typed.ngoId} waits already. Confirm it, or withdraw it with \`account withdraw\`.`,
      )
    const before = await lastConfirmed(trx, typed.ngoId)
    if (before !== undefined && !isSealed(keys, before)) throw brokenSeal(typed.ngoId)
    const isTold = before !== undefined && before.contact !== null
    const row = {
      id: newId(now),
      ngo_id: typed.ngoId,
      state: 'proposed',
      legal_name: legalName,
      tax_number: taxNumber,
      ...account,
      contact,
      language: typed.language,
      replaces: before?.id ?? null,
      proposed_at: now,
      // The waiting day begins when the old contact was written to; where there is none any more, at once.
      told_at: isTold ? null : now,
      confirmed_by: null,
      confirmed_how: null,
      confirmed_at: null,
      ended_at: null,
    } as const
    const payee = { ...row, seal: sealOfPayee(keys, row) }
    await trx.insertInto('payee_accounts').values(payee).execute()
    if (isTold)
      await queueMail(trx, {
        kind: PAYEE_CHANGE,
        dedupeKey: `${PAYEE_CHANGE}:${row.id}`,
        payload: { accountId: row.id },
        subject: row.id,
        runAt: now,
      })
    return payee
  })
}

/** The mail to the old contact has gone out, or never will: from now on the change waits a day. */
export async function noteTold(trx: Writer, keys: Sealer, accountId: string, now: number): Promise<void> {
  // Once more where somebody else changed the row meanwhile: a change that is never told of could never be confirmed.
  for (;;) {
    const waiting = await trx
      .selectFrom('payee_accounts')
      .selectAll()
      .where('id', '=', accountId)
      .where('state', '=', 'proposed')
      .where('told_at', 'is', null)
      .executeTakeFirst()
    if (waiting === undefined || (await changed(trx, keys, waiting, { told_at: now }))) return
  }
}

export interface Confirmation {
  readonly ngoId: string
  /** Who at the organisation said that the account is theirs. */
  readonly who: string
  readonly how: SecondChannel
}

/**
 * Confirms the account that waits: from now on the organisation is paid there. One that it replaces ends.
 * @param now epoch ms UTC
 * @throws PayeeRefused where none waits, its waiting day is not over, or somebody else has written to its row
 */
export async function confirmPayee(
  db: Database,
  keys: Sealer,
  { ngoId, who, how }: Confirmation,
  now: number,
): Promise<PayeeAccount> {
  const confirmedBy = cleanLine(who, LONGEST_NAME)
  if (confirmedBy === '') throw new PayeeRefused('Say who at the organisation confirmed it.')
  return db.transaction(async trx => {
    const proposed = await payeeIn(trx, ngoId, 'proposed')
    if (proposed === undefined) throw new PayeeRefused(`No account of ${ngoId} waits to be confirmed.`)
    const current = await payeeIn(trx, ngoId, 'current')
    if (!isSealed(keys, proposed) || (current !== undefined && !isSealed(keys, current)))
      throw brokenSeal(ngoId)
    // One that was withdrawn is no current one, and its contact was written to all the same.
    if (proposed.replaces !== null) await payeeById(trx, keys, proposed.replaces)
    const from = confirmableFrom({ isReplacement: proposed.replaces !== null, toldAt: proposed.told_at })
    if (from === undefined)
      throw new PayeeRefused(
        'The mail to the old contact is still on its way. The waiting day begins with it.',
      )
    if (now < from)
      throw new PayeeRefused(
        `It replaces another account, so it can be confirmed from ${new Date(from).toISOString().slice(0, 16).replace('T', ' ')} UTC on.`,
      )
    if (current !== undefined) await change(trx, keys, current, { state: 'ended', ended_at: now })
    return change(trx, keys, proposed, {
      state: 'current',
      confirmed_by: confirmedBy,
      confirmed_how: how,
      confirmed_at: now,
    })
  })
}

/**
 * Ends what was proposed, or what is paid to now: no payout goes there any more. Which of the two has to be said: whoever
 * says the same a second time ends nothing else.
 * @throws PayeeRefused where there is none of that kind
 */
export async function withdrawPayee(
  db: Database,
  keys: Sealer,
  { ngoId, state }: { readonly ngoId: string; readonly state: 'proposed' | 'current' },
  now: number,
): Promise<PayeeAccount> {
  return db.transaction(async trx => {
    const found = await payeeIn(trx, ngoId, state)
    if (found !== undefined) return change(trx, keys, found, { state: 'ended', ended_at: now })
    const isPaid = state === 'proposed' && (await payeeIn(trx, ngoId, 'current')) !== undefined
    throw new PayeeRefused(
      state === 'current'
        ? `${ngoId} is paid to no account.`
        : `No account of ${ngoId} waits.${isPaid ? ' The one that is paid to now ends with --current alone.' : ''}`,
    )
  })
}

/**
 * Ends one account, proposed or paid to, that ended before a backup was brought back. @param at when, epoch ms UTC
 * @returns false where there is none, or it ended already
 */
export async function endPayee(trx: Writer, keys: Sealer, id: string, at: number): Promise<boolean> {
  const found = await trx
    .selectFrom('payee_accounts')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'ended')
    .executeTakeFirst()
  if (found === undefined) return false
  await change(trx, keys, found, { state: 'ended', ended_at: at })
  return true
}

/**
 * Where an organisation is paid now; undefined where nothing is confirmed.
 * @throws PayeeRefused where somebody else has written to the row: nothing is paid there
 */
export async function currentPayee(
  db: Reader,
  keys: Sealer,
  ngoId: string,
): Promise<PayeeAccount | undefined> {
  const current = await payeeIn(db, ngoId, 'current')
  if (current !== undefined && !isSealed(keys, current)) throw brokenSeal(ngoId)
  return current
}

/** One account, whatever has become of it. @throws PayeeRefused as `currentPayee` */
export async function payeeById(db: Reader, keys: Sealer, id: string): Promise<PayeeAccount | undefined> {
  const found = await db.selectFrom('payee_accounts').selectAll().where('id', '=', id).executeTakeFirst()
  if (found !== undefined && !isSealed(keys, found)) throw brokenSeal(found.ngo_id)
  return found
}

/** Every account that is paid to or waits, and those that ended, by organisation, the newest first. */
export function payees(db: Reader, ngoId?: string): Promise<readonly PayeeAccount[]> {
  return db
    .selectFrom('payee_accounts')
    .selectAll()
    .$if(ngoId !== undefined, query => query.where('ngo_id', '=', ngoId!))
    .orderBy('ngo_id')
    .orderBy('proposed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Takes persons out of accounts: whose contact is one of these addresses, or that ended before an instant. The account
 * stays, sealed anew.
 * @returns how many there were
 */
export async function forgetPayees(
  trx: Writer,
  keys: Sealer,
  of: { readonly addresses: readonly string[] } | { readonly endedBefore: number },
): Promise<number> {
  const rows = await trx
    .selectFrom('payee_accounts')
    .selectAll()
    .where(eb => eb.or([eb('contact', 'is not', null), eb('confirmed_by', 'is not', null)]))
    .where(eb => ('addresses' in of ? isOneOf('contact', of.addresses) : eb('ended_at', '<', of.endedBefore)))
    .execute()
  for (const row of rows)
    await change(trx, keys, row, {
      contact: null,
      // Whoever confirmed the account that is paid to is noted for as long as it is.
      ...(row.state === 'ended' && { confirmed_by: null }),
    })
  return rows.length
}

/** Paid to now or until it was withdrawn: withdrawing an account spares the next one neither mail nor waiting day. */
function lastConfirmed(db: Reader, ngoId: string): Promise<PayeeAccount | undefined> {
  return db
    .selectFrom('payee_accounts')
    .selectAll()
    .where('ngo_id', '=', ngoId)
    .where('confirmed_at', 'is not', null)
    .orderBy('confirmed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function payeeIn(db: Reader, ngoId: string, state: PayeeAccount['state']): Promise<PayeeAccount | undefined> {
  return db
    .selectFrom('payee_accounts')
    .selectAll()
    .where('ngo_id', '=', ngoId)
    .where('state', '=', state)
    .executeTakeFirst()
}

type Change = Partial<
  Pick<
    PayeeAccount,
    'state' | 'contact' | 'told_at' | 'confirmed_by' | 'confirmed_how' | 'confirmed_at' | 'ended_at'
  >
>

/** @throws PayeeRefused where the row is not as it was read any more */
async function change(trx: Writer, keys: Sealer, read: PayeeAccount, set: Change): Promise<PayeeAccount> {
  const now = await changed(trx, keys, read, set)
  if (now === undefined) throw new PayeeRefused('Somebody else has changed this account just now.')
  return now
}

/**
 * The update itself asks whether the row is still as it was read: what was written meanwhile is not in the new seal.
 * @returns the row as it is now; undefined, with nothing written, where it is another one
 */
function changed(
  trx: Writer,
  keys: Sealer,
  read: PayeeAccount,
  set: Change,
): Promise<PayeeAccount | undefined> {
  const seal = sealedAnew(keys, sealOfPayee, read, { ...read, ...set }) ?? BROKEN
  return trx
    .updateTable('payee_accounts')
    .set({ ...set, seal })
    .where('id', '=', read.id)
    .where('state', '=', read.state)
    .where('seal', '=', read.seal)
    .returningAll()
    .executeTakeFirst()
}

const isSealed = (keys: Sealer, payee: PayeeAccount): boolean => payee.seal === sealOfPayee(keys, payee)

const brokenSeal = (ngoId: string) =>
  new PayeeRefused(
    `The account of ${ngoId} has not the seal that the product gave it: somebody else has written to it. Run \`check\`, and ask the organisation.`,
  )
