import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  isAwaited,
  ORDER_MOVES,
  ORDER_STATES,
  type OrderEvent,
  type OrderState,
} from '#domain/payment/order-states.ts'
import { moveOrder } from '#server/modules/payments/move-orders.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { anOrder } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const states = Object.keys(ORDER_STATES) as OrderState[]
const events = Object.keys(ORDER_MOVES) as OrderEvent[]
const pairs = states.flatMap(state => events.map(event => [state, event] as const))

describe('an order', () => {
  const anOrderIn = async (status: OrderState) => {
    const order = anOrder({
      status,
      checkout_session_sealed: isAwaited(status) ? 'sealed' : null,
      sender_name: 'before',
    })
    await test.db.transaction(trx => trx.insertInto('orders').values(order).execute())
    return order.id
  }
  const tell = (event: OrderEvent, id: string) =>
    test.db.transaction(trx => moveOrder(trx, event, id, { sender_name: 'after' }))
  const read = (id: string) => test.db.read(db => orderById(db, id))

  it.each(pairs)('that is %s and is told it is %s moves as the table says', async (state, event) => {
    const id = await anOrderIn(state)
    const untouched = await anOrderIn(state)
    const { to, from } = ORDER_MOVES[event]
    expect(await tell(event, id)).toBe(from[state])
    expect(await read(id)).toMatchObject(
      from[state]
        ? { status: to, sender_name: 'after', checkout_session_sealed: isAwaited(to) ? 'sealed' : null }
        : { status: state, sender_name: 'before' },
    )
    expect(await read(untouched)).toMatchObject({ status: state, sender_name: 'before' })
  })

  it('that is told twice at once that it is paid moves once', async () => {
    const id = await anOrderIn('open')
    const told = await Promise.all([tell('paid', id), tell('paid', id), tell('paid', id)])
    expect(told.filter(Boolean)).toHaveLength(1)
  })
})
