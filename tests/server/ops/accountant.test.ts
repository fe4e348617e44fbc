import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { books } from '#server/ops/books.ts'
import { check } from '#server/ops/check.ts'
import type { Command, Tools } from '#server/ops/command.ts'
import { payout } from '#server/ops/payout.ts'
import { provider } from '#server/ops/provider.ts'
import { vat } from '#server/ops/vat.ts'
import { testKeys } from '#tests/builders/server.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

const COMMANDS: Readonly<Record<string, Command>> = { vat, books, provider, check, payout }

let fixture: PaymentsFixture
let tools: Tools
let payoutId: string
/** A book with a sale, a part given back, a gift that is owed, one that was paid, and a payout of the provider. */
beforeEach(async () => {
  fixture = await openPaymentsFixture({ settles: ['eur'] })
  const { test, clock, deps } = fixture
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: {},
    clock,
    progress() {},
  }
  for (const ngoId of ['msf', 'cerf']) {
    await fixture.buy({}, CARD.spanish)
    await fixture.deliver()
    const { id, key_version } = await test.db.read(db =>
      db
        .selectFrom('cards')
        .select(['id', 'key_version'])
        .where('status', '=', 'active')
        .executeTakeFirstOrThrow(),
    )
    await fixture.cards.redeem(deps.keys.privateKey(id, key_version), [{ ngoId, points: 50 }])
  }
  const account = { ngoId: 'msf', legalName: 'MSF', contact: 'msf@example.org', language: 'en' } as const
  await proposePayee(test.db, testKeys, { ...account, iban: 'ES9121000418450200051332' }, clock())
  await confirmPayee(test.db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, clock())
  const { id } = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
  await markPaid(test.db, { id, reference: 'R1' }, clock(), testKeys)
  clock.advance(5 * DAY_MS)
  await fixture.deliver()
  clock.advance(3_600_000)
  await readMovements(deps)
  payoutId = (await fixture.stripe.payouts.list()).data[0]!.id
})
afterEach(() => fixture.close())

const GUIDE = join(import.meta.dirname, '../../../docs/guides/treasurers-year.md')

/** The commands of the guide's table of questions, by question. */
const questions = new Map(
  [...readFileSync(GUIDE, 'utf8').matchAll(/^\| ([^|]+\?) \| `([^`]+)` \|/gm)].map(
    ([, question = '', command = '']) => [question, command],
  ),
)

async function answer(question: string): Promise<string> {
  const [name = '', ...words] = questions.get(question)!.split(' ')
  const args = words.map(word => (word === 'po_…' ? payoutId : word))
  return (await COMMANDS[name]!.run(tools, args)).lines.join('\n')
}

/** What each answer has to hold. */
const ANSWERS: Readonly<Record<string, RegExp>> = {
  'How much VAT does a quarter hold?': /EUR +21% +2 +30\.00 +5\.20 .*5\.20$/m,
  'What was owed on December 31?':
    /^Owed to organisations afterwards: 50\.00 EUR, and 0\.00 on unused cards\.$/m,
  'What does a payout of Stripe consist of?': /charge[\s\S]*together +130\.00 +2\.46 +127\.54/,
  'Why do the books and the provider differ?': /^The ledger is in order\.$/m,
  'Which receipts has an organisation given?': /msf +50\.00 +EUR +no, mail waits +missing/,
}

it('has a question for each answer here', () => {
  expect([...questions.keys()]).toEqual(Object.keys(ANSWERS))
})

it.each(Object.entries(ANSWERS))('%s', async (question, words) => {
  expect(await answer(question)).toMatch(words)
})

it('names the movement in which the books and the provider differ', async () => {
  const before = await answer('Why do the books and the provider differ?')
  await fixture.test.plant(
    "update provider_movements set fee = fee + 100, net = net - 100 where kind = 'charge'",
  )
  const after = await answer('Why do the books and the provider differ?')
  expect(after).not.toBe(before)
  const { id } = await fixture.test.db.read(db =>
    db.selectFrom('provider_movements').select('id').where('kind', '=', 'charge').executeTakeFirstOrThrow(),
  )
  expect(after).toContain(id)
})
