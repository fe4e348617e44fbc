import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { CARD_STATUSES } from '#domain/card/states.ts'
import { ROLES } from '#domain/desk/roles.ts'
import { SUBSCRIPTION_STATES } from '#domain/newsletter/subscription-states.ts'
import { PARTNER_SCOPES } from '#domain/partner/partner.ts'
import { DISPUTE_STATES } from '#domain/payment/dispute-states.ts'
import { isAwaited, ORDER_STATES, type OrderState } from '#domain/payment/order-states.ts'
import { PAYOUT_STATES } from '#domain/payout/payout-states.ts'
import { ANSWERS } from '#domain/volunteering/answer.ts'
import { anOrder } from '#tests/builders/server.ts'
import { checkedWords } from '#tests/support/checked-words.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const STATES = Object.keys(ORDER_STATES) as OrderState[]

it.each<readonly [string, string, readonly string[]]>([
  ['orders', 'status', STATES],
  ['cards', 'status', CARD_STATUSES],
  // Nothing uses a volunteering card up.
  [
    'volunteering_cards',
    'status',
    CARD_STATUSES.filter(status => status !== 'consumed' && status !== 'left'),
  ],
  ['volunteering_cards', 'answer', ANSWERS],
  ['orders', 'kind', ALL_GIFT_KINDS],
  ['payouts', 'status', Object.keys(PAYOUT_STATES)],
  ['disputes', 'state', DISPUTE_STATES],
  ['people', 'role', ROLES],
  ['partners', 'scopes', [...PARTNER_SCOPES, PARTNER_SCOPES.join(' ')]],
  ['newsletter_subscribers', 'status', SUBSCRIPTION_STATES],
])('allows in %s.%s exactly the words of the domain’s table', async (table, column, words) => {
  const checked = await test.db.transaction(trx => checkedWords(trx, test.engine, table, column))
  expect(checked).toEqual([...words].sort())
})

it.each(STATES)(
  'lets an order that is %s keep its Checkout session only while it can be paid',
  async status => {
    const insert = test.db.transaction(trx =>
      trx
        .insertInto('orders')
        .values(anOrder({ status, checkout_session_sealed: 'sealed' }))
        .execute(),
    )
    if (isAwaited(status)) await insert
    else await expect(insert).rejects.toThrow(/check/i)
  },
)
