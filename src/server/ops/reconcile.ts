import { DAY_MS } from '#domain/durations.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { counted } from '#domain/text/counted.ts'
import {
  endRestoration,
  noteRestoration,
  openRestoration,
  type Restoration,
} from '#server/modules/gifts/cards/restored.ts'
import { settleSendings } from '#server/modules/gifts/sendings/restored.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { noWords, readArguments } from './arguments.ts'
import { keysHere } from './card-secret.ts'
import { type Command, Refusal, type Report, type Tools } from './command.ts'
import { readErasures } from './erasures.ts'
import { forgetAgain, forgetBeforeStart } from './forget-again.ts'
import { countRevoked, revokeListed } from './revocations.ts'
import { amount, instant, table } from './table.ts'

/**
 * `reconcile`: what became of a backup that was brought back: what was made anew, what is lost, what is still to do.
 * `--restored` says that it was brought back by other means than `restore`: PostgreSQL's own, a copy of the disk.
 */
export const reconcile: Command = {
  name: 'reconcile',
  usage: '[--restored | --done]',
  summary:
    'says what was lost and made anew after a restore; --restored, before the site starts, notes one that PostgreSQL or a copy of the disk did; --done lets the cards of before be used again, once payouts were compared',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['restored', 'done'] })
    noWords(words)
    if (has('restored') && has('done'))
      throw new Refusal('Say --restored before the site starts, and --done later.')
    const db = await tools.database()
    if (has('restored')) return noteRestored(tools, db)
    const restoration = await db.read(openRestoration)
    if (restoration === undefined)
      return { lines: ['No backup was brought back that waits to be reconciled.'], data: null, ok: true }
    const keys = await keysOf(tools)
    const forgotten = await forgetAgain(tools, restoration, await readErasures(tools))
    const { listed, unwritten } = await revokeListed(tools, keys)
    const revoked = listed.filter(({ at }) => at >= restoration.since)
    const isAsked = restoration.askedAt !== undefined
    const found = await db.read(reader => whatBecame(reader, restoration))
    const lines = [
      `A backup was brought back at ${instant(restoration.at)}. Cards of before then cannot be used until this is done.`,
      isAsked
        ? `The payment provider was asked at ${instant(restoration.askedAt)} for everything since ${instant(restoration.since)}.`
        : 'The payment provider was not asked yet: start the site, then `ops run reconcile`.',
      `Made anew: ${counted(found.anew.length, 'card')}, of payments that the backup did not know.`,
      ...table(
        [{ title: 'order' }, { title: 'paid', right: true }, { title: '' }],
        found.anew.map(order => [order.id, amount(order.total_amount), order.currency]),
      ).filter(() => found.anew.length > 0),
      ...unwritten,
      ...forgotten.lines,
      listed.length > 0
        ? `Revoked since ${instant(restoration.since)}, and revoked again: ${countRevoked(revoked)}.`
        : NOTHING_LISTED,
      `Followed: ${counted(found.reversed, 'refund or dispute', 'refunds or disputes')}.`,
      `Lost: ${counted(found.lost, 'payment')} without a card. A mail names each: give it back in the payment account.`,
    ]
    if (!has('done')) {
      const left = [
        'Before `ops reconcile --done`: note what the bank paid since (docs/guides/backups.md), what it did about',
        'invoices, whatever else you did since,',
        `and \`ops hold\` each card that you know was used. ${counted(found.open, 'card')} of before can then be used again.`,
      ]
      return { lines: [...lines, ...left], data: { ...restoration, ...found, revoked }, ok: false }
    }
    if (!isAsked) throw new Refusal(lines[1]!)
    if (!forgotten.isDone) {
      const undone = 'Not done: whoever asked to be forgotten comes first.'
      return { lines: [...lines, undone], data: { ...restoration, ...found, revoked }, ok: false }
    }
    const returned = await settleSendings({ db, keys, clock: tools.clock }, restoration.at)
    await db.transaction(endRestoration)
    const settled = `Back to their givers, with new links: ${counted(returned, 'gift')} whose mail may have gone since.`
    return {
      lines: [...lines, settled, `Done. ${counted(found.open, 'card')} of before can be used again.`],
      data: { ...restoration, ...found, revoked, returned },
      ok: true,
    }
  },
}

const NOTHING_LISTED =
  'No list beside the backups says what was revoked. Read `ops people`, `ops partner list` and `ops account list`, and end again what was ended since.'

async function noteRestored(tools: Tools, db: Database): Promise<Report> {
  const { clock } = tools
  const restoration = await db.transaction(async trx => {
    await noteRestoration(trx, clock())
    return openRestoration(trx)
  })
  const { keys } = await keysHere(tools)
  const { done, unwritten } = await revokeListed(tools, keys)
  const forgotten = await forgetBeforeStart(tools, await readErasures(tools))
  const lines = [
    ...(done.length > 0 ? [`Revoked again: ${countRevoked(done)}.`] : []),
    ...unwritten,
    ...forgotten.lines,
    `Noted. ${forgotten.isDone ? 'Start the site: it' : 'Once the site runs, it'} asks the payment provider for what came since.`,
    'Until then, and until `ops reconcile --done`, no card of before can be used.',
  ]
  return { lines, data: restoration, ok: forgotten.isDone }
}

/** @throws Refusal without them */
async function keysOf(tools: Tools) {
  const { keys } = await keysHere(tools)
  if (keys === undefined)
    throw new Refusal(
      'CARD_KEY_SECRET is not set here: without it nobody can be forgotten again, and no gift can go back to its giver with new links.',
    )
  return keys
}

/** Figures of a restoration, out of the database as it is now. */
async function whatBecame(db: Reader, { at }: Restoration) {
  const anew = await db
    .selectFrom('orders')
    .select(['id', 'total_amount', 'currency'])
    .where('status', 'in', orderStatesOf('sold'))
    .where('settled_at', '>=', at)
    .where('created_at', '<', at)
    .where('created_at', '>=', at - 400 * DAY_MS)
    .orderBy('created_at')
    .execute()
  const count = db.fn.countAll<number>().as('n')
  const reversals = await db
    .selectFrom('reversals')
    .select(count)
    .where('updated_at', '>=', at)
    .executeTakeFirstOrThrow()
  const told = await db
    .selectFrom('jobs')
    .select(count)
    .where('dedupe_key', 'like', 'alarm:payment-without-order:%')
    .where('created_at', '>=', at)
    .executeTakeFirstOrThrow()
  const open = await db
    .selectFrom('cards')
    .select(count)
    .where('status', '=', 'active')
    .where('created_at', '<', at)
    .executeTakeFirstOrThrow()
  return { anew, reversed: Number(reversals.n), lost: Number(told.n), open: Number(open.n) }
}
