import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { dayInMadrid } from '#domain/days.ts'
import { ADVICE_DAYS } from '#domain/payout/advice.ts'
import { advise, advisedPayouts, withdrawAdvice } from '#server/modules/payouts/advices/advices.ts'
import { MAIL_WORDS } from '#server/modules/payouts/advices/advised-fate.ts'
import { readReceipt } from '#server/modules/payouts/advices/receipt-files.ts'
import type { Actions } from './actions.ts'
import { oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal } from './command.ts'
import { refuseUnknownOrganisation } from './content.ts'
import { amount, table } from './table.ts'

/** The words of `payout` about mails to organisations, their confirmations and receipts. */
export const ADVICE_ACTIONS: Actions = {
  async advise(tools, args) {
    const id = oneWord(readArguments(args).words, 'the id of one payout')
    const { advice, isNew } = await advise(await tools.database(), await keysFor(tools), id, tools.clock())
    const lines = [
      isNew
        ? `The mail about payout ${id} is queued. Its link works once, for ${ADVICE_DAYS} days.`
        : `The mail about payout ${id} was queued before. \`payout unadvise ${id}\` ends its link, if it went astray.`,
    ]
    return { lines, data: { payout: id, advice: advice.id, isNew }, ok: true }
  },

  async unadvise(tools, args) {
    const id = oneWord(readArguments(args).words, 'the id of one payout')
    await withdrawAdvice(await tools.database(), id, tools.clock())
    const lines = [
      `The link of the mail about payout ${id} is dead, and what was confirmed with it counts no more.`,
      `Once the right address is noted (\`account propose\`, \`account confirm\`), \`payout advise ${id}\` writes again.`,
    ]
    return { lines, data: { payout: id }, ok: true }
  },

  async receipts(tools, args) {
    const { words } = readArguments(args)
    if (words.length > 1) throw new Refusal('payout receipts [<organisation>]')
    const [ngoId] = words
    if (ngoId !== undefined) await refuseUnknownOrganisation(tools, ngoId)
    const all = await (await tools.database()).read(advisedPayouts)
    const rows = all.filter(({ payout }) => ngoId === undefined || payout.ngo_id === ngoId)
    const missing = rows.filter(({ receivedAt }) => receivedAt === null).length
    const lines = [
      ...table(
        [
          { title: 'payout' },
          { title: 'organisation' },
          { title: 'amount', right: true },
          { title: '' },
          { title: 'received' },
          { title: 'receipt' },
        ],
        rows.map(({ payout, fate, receivedAt, receipt }) => [
          payout.id,
          payout.ngo_id,
          amount(payout.amount),
          payout.currency,
          receivedAt === null ? `no, ${MAIL_WORDS[fate]}` : dayInMadrid(receivedAt),
          receipt === undefined
            ? 'missing'
            : `${receipt.receipt_kind}, ${Math.ceil((receipt.receipt_bytes ?? 0) / 1000)} kB`,
        ]),
      ),
      `${missing} of ${rows.length} paid payouts are not confirmed.`,
    ]
    return { lines, data: { payouts: rows, missing }, ok: true }
  },

  async receipt(tools, args) {
    const { words, value } = readArguments(args, { names: ['to'] })
    const id = oneWord(words, 'the id of one payout')
    const rows = await (await tools.database()).read(advisedPayouts)
    const paid = rows.find(({ payout }) => payout.id === id)
    if (paid === undefined)
      throw new Refusal(`No payout "${id}" was paid. \`payout receipts\` lists those that were.`)
    const { receipt } = paid
    if (!receipt?.receipt_kind || receipt.receipt_digest === null)
      throw new Refusal(
        'No receipt was attached to this payout. `payout receipts` lists those that there are.',
      )
    const file = resolve(value('to') ?? `receipt-${id}.${receipt.receipt_kind}`)
    if (existsSync(file)) throw new Refusal(`${file} is there already. Say another name with --to.`)
    const kept = { kind: receipt.receipt_kind, digest: receipt.receipt_digest }
    const content = await readReceipt(tools.place.dataDir, receipt.id, kept)
    if (content === undefined)
      throw new Refusal(
        `The file of this receipt is not in ${tools.place.dataDir}/receipts as it was attached. A backup, or the server that took it, has it.`,
      )
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, content, { mode: 0o600, flag: 'wx' })
    const lines = [
      `${file}: ${content.length} bytes. Somebody else made this file: open it as you would an attachment of a mail.`,
    ]
    return { lines, data: { payout: id, file, bytes: content.length }, ok: true }
  },
}
