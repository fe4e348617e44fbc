import { dayInUtc } from '#domain/days.ts'
import { DAY_MS } from '#domain/durations.ts'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { type Leaf, leafText, NGO_ACCOUNT, summed } from '#domain/public-ledger/leaf.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import type { Database } from '#server/platform/db/database.ts'
import { sha256 } from '#tests/support/public-log.ts'
import { chanceOf } from '#tests/support/random-books.ts'
import { drand } from './drawn-ledger.ts'
import { LEDGER_KEY } from './ledger-site.ts'

const CURRENCIES = ['EUR', 'GBP', 'USD'] as const
/** Seven of the content, and five that have left it, so that their ids are shown. */
const NGOS = [
  ...['ngo-msf', 'ngo-cerf', 'ngo-unrwa', 'ngo-unicef', 'ngo-undp', 'ngo-wfp', 'ngo-irc'],
  ...['Médicos del Mundo', 'Save the Children', 'Secours Islamique France', 'Oxfam', 'Anera'],
]
/** Of the pages: what was paid within the year, and what waits. */
export const YEAR = { organisations: NGOS.length, currencies: CURRENCIES.length, months: 12 } as const

/** The first month of the year. */
const FIRST_MONTH = Date.UTC(2025, 11, 1)
const DRAWS = 20

/**
 * Publishes a year of a site with twelve organisations and three currencies, in which everything happened each month that a
 * line can be about: amounts as uneven as chance makes them.
 */
export async function publishYear(db: Database, url: string): Promise<void> {
  const texts = leavesOfYear().map(leafText)
  const hashes = texts.map(text => leafHash(sha256, bytesOf(text)))
  const head = { size: texts.length, root: rootOf(sha256, hashes) }
  const note = createSigner(LEDGER_KEY, originOf(url)).sign(head)
  await db.transaction(async trx => {
    for (const [seq, leaf] of texts.entries())
      await trx
        .insertInto('ledger_leaves')
        .values({ seq, leaf, hash: toHex(hashes[seq]!) })
        .execute()
    await trx
      .insertInto('ledger_heads')
      .values({ size: head.size, root: toHex(head.root), note, at: Date.UTC(2026, 10, 24, 1) })
      .execute()
  })
}

function leavesOfYear(): readonly Leaf[] {
  const chance = chanceOf(12)
  const hex = (letters: number): string =>
    Array.from({ length: letters }, () => chance(16).toString(16)).join('')
  const several = (): readonly string[] => Array.from({ length: 5 + chance(15) }, () => hex(64)).sort()
  const leaves: Leaf[] = []
  for (let month = 0; month < YEAR.months; month++) {
    const begins = new Date(FIRST_MONTH)
    begins.setUTCMonth(begins.getUTCMonth() + month)
    const dayNumber = (number: number): string => dayInUtc(begins.getTime() + (number - 1) * DAY_MS)
    for (const currency of CURRENCIES) {
      const amount = (): number => 40_000 + chance(900_000)
      const add = (number: number, leaf: Pick<Leaf, 'cause' | 'amounts'> & Partial<Leaf>): number =>
        leaves.push({ day: dayNumber(number), currency, proof: hex(40), ...leaf })
      const moved = (cause: Leaf['cause'], from: string, to: string, number: number, moves = amount()) => {
        add(number, { cause, amounts: summed([[from, -moves]], [[to, moves]]), proof: several() })
      }
      const shares = NGOS.map((id): [string, number] => [NGO_ACCOUNT + id, amount()])
      const all = shares.reduce((sum, [, each]) => sum + each, 0)
      moved('sale', 'payments', 'cards', 2, all + amount())
      moved('sale', 'payments', 'support', 3)
      moved('sale', 'payments', 'tax', 4)
      moved('claim', 'campaign', 'cards', 5)
      moved('fee', 'fees', 'payments', 6)
      moved('fee', 'operator', 'payments', 6, 100 + chance(900))
      moved('refund', 'cards', 'refunds', 7, 10_000 + chance(20_000))
      moved('loss', 'losses', 'payments', 8, 10_000 + chance(20_000))
      moved('bank', 'payments', 'bank', 9)
      add(10, { cause: 'given', amounts: summed([['cards', -all]], shares), proof: several() })
      // What was given in the last month waits.
      if (month === YEAR.months - 1) continue
      for (const [account, share] of shares) {
        const line = add(20, {
          cause: 'payout',
          amounts: summed([[account, -share]], [['payouts-open', share]]),
        })
        add(22, { cause: 'paid', amounts: summed([['payouts-open', -share]], [['payouts', share]]) })
        const ngoId = account.slice(NGO_ACCOUNT.length)
        if (chance(3) > 0)
          add(24, {
            cause: 'received',
            amounts: [],
            received: [line, ngoId, dayNumber(20).slice(0, 4), share, [hex(64)]],
          })
      }
    }
  }
  const blinds = Array.from({ length: DRAWS }, () => hex(40)).sort()
  const day = '2026-11-20'
  const announced = leaves.length
  const announcement = {
    by: 'drand',
    chain: drand.chain,
    round: 14_812_345,
    candidates: NGOS,
    blinds,
  } as const
  leaves.push({ day, currency: 'EUR', cause: 'announced', amounts: [], proof: hex(40), announcement })
  for (const [n, proof] of blinds.entries()) {
    const [account, currency] = [NGO_ACCOUNT + NGOS[n % NGOS.length], CURRENCIES[n % CURRENCIES.length]!]
    const draw = {
      by: 'drand',
      announcement: announced,
      place: n % NGOS.length,
      signature: hex(96),
      gone: [],
    } as const
    const amounts = summed([['cards', -5_000]], [[account, 5_000]])
    leaves.push({ day, currency, cause: 'auto', amounts, proof, draw })
  }
  return leaves
}
