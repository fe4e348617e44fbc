import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Act, RefundAsked } from '#domain/desk/acts.ts'
import { DAY_MS } from '#domain/durations.ts'
import { watch } from '#server/app/schedule/watch.ts'
import { setHold } from '#server/modules/desk/acts.ts'
import { cardFile } from '#server/modules/desk/card-file.ts'
import { forgetDeadCalls } from '#server/modules/desk/refund-calls.ts'
import { keepMessage } from '#server/modules/gifts/messages.ts'
import { refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { aPress } from '#tests/builders/press.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

let fixture: PaymentsFixture
let queued: number
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  queued = 0
})
afterEach(() => fixture.close())

/** How many calls are noted of which no answer is known. */
const callsNoted = async () =>
  (await fixture.test.db.read(db => db.selectFrom('refund_calls').selectAll().execute())).length

const desk = () => deskOf(fixture, { onQueued: () => void queued++ })
let presses = 0
const act = (asked: Act, press = `press ${presses++}`) => desk().act(asked, aPress(press))
const refusal = (rule: string) => ({ code: 'act-refused', details: { fields: [{ path: 'act', rule }] } })

async function sold(card: string = CARD.good) {
  const { sessionId } = await fixture.buy({}, card)
  await fixture.deliver()
  return fixture.test.db.read(async reader => {
    const row = await reader.selectFrom('cards').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    return { ...row, card: row.id, sessionId, order: row.order_id! }
  })
}
async function soldInvitation() {
  const { sessionId } = await fixture.buyInvitation()
  await fixture.deliver()
  const { id: card } = await fixture.test.db.read(reader =>
    reader.selectFrom('volunteering_cards').select('id').executeTakeFirstOrThrow(),
  )
  return { card, sessionId }
}
const now = (id: string) =>
  fixture.test.db.read(reader =>
    reader.selectFrom('cards').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
const mails = (id: string) =>
  fixture.test.db.read(
    async reader => (await reader.selectFrom('jobs').select('id').where('subject', '=', id).execute()).length,
  )
const sent = () =>
  fixture.test.db.transaction(trx =>
    trx.updateTable('jobs').set({ done_at: fixture.clock() }).where('done_at', 'is', null).execute(),
  )
const acts = () =>
  fixture.test.db.read(reader =>
    reader
      .selectFrom('audit_log')
      .select(['actor', 'action', 'subject', 'outcome'])
      .orderBy('created_at')
      .execute(),
  )
const refunds = async () => (await fixture.stripe.refunds.list()).data.map(({ amount }) => amount)

/** The answers to the next refunds that are asked for are lost. `isMade`: the provider has made them all the same. */
function loseAnswers({
  isMade,
  times = Number.POSITIVE_INFINITY,
}: {
  isMade: boolean
  times?: number
}): void {
  let left = times
  fixture.between(async (request, next) => {
    if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds') || left-- <= 0) return next(request)
    if (isMade) await next(request)
    throw new TypeError('fetch failed')
  })
}
/** What a list of the provider says of one thing. */
type Told = Readonly<Record<string, unknown>>
const whole: RefundAsked = { amount: 6_500, currency: 'EUR', left: 6_500, used: false }

describe('what the operator does from a timeline', () => {
  it('is to send the mail again, once for each press', async () => {
    const { card, order } = await sold()
    await sent()
    expect(await act({ act: 'resend', card: order }, 'one press')).toEqual({ card, isRepeated: false })
    await sent()
    expect(await act({ act: 'resend', card: order }, 'one press')).toEqual({ card, isRepeated: true })
    expect([await mails(card), queued]).toEqual([2, 1])
    expect(await acts()).toEqual([{ actor: 'interface', action: 'resend', subject: card, outcome: 'done' }])
    const { history } = await desk().card(card)
    expect(history.map(({ details }) => details)).toContain('resend, in the Studio, done')
  })

  it('is once, however many ask at once', async () => {
    const { card } = await sold()
    await sent()
    const all = await Promise.all(Array.from({ length: 8 }, () => act({ act: 'resend', card }, 'one press')))
    expect(all.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
    expect(await mails(card)).toBe(2)
  })

  it('is one act for each press', async () => {
    const { card } = await sold()
    await act({ act: 'hold', card }, 'one press')
    await expect(act({ act: 'release', card }, 'one press')).rejects.toMatchObject(refusal('other-press'))
    expect((await now(card)).status).toBe('frozen')
  })

  it('is to correct the address, where the links go at once', async () => {
    const { card } = await sold()
    await sent()
    await act({ act: 'address', card, email: ' ana@example.org ' })
    expect([(await now(card)).email, await mails(card)]).toEqual(['ana@example.org', 2])
    // Without the card's id, which may hold any three letters.
    expect(JSON.stringify(await acts()).replaceAll(card, '')).not.toContain('ana')
    await expect(act({ act: 'address', card, email: 'ana' })).rejects.toMatchObject(refusal('not-an-address'))
  })

  it('is to replace the links, after which the old ones open nothing', async () => {
    const { card, sessionId } = await sold()
    const { privateKey } = await fixture.payments.settle(sessionId)
    await sent()
    await act({ act: 'links', card })
    await expect(fixture.cards.open(privateKey, 'full')).rejects.toMatchObject({ code: 'card-not-found' })
    const { key_version: version } = await now(card)
    await fixture.cards.open(fixture.deps.keys.privateKey(card, version), 'full')
    expect(await mails(card)).toBe(2)
    expect(await fixture.findings()).toEqual([])
  })

  it('is to hold a card and to release it', async () => {
    const { card } = await sold()
    await act({ act: 'hold', card })
    expect((await now(card)).status).toBe('frozen')
    await expect(act({ act: 'resend', card })).rejects.toMatchObject(refusal('not-shown'))
    await expect(act({ act: 'links', card })).rejects.toMatchObject(refusal('not-shown'))
    await act({ act: 'release', card })
    expect((await now(card)).status).toBe('active')
    expect((await acts()).map(({ action }) => action)).toEqual(['hold', 'release'])
  })

  it('is to hold no card that was used since the look, whose certificate would wait for good', async () => {
    const { card, sessionId } = await sold()
    const { privateKey } = await fixture.payments.settle(sessionId)
    await fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }])
    await expect(act({ act: 'hold', card })).rejects.toMatchObject(refusal('used'))
    expect(await desk().card(card)).toMatchObject({ status: 'consumed', holds: [] })
    expect(await acts()).toEqual([])
  })

  it('is to release no card that a dispute holds, and nothing else', async () => {
    const { card } = await sold(CARD.disputed)
    fixture.clock.advance(3_600_000)
    await fixture.deliver()
    await expect(act({ act: 'release', card })).rejects.toMatchObject(refusal('disputed'))
    await act({ act: 'hold', card })
    await act({ act: 'release', card })
    expect(await desk().card(card)).toMatchObject({ status: 'frozen', holds: ['dispute'] })
    expect((await acts()).map(({ action }) => action)).toEqual(['hold', 'release'])
  })

  it('is to forget what a giver wrote, of which the timeline says only that it is there', async () => {
    const { card } = await sold()
    const file = () => fixture.test.db.read(db => cardFile(db, card))
    const words = 'canary words of the giver'
    const { order_id: orderId } = await now(card)
    await fixture.test.db.transaction(trx => keepMessage(trx, orderId!, words, 1))
    expect((await file())?.hasMessage).toBe(true)
    expect(JSON.stringify(await file())).not.toContain(words)
    await act({ act: 'blank', card })
    expect((await file())?.hasMessage).toBe(false)
    expect((await acts()).map(({ action, subject }) => [action, subject])).toEqual([['blank-message', card]])
  })

  it('changes nothing that it is refused', async () => {
    const { card } = await sold()
    await fixture.test.db.transaction(trx =>
      trx.updateTable('cards').set({ email: null }).where('id', '=', card).execute(),
    )
    const before = await now(card)
    await expect(act({ act: 'resend', card })).rejects.toMatchObject(refusal('no-address'))
    await expect(act({ act: 'links', card })).rejects.toMatchObject(refusal('no-address'))
    expect([await now(card), await acts(), queued]).toEqual([before, [], 0])
    await expect(act({ act: 'hold', card: '0'.repeat(26) })).rejects.toMatchObject({ code: 'card-not-found' })
  })
})

