import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import type { Receipts } from '#domain/market.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import {
  createCertificates,
  forgetHolders,
  listCertificates,
} from '#server/modules/payments/certificates/certificates.ts'
import { openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'
import { type Bought, type WithdrawalsFixture, withdrawalsOf } from '#tests/support/withdrawals-fixture.ts'

const AINA = { name: 'Aina Ferrer', document: '12345678Z', address: 'Carrer Major 1' }
const BERTA = { name: 'Berta Puig', document: '87654321X', address: 'Carrer Nou 2' }
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER }

let fixture: PaymentsFixture
let sales: WithdrawalsFixture
let receipts: Receipts
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  sales = withdrawalsOf(fixture)
  receipts = 'own'
})
afterEach(() => fixture.close())

const certificates = () => createCertificates({ ...sales.parts, market: () => ({ receipts }) })
const keyOf = ({ orderId }: Pick<Bought, 'orderId'>) => fixture.deps.keys.withdrawalKey(orderId, 1)
const open = (bought: Bought) => certificates().open(bought.orderId, keyOf(bought))
const make = (bought: Bought, holder = AINA) => certificates().make(bought.orderId, keyOf(bought), holder)
const listed = () => fixture.test.db.read(db => listCertificates(db, ALWAYS))

/** A purchase that can no longer be withdrawn from. */
async function forEver(): Promise<Bought> {
  const bought = await sales.buy()
  fixture.clock.advance(20 * DAY_MS)
  return bought
}

describe('a certificate', () => {
  it('is made once the days of withdrawal are over, with a number, and is the same when it is asked for again', async () => {
    const bought = await sales.buy()
    expect(await make(bought)).toMatchObject({ answer: 'early' })
    expect(await listed()).toEqual([])
    const { endsAt, amount } = await open(bought)
    fixture.clock.advance(endsAt - fixture.clock())
    const { made } = await make(bought)
    const year = new Date(fixture.clock()).getUTCFullYear()
    expect(made).toMatchObject({
      ...AINA,
      number: `${year}-000001-${lettersOf(bought.orderId)}`,
      amount,
      isVoid: false,
    })
    expect((await make(bought, BERTA)).made).toEqual(made)
    expect((await open(bought)).made).toEqual(made)
    expect(await listed()).toHaveLength(1)
  })

  it('is made at once where the card was used', async () => {
    const bought = await sales.buy()
    await fixture.cards.redeem(bought.privateKey, [{ ngoId: 'cerf', points: 50 }])
    expect((await make(bought)).made).toMatchObject(AINA)
  })

  it('is not made of a used card while its payment is disputed, and is once that is won', async () => {
    const bought = await sales.buy()
    await fixture.cards.redeem(bought.privateKey, [{ ngoId: 'cerf', points: 50 }])
    await fixture.disputePart(6_500)
    await fixture.deliver()
    expect(await make(bought)).toMatchObject({ answer: 'held' })
    expect(await listed()).toEqual([])
    await fixture.decideDispute('won')
    await fixture.deliver()
    expect((await make(bought)).made).toMatchObject(AINA)
  })

  it('is made for nobody with a wrong key, and not where the operator gives none', async () => {
    const bought = await forEver()
    for (const key of ['', 'a'.repeat(32), keyOf({ orderId: 'another' })])
      await expect(certificates().make(bought.orderId, key, AINA)).rejects.toMatchObject({
        code: 'payment-not-found',
      })
    receipts = 'none'
    expect(await make(bought)).toMatchObject({ answer: 'off' })
    expect(await listed()).toEqual([])
  })

  it('has the next number of the year, without a gap, however many are asked for at once', async () => {
    const bought = [await forEver(), await forEver(), await forEver(), await forEver()]
    await Promise.all([...bought, ...bought].map(each => make(each)))
    const made = await listed()
    expect(made.map(({ number }) => number.slice(5, 11))).toEqual(['000001', '000002', '000003', '000004'])
    for (const { number, orderId } of made) expect(number.slice(11)).toBe(`-${lettersOf(orderId)}`)
    fixture.clock.advance(366 * DAY_MS)
    const next = await make(await forEver())
    expect(next.made?.number).toMatch(/-000001-\w{4}$/)
  })

  it.each([
    ['is gone', `delete from certificates where number = 2`, 'certificate-gap'],
    ['has another number', `update certificates set number = 7 where number = 2`, 'certificate-gap'],
    ['is one too many for its year', `update certificate_years set last = 2`, 'certificate-gap'],
    [
      'says more than was given',
      `update certificates set amount = 5001 where number = 2`,
      'certificate-differs',
    ],
    ['is of another kind of gift', `update orders set kind = 'volunteering'`, 'certificate-differs'],
  ])('that %s is found by the check of the books', async (_, statement, rule) => {
    for (let n = 0; n < 3; n++) await make(await forEver())
    const rules = async () => ((await fixture.findings()) as { rule: string }[]).map(each => each.rule)
    expect(await rules()).toEqual([])
    await fixture.test.plant(statement)
    expect(await rules()).toContain(rule)
  })

  it('takes no number where it is not made', async () => {
    const [first, second] = [await forEver(), await forEver()]
    const failing = { ...AINA, name: null as unknown as string }
    await expect(make(first, failing)).rejects.toThrow()
    expect((await make(second)).made?.number).toMatch(/-000001-\w{4}$/)
  })

  it('is void once the money went back, and none is made of what is back', async () => {
    const refunded = async (): Promise<void> => {
      await fixture.refund()
      await fixture.deliver()
    }
    const kept = await forEver()
    await make(kept)
    await refunded()
    const back = await forEver()
    await refunded()
    expect((await open(kept)).made?.isVoid).toBe(true)
    expect(await listed()).toMatchObject([{ ...AINA, isVoid: true }])
    expect(await make(back)).toMatchObject({ answer: 'nothing' })
    expect(await listed()).toHaveLength(1)
  })

  it('forgets its holder after its years, and keeps number and amount', async () => {
    const bought = await forEver()
    const { made } = await make(bought)
    expect(await forgetHolders(fixture.test.db, made!.madeAt)).toBe(0)
    expect(await forgetHolders(fixture.test.db, made!.madeAt + 1)).toBe(1)
    expect(await forgetHolders(fixture.test.db, made!.madeAt + 1)).toBe(0)
    const nobody = { name: '', document: '', address: '' }
    expect(await listed()).toMatchObject([{ ...nobody, number: made!.number, amount: made!.amount }])
  })
})