describe('a mail that was given up', () => {
  const giveUp = (card: string) =>
    fixture.test.db.transaction(trx =>
      trx
        .updateTable('jobs')
        .set({ done_at: fixture.clock(), failed_reason: 'smtp-550' })
        .where('subject', '=', card)
        .execute(),
    )
  const waiting = async (card: string) => (await desk().card(card)).history.flatMap(({ mail }) => mail ?? [])
  const told = async () => {
    const log = quietLog()
    await watch({
      ...fixture.deps,
      log,
      campaigns: () => [],
      isReviewDue: () => false,
      expectsBackups: false,
    }).run({ goOn: async () => {} })
    return log.events.filter(event => event === 'mail-given-up').length
  }
  const givenUp = () => fixture.test.db.read(reader => readSummary(reader, fixture.clock()))

  it('is asked for until somebody has dealt with it, whose line in the log says so', async () => {
    const { card } = await sold()
    await giveUp(card)
    const [mail] = await waiting(card)
    expect((await givenUp()).givenUp).toMatchObject([{ id: mail, card, reason: 'smtp-550' }])
    expect([(await givenUp()).mails.givenUp, await told()]).toEqual([1, 1])

    expect(await desk().dealWithMail(mail!, aPress('a press'))).toEqual({ isRepeated: false })
    expect([await waiting(card), (await givenUp()).givenUp]).toEqual([[], []])
    expect([(await givenUp()).mails.givenUp, await told()]).toEqual([0, 0])
    const { history } = await desk().card(card)
    expect(history.map(({ details }) => details)).toContain('dealt-with, in the Studio, done')
    expect(await acts()).toEqual([
      { actor: 'interface', action: 'dealt-with', subject: mail, outcome: 'done' },
    ])
  })

  it('is dealt with once, by the first who says so, and the next one is asked for anew', async () => {
    const { card } = await sold()
    await giveUp(card)
    const [mail] = await waiting(card)
    const all = await Promise.all(
      ['Ana', 'Ben', 'Ana'].map((person, n) => desk().dealWithMail(mail!, aPress(`press ${n}`, person))),
    )
    expect(all.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
    expect(await acts()).toHaveLength(1)

    await act({ act: 'resend', card })
    await giveUp(card)
    const [next] = await waiting(card)
    expect([next === mail, next === undefined]).toEqual([false, false])
  })

  it('is none that got through, that is tried again, or that nobody knows', async () => {
    const { card } = await sold()
    const { id } = await fixture.test.db.read(reader =>
      reader.selectFrom('jobs').select('id').where('subject', '=', card).executeTakeFirstOrThrow(),
    )
    const refused = { code: 'act-refused', details: { fields: [{ path: 'mail', rule: 'not-given-up' }] } }
    for (const mail of [id, '0'.repeat(26), 'no id'])
      await expect(desk().dealWithMail(mail, aPress())).rejects.toMatchObject(refused)
    await giveUp(card)
    await act({ act: 'resend', card })
    await sent()
    await expect(desk().dealWithMail(id, aPress())).rejects.toMatchObject(refused)
    expect((await acts()).map(({ action }) => action)).toEqual(['resend'])
  })
})

describe('a refund from a timeline', () => {
  it('of everything takes the card back, and the books with it', async () => {
    const { card } = await sold()
    expect((await desk().card(card)).refundable).toEqual({ left: 6_500, currency: 'EUR', used: false })
    await act({ act: 'refund', card, ...whole })
    const { status } = await now(card)
    expect([status, await refunds(), await fixture.findings()]).toEqual(['revoked', [6_500], []])
    const file = await desk().card(card)
    expect([file.refundable, file.holds]).toEqual([{ left: 0, currency: 'EUR', used: false }, []])
    await fixture.deliver()
    expect(await fixture.findings()).toEqual([])
  })

  it('of a part leaves the card as it is', async () => {
    const { card } = await sold()
    await act({ act: 'refund', card, ...whole, amount: 700 })
    expect([(await now(card)).status, await refunds()]).toEqual(['active', [700]])
    await expect(act({ act: 'refund', card, ...whole, amount: 700 })).rejects.toMatchObject(
      refusal('changed'),
    )
    await act({ act: 'refund', card, amount: 5_800, currency: 'EUR', left: 5_800, used: false })
    expect([(await now(card)).status, await refunds()]).toEqual(['revoked', [5_800, 700]])
  })

  it('of a card that somebody used since the operator looked is refused, and made once they have seen that', async () => {
    const { card, sessionId } = await sold()
    const { privateKey } = await fixture.payments.settle(sessionId)
    await fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }])
    for (const amount of [6_500, 700])
      await expect(act({ act: 'refund', card, ...whole, amount })).rejects.toMatchObject(refusal('changed'))
    expect([await refunds(), (await desk().card(card)).holds]).toEqual([[], []])
    const { refundable } = await desk().card(card)
    expect(refundable).toEqual({ left: 6_500, currency: 'EUR', used: true })
    await act({ act: 'refund', card, amount: 6_500, ...refundable! })
    expect([await refunds(), (await now(card)).status]).toEqual([[6_500], 'consumed'])
  })

  it('of a card that its recipient left to the draw since the operator looked is refused', async () => {
    const { card, sessionId } = await sold()
    const { privateKey } = await fixture.payments.settle(sessionId)
    await fixture.cards.leave(privateKey)
    await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('changed'))
    // It is given for good while the operator holds it, too.
    await act({ act: 'hold', card })
    await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('changed'))
    expect([await refunds(), (await desk().card(card)).refundable?.used]).toEqual([[], true])
  })

  it('is one, however often the press is repeated and from however many windows', async () => {
    const { card } = await sold()
    await act({ act: 'refund', card, ...whole, amount: 700 }, 'one press')
    expect(await act({ act: 'refund', card, ...whole, amount: 700 }, 'one press')).toEqual({
      card,
      isRepeated: true,
    })
    const again = { amount: 700, currency: 'EUR', left: 5_800, used: false } as const
    await Promise.allSettled(['a', 'b', 'c'].map(press => act({ act: 'refund', card, ...again }, press)))
    expect(await refunds()).toEqual([700, 700])
    expect(await fixture.findings()).toEqual([])
  })

  it('is made once where the answer of the payment provider was lost, and nobody uses the card meanwhile', async () => {
    const { card, sessionId } = await sold()
    const { privateKey } = await fixture.payments.settle(sessionId)
    loseAnswers({ isMade: true, times: 1 })
    await expect(act({ act: 'refund', card, ...whole }, 'one press')).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
    expect((await now(card)).status).toBe('frozen')
    await expect(fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }])).rejects.toMatchObject({
      code: 'card-not-found',
    })
    await act({ act: 'refund', card, ...whole }, 'one press').catch(() => undefined)
    await fixture.deliver()
    expect([(await now(card)).status, await refunds()]).toEqual(['revoked', [6_500]])
  })

  it('keeps the card from being given away while all of it goes back', async () => {
    const { card, sessionId } = await sold()
    const { privateKey } = await fixture.payments.settle(sessionId)
    const tried: unknown[] = []
    fixture.between(async (request, next) => {
      if (request.method === 'POST' && request.url.endsWith('/v1/refunds'))
        tried.push(
          await fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }]).catch(error => error.code),
        )
      return next(request)
    })
    await act({ act: 'refund', card, ...whole })
    expect([tried, (await now(card)).status]).toEqual([['card-not-found'], 'revoked'])
  })

  it('is refused of a disputed payment, of another amount, and by the provider', async () => {
    const { card } = await sold(CARD.disputed)
    fixture.clock.advance(3_600_000)
    await fixture.deliver()
    await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('disputed'))
    const other = await sold()
    const refused: Act[] = [
      { act: 'refund', card: other.card, ...whole, amount: 6_501 },
      { act: 'refund', card: other.card, ...whole, amount: 0 },
    ]
    for (const each of refused) await expect(act(each)).rejects.toMatchObject(refusal('amount'))
    await expect(act({ act: 'refund', card: other.card, ...whole, currency: 'USD' })).rejects.toMatchObject(
      refusal('currency'),
    )
    expect([(await now(other.card)).status, await refunds(), await acts()]).toEqual(['active', [], []])
    fixture.between(async (request, next) =>
      request.method === 'POST' && request.url.endsWith('/v1/refunds')
        ? Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
        : next(request),
    )
    await expect(act({ act: 'refund', card: other.card, ...whole })).rejects.toMatchObject(
      refusal('provider-refused'),
    )
    expect([(await now(other.card)).status, await acts()]).toEqual(['active', []])
  })

  describe('holds its card by itself', () => {
    const holds = async (card: string) => (await desk().card(card)).holds.toSorted()
    /** The provider is asked for a refund, and meanwhile something happens. @param isTaken does it make the refund? */
    const meanwhile = (happens: () => Promise<unknown>, isTaken: boolean) =>
      fixture.between(async (request, next) => {
        if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
        await happens()
        if (isTaken) return next(request)
        return Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
      })

    it.each([true, false])(
      'so that an operator’s hold of meanwhile stays (the refund is made: %s)',
      async isTaken => {
        const { card } = await sold()
        meanwhile(() => act({ act: 'hold', card }), isTaken)
        await act({ act: 'refund', card, ...whole }).catch(() => undefined)
        expect(await holds(card)).toEqual(['operator'])
        expect((await now(card)).status).toBe(isTaken ? 'revoked' : 'frozen')
        if (!isTaken) await act({ act: 'release', card })
        expect((await now(card)).status).toBe(isTaken ? 'revoked' : 'active')
        expect(await fixture.findings()).toEqual([])
      },
    )

    it('so that an operator’s hold of before stays where it is refused', async () => {
      const { card } = await sold()
      await act({ act: 'hold', card })
      meanwhile(async () => expect(await holds(card)).toEqual(['operator', 'refund']), false)
      await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('provider-refused'))
      expect([await holds(card), (await now(card)).status]).toEqual([['operator'], 'frozen'])
    })

    it('so that an operator who releases it meanwhile frees it for nobody', async () => {
      const { card, sessionId } = await sold()
      const { privateKey } = await fixture.payments.settle(sessionId)
      await act({ act: 'hold', card })
      const tried: unknown[] = []
      meanwhile(async () => {
        await act({ act: 'release', card })
        tried.push(await act({ act: 'release', card }).catch(error => error.details))
        tried.push(
          await fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }]).catch(error => error.code),
        )
      }, true)
      await act({ act: 'refund', card, ...whole })
      expect(tried).toEqual([refusal('refund-under-way').details, 'card-not-found'])
      expect([await holds(card), (await now(card)).status]).toEqual([[], 'revoked'])
    })

    it('until somebody releases it, where no answer came for ten minutes', async () => {
      const { card } = await sold()
      loseAnswers({ isMade: false })
      const failed = { code: 'provider-unavailable' }
      await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(failed)
      await expect(act({ act: 'release', card })).rejects.toMatchObject(refusal('refund-under-way'))
      // Another press for the same card ends nothing that is not its own, and begins nothing, be it of a part.
      for (const amount of [6_500, 700])
        await expect(act({ act: 'refund', card, ...whole, amount })).rejects.toMatchObject(
          refusal('refund-under-way'),
        )
      expect(await holds(card)).toEqual(['refund'])
      fixture.clock.advance(10 * 60_000)
      await act({ act: 'release', card })
      expect([await holds(card), (await now(card)).status]).toEqual([[], 'active'])
    })

    it('and lets the same press come again, whose answer was lost, but no other one', async () => {
      const { card } = await sold()
      loseAnswers({ isMade: false, times: 1 })
      const failed = { code: 'provider-unavailable' }
      const asked: Act = { act: 'refund', card, ...whole }
      await expect(act(asked, 'one press')).rejects.toMatchObject(failed)
      await expect(act(asked, 'another press')).rejects.toMatchObject(refusal('refund-under-way'))
      expect([await refunds(), await holds(card)]).toEqual([[], ['refund']])
      await act(asked, 'one press')
      expect([await refunds(), await holds(card), (await now(card)).status]).toEqual([[6_500], [], 'revoked'])
    })

    it('until the last call of a press has its answer, where the one before is refused meanwhile', async () => {
      const { card } = await sold()
      const asked: Act = { act: 'refund', card, ...whole }
      const secondIsAsked = Promise.withResolvers<void>()
      const firstIsOver = Promise.withResolvers<void>()
      const seen: unknown[] = []
      let second: Promise<unknown> | undefined
      fixture.between(async (request, next) => {
        if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
        if (second === undefined) {
          second = act(asked, 'one press')
          await secondIsAsked.promise
          return Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
        }
        secondIsAsked.resolve()
        await firstIsOver.promise
        seen.push(await holds(card), (await now(card)).status)
        return next(request)
      })
      await expect(act(asked, 'one press')).rejects.toMatchObject(refusal('provider-refused'))
      firstIsOver.resolve()
      await second
      expect(seen).toEqual([['refund'], 'frozen'])
      expect([await refunds(), await holds(card), (await now(card)).status]).toEqual([[6_500], [], 'revoked'])
    })

    it('and a part of it holds nothing, but no other part is given back before its answer', async () => {
      const { card } = await sold()
      const rest: Act = { act: 'refund', card, ...whole, amount: 3_500 }
      const seen: unknown[] = []
      meanwhile(async () => {
        seen.push(await holds(card), await act(rest, 'another press').catch(error => error.details))
        seen.push(await act({ act: 'refund', card, ...whole }, 'a third').catch(error => error.details))
      }, true)
      await act({ act: 'refund', card, ...whole, amount: 3_000 }, 'one press')
      expect(seen).toEqual([[], refusal('refund-under-way').details, refusal('refund-under-way').details])
      expect([await refunds(), await holds(card), (await now(card)).status]).toEqual([[3_000], [], 'active'])
      // Whoever has looked again gives back the rest.
      await act({ ...rest, left: 3_500, used: false }, 'another press')
      expect([await refunds(), await holds(card), (await now(card)).status]).toEqual([
        [3_500, 3_000],
        [],
        'revoked',
      ])
    })

    it('and a part of it that is under way goes first, before the support that its buyer withdraws from', async () => {
      const { withdrawals, rowOf } = withdrawalsOf(fixture)
      const { card, order, sessionId } = await sold()
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
      let isFirst = true
      let waiting: unknown
      meanwhile(async () => {
        if (!isFirst) return
        isFirst = false
        await withdrawals.confirm(order, fixture.deps.keys.withdrawalKey(order, 1), WORDS)
        waiting = await rowOf(order)
      }, true)
      await act({ act: 'refund', card, ...whole, used: true, amount: 1_500 })
      expect(waiting).toMatchObject({ state: 'refunding', answer: 'support', amount: 1_500 })
      await withdrawals.finish()
      expect([await refunds(), (await rowOf(order))?.state]).toEqual([[1_500], 'closed'])
      expect(await fixture.findings()).toEqual([])
    })

    it('and a part of it that is under way goes first, though its press comes again and is refused meanwhile', async () => {
      const { withdrawals, rowOf } = withdrawalsOf(fixture)
      const { card, order, sessionId } = await sold()
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
      const part: Act = { act: 'refund', card, ...whole, used: true, amount: 1_500 }
      let isFirst = true
      let again: unknown
      meanwhile(async () => {
        if (!isFirst) return
        isFirst = false
        await withdrawals.confirm(order, fixture.deps.keys.withdrawalKey(order, 1), WORDS)
        again = await act(part, 'one press').catch(error => error.details)
        await withdrawals.finish()
      }, true)
      await act(part, 'one press')
      await withdrawals.finish()
      expect(again).toEqual(refusal('withdrawal-under-way').details)
      expect([await refunds(), (await rowOf(order))?.state]).toEqual([[1_500], 'closed'])
      expect(await fixture.findings()).toEqual([])
    })

    it('and leaves no note of itself behind, of a part or of all', async () => {
      const { card } = await sold()
      await act({ act: 'refund', card, ...whole, amount: 700 })
      await act({ act: 'refund', card, amount: 5_800, currency: 'EUR', left: 5_800, used: false })
      const notes = await fixture.test.db.read(db =>
        db.selectFrom('sightings').select('name').where('name', 'like', 'refund%').execute(),
      )
      expect([(await now(card)).status, notes, await callsNoted()]).toEqual(['revoked', [], 0])
    })

    it('and leaves the note of a call that died for a day', async () => {
      const { card } = await sold()
      loseAnswers({ isMade: false })
      await act({ act: 'refund', card, ...whole }).catch(() => undefined)
      fixture.clock.advance(DAY_MS)
      expect([await forgetDeadCalls(fixture.test.db, fixture.clock()), await callsNoted()]).toEqual([0, 1])
      fixture.clock.advance(1)
      expect([await forgetDeadCalls(fixture.test.db, fixture.clock()), await callsNoted()]).toEqual([1, 0])
    })

    it('and asks for nothing where another call was refused since it began, which frees the card', async () => {
      const { card, sessionId } = await sold()
      const { privateKey } = await fixture.payments.settle(sessionId)
      const asked: Act = { act: 'refund', card, ...whole }
      const refusedUnder = new Set<string | null>()
      fixture.between(async (request, next) => {
        if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
        const key = request.headers.get('idempotency-key')
        if (refusedUnder.size > 0 && !refusedUnder.has(key)) return next(request)
        refusedUnder.add(key)
        return Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
      })
      const slow = deskOf(fixture, {
        async refund(...call) {
          await expect(act(asked, 'one press')).rejects.toMatchObject(refusal('provider-refused'))
          await fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }])
          return refundByOperator(fixture.deps, ...call)
        },
      })
      await expect(slow.act(asked, aPress('one press'))).rejects.toMatchObject(refusal('changed'))
      expect([await refunds(), (await now(card)).status]).toEqual([[], 'consumed'])
      expect(await fixture.findings()).toEqual([])
    })

    it('and a call that is refused late changes no key of one that was begun since', async () => {
      const { card } = await sold()
      const call = () => act({ act: 'refund', card, ...whole, amount: 700 }, 'one press')
      const refusedLate = Promise.withResolvers<void>()
      const [firstAsks, thirdAsks, thirdIsMade] = [1, 2, 3].map(() => Promise.withResolvers<void>())
      const refused = (status: number) =>
        Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status })
      const keys: (string | null)[] = []
      fixture.between(async (request, next) => {
        if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
        keys.push(request.headers.get('idempotency-key'))
        if (keys.length === 1) {
          firstAsks!.resolve()
          await refusedLate.promise
          return refused(400)
        }
        if (keys.length === 2) return refused(400)
        // As the provider does while a request under the same key is on its way.
        if (keys.length > 3) return keys.at(-1) === keys[2] ? refused(409) : next(request)
        thirdAsks!.resolve()
        await thirdIsMade!.promise
        return next(request)
      })
      const first = call().catch(error => error.details)
      await firstAsks!.promise
      await expect(call()).rejects.toMatchObject(refusal('provider-refused'))
      const third = call()
      await thirdAsks!.promise
      fixture.clock.advance(1_000)
      refusedLate.resolve()
      expect(await first).toEqual(refusal('provider-refused').details)
      await expect(call()).rejects.toMatchObject({ code: 'provider-unavailable' })
      thirdIsMade!.resolve()
      await third
      expect([await refunds(), new Set(keys).size]).toEqual([[700], 2])
      expect(await fixture.findings()).toEqual([])
    })

    it('and of two presses that give back a part each at one moment, one is refused', async () => {
      const { card } = await sold()
      const parts = [3_000, 3_500].map(amount =>
        act({ act: 'refund', card, ...whole, amount }, `for ${amount}`),
      )
      const outcomes = await Promise.allSettled(parts)
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect([(await refunds()).length, await holds(card), (await now(card)).status]).toEqual([
        1,
        [],
        'active',
      ])
    })

    it('and a part whose answer was lost may be asked for again by the same press, by others later', async () => {
      const { card } = await sold()
      loseAnswers({ isMade: false, times: 2 })
      const part: Act = { act: 'refund', card, ...whole, amount: 700 }
      const failed = { code: 'provider-unavailable' }
      for (let time = 0; time < 2; time++) await expect(act(part, 'one press')).rejects.toMatchObject(failed)
      await expect(act(part, 'another press')).rejects.toMatchObject(refusal('refund-under-way'))
      fixture.clock.advance(11 * 60_000)
      await act(part, 'another press')
      expect([await refunds(), (await now(card)).status]).toEqual([[700], 'active'])
    })

    it.each(['a card', 'a used card', 'an invitation'])(
      'until all of it is back, whose answer was lost: %s',
      async what => {
        const { card, sessionId } = what === 'an invitation' ? await soldInvitation() : await sold()
        if (what === 'a used card') {
          const { privateKey } = await fixture.payments.settle(sessionId)
          await fixture.cards.redeem(privateKey, [{ ngoId: 'msf', points: 50 }])
        }
        const { left, used } = (await desk().card(card)).refundable!
        loseAnswers({ isMade: true })
        const asked: Act = { act: 'refund', card, amount: left, currency: 'EUR', left, used }
        await expect(act(asked)).rejects.toMatchObject({ code: 'provider-unavailable' })
        expect(await holds(card)).toEqual(['refund'])
        await fixture.deliver()
        const { status } = await desk().card(card)
        expect([await holds(card), status]).toEqual([[], what === 'a used card' ? 'consumed' : 'revoked'])
        expect(await fixture.findings()).toEqual([])
      },
    )

    it.each([
      ['the same press', 'one press', 'a card'],
      ['the same press', 'one press', 'an invitation'],
      ['another press later', 'another press', 'a card'],
    ])(
      'and frees nothing that is back, whose answer was lost and whose event is late, when asked by %s (%s, %s)',
      async (_, press, what) => {
        const { card } = what === 'an invitation' ? await soldInvitation() : await sold()
        const { left } = (await desk().card(card)).refundable!
        loseAnswers({ isMade: true, times: 1 })
        const asked: Act = { act: 'refund', card, amount: left, currency: 'EUR', left, used: false }
        await expect(act(asked, 'one press')).rejects.toMatchObject({ code: 'provider-unavailable' })
        if (press !== 'one press') fixture.clock.advance(10 * 60_000)
        // The same press is told what came of it.
        if (press === 'one press') expect(await act(asked, press)).toEqual({ card, isRepeated: false })
        else await expect(act(asked, press)).rejects.toMatchObject(refusal('changed'))
        expect([await refunds(), await holds(card), (await desk().card(card)).status]).toEqual([
          [left],
          [],
          'revoked',
        ])
        expect(await fixture.findings()).toEqual([])
      },
    )

    describe('as one whose answer was lost, though it was made, and whose event is late,', () => {
      /** @returns the card, ten minutes later */
      const leftOver = async (): Promise<string> => {
        const { card } = await sold()
        await readMovements(fixture.deps)
        loseAnswers({ isMade: true, times: 1 })
        await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject({
          code: 'provider-unavailable',
        })
        fixture.clock.advance(11 * 60_000)
        return card
      }
      const held = [['refund'], 'frozen'] as const
      const state = async (card: string) => [await holds(card), (await now(card)).status]

      /**
       * Refunds that are asked for wait for money and have moved none yet; the answer to the first is lost.
       * @param isAway after so many readings of the provider's list
       */
      const waitForMoney = (isAway: (readings: number) => boolean = () => false): void => {
        let isLost = true
        let readings = 0
        fixture.between(async (request, next) => {
          const { pathname } = new URL(request.url)
          if (isAway(readings)) throw new TypeError('fetch failed')
          const answer = await next(request)
          const list = async (change: (data: readonly Told[]) => readonly Told[]) => {
            const body = (await answer.json()) as { readonly data: readonly Told[] }
            return Response.json({ ...body, data: change(body.data) })
          }
          if (pathname === '/v1/refunds' && request.method === 'POST' && isLost) {
            isLost = false
            throw new TypeError('fetch failed')
          }
          if (request.method !== 'GET') return answer
          if (pathname === '/v1/refunds')
            return list(data => data.map(each => ({ ...each, status: 'pending', balance_transaction: null })))
          if (pathname !== '/v1/balance_transactions') return answer
          readings++
          return list(data => data.filter(({ type }) => type !== 'refund'))
        })
      }

      it('which a release in the Studio frees no more, since the provider is asked first', async () => {
        const card = await leftOver()
        await act({ act: 'release', card })
        expect(await state(card)).toEqual([[], 'revoked'])
        expect(await fixture.findings()).toEqual([])
      })

      it('which no release ends while the provider is away', async () => {
        const card = await leftOver()
        fixture.between(() => Promise.reject(new TypeError('fetch failed')))
        await expect(act({ act: 'release', card })).rejects.toMatchObject({ code: 'provider-unavailable' })
        expect(await state(card)).toEqual(held)
      })

      it('which a release that is pressed while it becomes one does not end unasked', async () => {
        const { card } = await sold()
        loseAnswers({ isMade: true, times: 1 })
        await act({ act: 'refund', card, ...whole }).catch(() => undefined)
        fixture.clock.advance(10 * 60_000 - 1)
        let looks = 0
        const clock = () => fixture.clock() + looks++
        const { act: press } = deskOf(fixture, { clock })
        await expect(press({ act: 'release', card }, aPress('late'))).rejects.toMatchObject(
          refusal('refund-under-way'),
        )
        expect(await state(card)).toEqual(held)
      })

      it.each([
        ['a card', sold],
        ['an invitation', soldInvitation],
      ])(
        'which the terminal does not end where it waits for money and moved none yet: %s',
        async (_, buy) => {
          const { card } = await buy()
          await readMovements(fixture.deps)
          const { left } = (await desk().card(card)).refundable!
          waitForMoney()
          await act({ act: 'refund', card, amount: left, currency: 'EUR', left, used: false }).catch(
            () => undefined,
          )
          expect(await holds(card)).toEqual(['refund'])
          fixture.clock.advance(25 * 60_000)
          await readMovements(fixture.deps)
          await fixture.test.db.transaction(trx =>
            setHold(trx, fixture.deps, buy === sold ? 'donation' : 'volunteering', { card, stands: false }),
          )
          expect([await holds(card), (await desk().card(card)).status]).toEqual([[], 'revoked'])
        },
      )

      it.each([
        ['a card', sold],
        ['an invitation', soldInvitation],
      ])(
        'which the terminal does not end before its order was asked about, though a week of the list was read: %s',
        async (_, buy) => {
          const { card } = await buy()
          await readMovements(fixture.deps)
          const { left } = (await desk().card(card)).refundable!
          waitForMoney(readings => readings === 1)
          await act({ act: 'refund', card, amount: left, currency: 'EUR', left, used: false }).catch(
            () => undefined,
          )
          fixture.clock.advance(8 * DAY_MS)
          await expect(readMovements(fixture.deps)).rejects.toMatchObject({ code: 'provider-unavailable' })
          const release = () =>
            fixture.test.db.transaction(trx =>
              setHold(trx, fixture.deps, buy === sold ? 'donation' : 'volunteering', { card, stands: false }),
            )
          expect(await release()).toMatchObject({ wasHeld: false, status: 'frozen', others: ['refund'] })
          waitForMoney()
          await readMovements(fixture.deps)
          expect([await holds(card), (await desk().card(card)).status]).toEqual([[], 'revoked'])
        },
      )

      it('which the terminal ends only once the provider’s list was read', async () => {
        const card = await leftOver()
        const release = () =>
          fixture.test.db.transaction(trx => setHold(trx, fixture.deps, 'donation', { card, stands: false }))
        expect(await release()).toMatchObject({ wasHeld: false, others: ['refund'] })
        expect(await state(card)).toEqual(held)
        fixture.clock.advance(15 * 60_000)
        await readMovements(fixture.deps)
        expect(await state(card)).toEqual([[], 'revoked'])
      })

      it('and a reading while it was under way is no answer, since it may be made afterwards', async () => {
        const { card } = await sold()
        loseAnswers({ isMade: false })
        await act({ act: 'refund', card, ...whole }).catch(() => undefined)
        fixture.clock.advance(9 * 60_000)
        await readMovements(fixture.deps)
        fixture.clock.advance(60_000)
        const release = () =>
          fixture.test.db.transaction(trx => setHold(trx, fixture.deps, 'donation', { card, stands: false }))
        expect(await release()).toMatchObject({ wasHeld: false, others: ['refund'] })
        await readMovements(fixture.deps)
        expect(await release()).toMatchObject({ wasHeld: true, others: [] })
      })

      it('and one that was not made is ended by the terminal once that is known', async () => {
        const { card } = await sold()
        loseAnswers({ isMade: false })
        await act({ act: 'refund', card, ...whole }).catch(() => undefined)
        fixture.clock.advance(25 * 60_000)
        await readMovements(fixture.deps)
        await fixture.test.db.transaction(trx =>
          setHold(trx, fixture.deps, 'donation', { card, stands: false }),
        )
        expect(await state(card)).toEqual([[], 'active'])
      })
    })

    it('and frees nothing that somebody gave back at the provider in the same moment', async () => {
      const { card } = await sold()
      let isFirst = true
      meanwhile(async () => {
        if (!isFirst) return
        isFirst = false
        const { data } = await fixture.stripe.charges.list()
        await fixture.stripe.refunds.create({ charge: data[0]!.id, amount: 6_500 })
      }, true)
      await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('provider-refused'))
      expect([await refunds(), await holds(card), (await now(card)).status]).toEqual([[6_500], [], 'revoked'])
    })

    describe('where the provider has no such payment, as one of another account,', () => {
      const knowNoCharge = (): void =>
        fixture.between(async (request, next) => {
          if (!new URL(request.url).pathname.startsWith('/v1/charges/')) return next(request)
          const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'no' }
          return Response.json({ error }, { status: 404 })
        })

      it('until that is known', async () => {
        const { card } = await sold()
        knowNoCharge()
        await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('nothing-paid'))
        expect([await holds(card), (await now(card)).status]).toEqual([[], 'active'])
      })

      it('for as long as a refund is left over that may have been made', async () => {
        const { card } = await sold()
        loseAnswers({ isMade: true, times: 1 })
        await act({ act: 'refund', card, ...whole }).catch(() => undefined)
        fixture.clock.advance(11 * 60_000)
        knowNoCharge()
        await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('nothing-paid'))
        expect([await holds(card), (await now(card)).status]).toEqual([['refund'], 'frozen'])
        fixture.between((request, next) => next(request))
        await act({ act: 'release', card })
        expect([await holds(card), (await now(card)).status]).toEqual([[], 'revoked'])
      })
    })

    it('as its own once more, where the one of before was left over', async () => {
      const { card } = await sold()
      loseAnswers({ isMade: false })
      await act({ act: 'refund', card, ...whole }).catch(() => undefined)
      fixture.clock.advance(10 * 60_000)
      meanwhile(async () => undefined, false)
      await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('provider-refused'))
      expect([await holds(card), (await now(card)).status]).toEqual([[], 'active'])
    })
  })

  it('is asked for under another key once the provider, which keeps its answers, has refused one', async () => {
    const { card } = await sold()
    const keys: (string | null)[] = []
    const statuses = [409, 400]
    fixture.between(async (request, next) => {
      if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
      keys.push(request.headers.get('idempotency-key'))
      const status = statuses.shift()
      if (status === undefined) return next(request)
      return Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status })
    })
    // Another request under the same key may be on its way: that is no refusal.
    await expect(act({ act: 'refund', card, ...whole }, 'one press')).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
    await expect(act({ act: 'refund', card, ...whole }, 'one press')).rejects.toMatchObject(
      refusal('provider-refused'),
    )
    await act({ act: 'refund', card, ...whole })
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[1])
    expect(await refunds()).toHaveLength(1)
  })

  it('is of a payment, which a free card has not', async () => {
    const { card } = await sold()
    await fixture.test.db.transaction(trx =>
      trx.updateTable('cards').set({ order_id: null, kind: 'free' }).where('id', '=', card).execute(),
    )
    await expect(act({ act: 'refund', card, ...whole })).rejects.toMatchObject(refusal('nothing-paid'))
  })
})
