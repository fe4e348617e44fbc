import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '#domain/dates.ts'
import { dayInMadrid, daysAfter } from '#domain/days.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/durations.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { giftLinkPath } from '#paths'
import { sendings as sendingsJob } from '#server/app/schedule/sendings.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { createGiftLinks } from '#server/modules/gifts/cards/gift-links.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { noteRestoration } from '#server/modules/gifts/cards/restored.ts'
import { forgetMessages, keepMessage } from '#server/modules/gifts/messages.ts'
import { forgetRecipients } from '#server/modules/gifts/sendings/forget.ts'
import { settleSendings } from '#server/modules/gifts/sendings/restored.ts'
import { createSendings } from '#server/modules/gifts/sendings/sendings.ts'
import { mailboxInLink, sendingOf } from '#server/modules/gifts/sendings/stored.ts'
import { storedCard } from '#server/modules/gifts/stored-cards.ts'
import { MailFailure } from '#server/modules/letters/failure.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createLog } from '#server/platform/log.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, giveFreeCard, inviteFor, sellCard, testKeys } from '#tests/builders/server.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const NORA = 'Nora@nora.example'
/** Either half of the address, with a sign that no seal has: its letters alone may stand in one by chance. */
const ADDRESSED = /nora[@.]/i
const DAY = '2026-12-24'
const NINE = Date.parse('2026-12-24T08:00:00Z')
const TYPED = { address: NORA, day: DAY, zone: 'Europe/Madrid' }
const clock = fakeClock(CREATED_AT)
/** To whom the letter about a held gift goes, and its subject. */
const HELD = ['buyer@example.org', 'No hemos podido enviar tu regalo']

let test: TestDatabase
let sent: Message[]
let refuses: (message: Message) => boolean
let logged: string[]
beforeEach(async () => {
  test = await openTestDatabase()
  clock.set(CREATED_AT)
  sent = []
  logged = []
  refuses = () => false
})
afterEach(() => test.close())

const sendings = (db = test.db) => createSendings({ db, keys: testKeys, clock })
const keyOf = (cardId: string) => testKeys.sendingKey(cardId, 1)
const rowOf = (cardId: string) => test.db.read(db => sendingOf(db, cardId))
const run = (db = test.db) => sendingsJob({ db, keys: testKeys, clock }).run({ goOn: async () => {} })

/** A card or an invitation that was bought, with its sending's key. */
async function bought(kind: 'donation' | 'volunteering' = 'donation') {
  const gift = await test.db.transaction(async trx => (kind === 'donation' ? sellCard(trx) : inviteFor(trx)))
  return { cardId: gift.cardId, orderId: gift.orderId, key: keyOf(gift.cardId) }
}

async function planned(kind: 'donation' | 'volunteering' = 'donation', changes: Partial<typeof TYPED> = {}) {
  const gift = await bought(kind)
  await sendings().plan(gift.cardId, gift.key, { ...TYPED, ...changes })
  return gift
}

/** Sends what is in the outbox. */
async function work(db = test.db): Promise<void> {
  const transport = {
    push(message: Message) {
      if (refuses(message)) throw new MailFailure('smtp-550', true)
      sent.push(message)
    },
  }
  const log = createLog(line => void logged.push(line), clock)
  await letterWorker({ db, clock, log }, transport).runDue()
}

/** The mails so far, by whom they went to. */
const to = (address: string) => sent.filter(message => message.to === address)
const letterOf = (message: Message | undefined) => JSON.parse(message?.html ?? '{}') as MailData

describe('a gift that is sent on a day', () => {
  it.each([['donation'], ['volunteering']] as const)(
    'goes once, at nine on the giver’s clock: a %s',
    async kind => {
      const gift = await planned(kind)
      clock.set(NINE - 1)
      expect(await run()).toEqual({ sent: 0, reminded: 0 })
      clock.set(NINE)
      expect(await run()).toEqual({ sent: 1, reminded: 0 })
      expect(await run()).toEqual({ sent: 0, reminded: 0 })
      await work()
      await run()
      await work()
      const unfoldsAs = { themeId: 'palestine', language: 'es', kind } as const
      const link = `https://cards.example${giftLinkPath(unfoldsAs, testKeys.privateKey(gift.cardId, 1))}`
      expect(to('Nora@nora.example')).toHaveLength(1)
      expect(sent).toHaveLength(1)
      expect(sent[0]?.text).toContain(link)
      expect(await rowOf(gift.cardId)).toMatchObject({ state: 'sent', sent_at: NINE })
    },
  )

  it('says who it is from and what they write, and neither the purchase nor an amount', async () => {
    const gift = await planned()
    await test.db.transaction(trx => keepMessage(trx, gift.orderId, 'Para ti, con cariño', CREATED_AT))
    clock.set(NINE)
    await run()
    await work()
    const [mail] = sent
    expect(mail?.text).toContain('Aina')
    expect(mail?.text).toContain('Para ti, con cariño')
    expect(mail?.text).not.toMatch(/50[.,]?0?0? ?€|€ ?50/)
    for (const secret of [gift.orderId, 'buyer@example.org', testKeys.publicKey(gift.cardId, 1), gift.key])
      expect(JSON.stringify(mail), secret).not.toContain(secret)
    expect(Object.values(mail?.headers ?? {}).join()).not.toContain('Aina')
    expect(mail?.subject).not.toContain('Aina')
    // Who stops such mails needs no more than this link.
    expect(letterOf(mail).smallPrint?.link?.url).toContain('/not-for-me/')
  })

  it('says no name that leads somewhere, and no words that were blanked meanwhile', async () => {
    const gift = await planned()
    await test.db.transaction(async trx => {
      await keepMessage(trx, gift.orderId, 'these words', CREATED_AT)
      await forgetMessages(trx, [gift.orderId])
    })
    await test.plant(`update cards set sender_name = 'prize.example' where id = '${gift.cardId}'`)
    clock.set(NINE)
    await run()
    await work()
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent)).not.toMatch(/prize\.example|these words/)
  })

  it('goes at once when its day is today and nine has passed', async () => {
    const gift = await bought()
    clock.set('2026-12-24T15:00:00Z')
    await sendings().plan(gift.cardId, gift.key, TYPED)
    expect(await run()).toMatchObject({ sent: 1 })
  })

  it('goes with the links of today where they were replaced', async () => {
    const { cardId } = await planned()
    await createLostLinks({ db: test.db, keys: testKeys, clock }).renew(
      cardId,
      testKeys.renewalKey(cardId, 1),
    )
    clock.set(NINE)
    await run()
    await work()
    expect(sent[0]?.text).toContain(testKeys.privateKey(cardId, 2))
    // The key that came with the old links is dead.
    await expect(sendings().open(cardId, keyOf(cardId))).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('waits while a backup that was brought back is not reconciled', async () => {
    await planned()
    clock.set(NINE)
    await test.db.transaction(trx => noteRestoration(trx, NINE))
    expect(await run()).toEqual({ waiting: 'for the reconciliation' })
    await work()
    expect(sent).toEqual([])
  })

  it('that is in the outbox waits as well', async () => {
    await planned()
    clock.set(NINE)
    await run()
    await test.db.transaction(trx => noteRestoration(trx, NINE))
    await work()
    expect(sent).toEqual([])
  })

  it('goes once when two servers look at the same time, and both send', async () => {
    for (let n = 0; n < 5; n++) await planned()
    clock.set(NINE)
    const another = await test.another()
    const runs = await Promise.all([run(), run(another), run(), run(another)])
    expect(runs.reduce((sum, each) => sum + Number(each.sent), 0)).toBe(5)
    await Promise.all([work(), work(another)])
    expect(sent).toHaveLength(5)
  })

  it('goes once wherever the server dies that looks, after another one has started', async () => {
    for (let step = 1; ; step++) {
      clock.set(CREATED_AT)
      await planned()
      clock.set(NINE)
      const mortal = diesAt(step)
      await run(mortal.over(test.db)).catch(error =>
        error instanceof Killed ? undefined : Promise.reject(error),
      )
      await run()
      await work()
      expect(sent).toHaveLength(step)
      if (mortal.survived()) break
      expect(step).toBeLessThan(100)
    }
  })

  it('is put into the outbox once, however often its row is set back', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    await work()
    await test.plant(`update sendings set state = 'planned', sent_at = null where card_id = '${cardId}'`)
    expect(await run()).toMatchObject({ sent: 0 })
    await work()
    expect(sent).toHaveLength(1)
  })

  it.each(['frozen', 'cancelling', 'revoked', 'consumed'])('is not sent while it is %s', async status => {
    const before = await planned()
    const inTheOutbox = await planned()
    await test.plant(`update cards set status = '${status}' where id = '${before.cardId}'`)
    clock.set(NINE)
    expect(await run()).toMatchObject({ sent: 1 })
    await test.plant(`update cards set status = '${status}' where id = '${inTheOutbox.cardId}'`)
    await work()
    expect(to(NORA)).toEqual([])
    // Whoever used it or takes it back knows. The giver of what is held hears of it, and of no link that opens nothing.
    expect(sent.map(message => [message.to, message.subject])).toEqual(
      status === 'frozen' ? [HELD, HELD] : [],
    )
    expect(JSON.stringify(sent)).not.toContain('/g/')
    for (const { cardId } of [before, inTheOutbox])
      expect(await rowOf(cardId)).toMatchObject({ state: 'stopped', why: 'gift', address_sealed: null })
  })
})

describe('a gift that is held on its day', () => {
  it('is told to its giver once, and costs them no change', async () => {
    const { cardId, key } = await planned()
    for (const day of ['2026-12-21', '2026-12-22', DAY]) await sendings().plan(cardId, key, { ...TYPED, day })
    clock.set(NINE)
    await test.plant(`update cards set status = 'frozen'`)
    await run()
    await work()
    await run()
    await work()
    expect(sent.map(message => [message.to, message.subject])).toEqual([HELD])
    await test.plant(`update cards set status = 'active'`)
    expect(await sendings().open(cardId, key)).toMatchObject({ mayPlan: true, changesLeft: 0 })
    // Held once more on the same day, it is no news.
    await sendings().plan(cardId, key, TYPED)
    await test.plant(`update cards set status = 'frozen'`)
    await run()
    await work()
    expect(sent).toHaveLength(1)
    await test.plant(`update cards set status = 'active'`)
    await sendings().plan(cardId, key, { ...TYPED, address: 'tom@tom.example' })
    await run()
    await work()
    expect(to('tom@tom.example')).toHaveLength(1)
    expect(to(NORA)).toEqual([])
  })

  it('gets new links where a try may have arrived, and its giver hears what to do', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    const log = createLog(() => {}, clock)
    const push = () => {
      throw new MailFailure('smtp-ETIMEDOUT', false)
    }
    await letterWorker({ db: test.db, clock, log }, { push }).runDue()
    await test.plant(`update cards set status = 'frozen'`)
    clock.advance(MINUTE_MS)
    await work()
    expect(await rowOf(cardId)).toMatchObject({ state: 'returned', why: 'refused' })
    expect(sent.map(message => [message.to, message.subject])).toEqual([HELD])
    const card = await test.db.read(db => storedCard(db, 'donation', cardId))
    expect(card).toMatchObject({ status: 'frozen', key_version: 2 })
    expect(sent[0]?.text).toContain(testKeys.sendingKey(cardId, 2))
  })

  it('is not told where its hold is over by then', async () => {
    await planned()
    clock.set(NINE)
    await test.plant(`update cards set status = 'frozen'`)
    await run()
    await test.plant(`update cards set status = 'revoked'`)
    await work()
    expect(sent).toEqual([])
  })
})

describe('a giver', () => {
  it('changes it three times, and the same press twice is one', async () => {
    const { cardId, key } = await planned()
    await sendings().plan(cardId, key, TYPED)
    expect((await sendings().open(cardId, key)).changesLeft).toBe(3)
    for (const [n, day] of ['2026-12-25', '2026-12-26', '2026-12-27'].entries()) {
      await sendings().plan(cardId, key, { ...TYPED, day })
      expect(await sendings().open(cardId, key)).toMatchObject({
        state: 'planned',
        changesLeft: 2 - n,
        time: { day, zone: 'Europe/Madrid' },
        maskedAddress: 'N…a@nora.example',
      })
    }
    await expect(sendings().plan(cardId, key, TYPED)).rejects.toMatchObject({ code: 'sending-closed' })
    expect((await sendings().open(cardId, key)).mayPlan).toBe(false)
    // It can be stopped all the same.
    await sendings().stop(cardId, key)
    clock.set(NINE + 10 * DAY_MS)
    await run()
    await work()
    expect(sent).toEqual([])
  })

  it('moves the day alone without typing the address again', async () => {
    const { cardId, key } = await planned()
    const before = await rowOf(cardId)
    const moved = { ...TYPED, address: '', day: '2026-12-25' }
    await sendings().plan(cardId, key, moved)
    await sendings().plan(cardId, key, moved)
    expect(await sendings().open(cardId, key)).toMatchObject({
      changesLeft: 2,
      maskedAddress: 'N…a@nora.example',
    })
    expect(await rowOf(cardId)).toMatchObject({
      day: '2026-12-25',
      address_sealed: before?.address_sealed,
      address_digest: before?.address_digest,
    })
    clock.set(NINE + DAY_MS)
    await run()
    await expect(sendings().plan(cardId, key, moved)).rejects.toMatchObject({ code: 'sending-closed' })
    await work()
    expect(sent).toHaveLength(1)
  })

  it('types an address where none is kept: of no plan yet, and of one that was stopped', async () => {
    const { cardId, key } = await planned()
    await sendings().stop(cardId, key)
    await expect(sendings().plan(cardId, key, { ...TYPED, address: '' })).rejects.toMatchObject({
      code: 'invalid-fields',
      details: { fields: [{ path: 'address', rule: 'required' }] },
    })
  })

  it('stops it, and the address is gone at once', async () => {
    const { cardId, key } = await planned()
    await sendings().stop(cardId, key)
    await sendings().stop(cardId, key)
    expect(await rowOf(cardId)).toMatchObject({
      state: 'stopped',
      why: 'giver',
      address_sealed: null,
      address_digest: null,
    })
    await sendings().plan(cardId, key, TYPED)
    expect(await sendings().open(cardId, key)).toMatchObject({ state: 'planned', changesLeft: 2 })
  })

  it('changes and stops nothing once the mail is on its way', async () => {
    const { cardId, key } = await planned()
    clock.set(NINE)
    await run()
    for (const late of [() => sendings().stop(cardId, key), () => sendings().plan(cardId, key, TYPED)])
      await expect(late()).rejects.toMatchObject({ code: 'sending-closed' })
    await work()
    for (const late of [() => sendings().stop(cardId, key), () => sendings().plan(cardId, key, TYPED)])
      await expect(late()).rejects.toMatchObject({ code: 'sending-closed' })
    expect(sent).toHaveLength(1)
  })

  it('has it sent as it was last asked for when a change meets the job', async () => {
    const gifts = []
    for (let n = 0; n < 4; n++) gifts.push(await planned())
    clock.set(NINE)
    const another = await test.another()
    const outcomes = await Promise.all([
      run(another),
      ...gifts.map(({ cardId, key }) =>
        sendings()
          .plan(cardId, key, { ...TYPED, address: 'tom@tom.example', day: '2026-12-31' })
          .then(
            () => 'changed',
            () => 'late',
          ),
      ),
    ])
    await work()
    const changed = outcomes.filter(each => each === 'changed').length
    expect(to(NORA)).toHaveLength(4 - changed)
    expect(to('tom@tom.example')).toEqual([])
  })

  it('needs the key of that gift: its other keys open nothing here, nor does that of another', async () => {
    const { cardId } = await bought()
    const other = await bought()
    const wrong = [
      testKeys.privateKey(cardId, 1),
      testKeys.publicKey(cardId, 1),
      testKeys.lettersKey(cardId),
      testKeys.sendingKey(cardId, 2),
      other.key,
      '',
      'x'.repeat(5_000),
    ]
    for (const key of wrong) {
      await expect(sendings().open(cardId, key)).rejects.toMatchObject({ code: 'card-not-found' })
      await expect(sendings().plan(cardId, key, TYPED)).rejects.toMatchObject({ code: 'card-not-found' })
      await expect(sendings().stop(cardId, key)).rejects.toMatchObject({ code: 'card-not-found' })
    }
    expect(await rowOf(cardId)).toBeUndefined()
  })

  it('of a free card has nothing sent: nobody has paid', async () => {
    const { cardId } = await test.db.transaction(giveFreeCard)
    await expect(sendings().plan(cardId, keyOf(cardId), TYPED)).rejects.toMatchObject({
      code: 'card-not-found',
    })
  })

  it('has it sent a month before the card’s last day at the latest, and an invitation a year from now', async () => {
    const card = await bought()
    const { lastDay } = await sendings().open(card.cardId, card.key)
    const latest = daysAfter(lastDay ?? '', -30)
    const refusal = { code: 'invalid-fields', details: { fields: [{ path: 'day', rule: 'day' }] } }
    for (const day of [daysAfter(latest, 1), lastDay ?? ''])
      await expect(sendings().plan(card.cardId, card.key, { ...TYPED, day })).rejects.toMatchObject(refusal)
    await sendings().plan(card.cardId, card.key, { ...TYPED, day: latest })
    // It goes before the card is given away, and says until when it can be used.
    clock.set(Date.parse(`${latest}T10:00:00Z`))
    await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 0, listedNgoIds: () => ['ngo'] })
    expect(await run()).toMatchObject({ sent: 1 })
    await work()
    expect(sent[0]?.text).toContain(`Se puede usar hasta el ${dayOf(Date.parse(lastDay ?? ''), 'es')}.`)
    clock.set(CREATED_AT)
    const invitation = await bought('volunteering')
    const inAYear = daysAfter(dayInMadrid(CREATED_AT), 365)
    await expect(
      sendings().plan(invitation.cardId, invitation.key, { ...TYPED, day: daysAfter(inAYear, 1) }),
    ).rejects.toMatchObject(refusal)
    await sendings().plan(invitation.cardId, invitation.key, { ...TYPED, day: inAYear })
    clock.set(Date.parse(`${inAYear}T10:00:00Z`))
    expect(await run()).toMatchObject({ sent: 1 })
    await work()
    const invited = sent.find(({ text }) => text.includes('Es una invitación'))
    expect(invited?.text).not.toMatch(/^$|Se puede usar hasta/)
  })

  it('is told which field is wrong, and nothing is kept', async () => {
    const { cardId, key } = await bought()
    await expect(
      sendings().plan(cardId, key, { address: 'nora', day: '2026-01-01', zone: 'Europe/Madrid' }),
    ).rejects.toMatchObject({
      code: 'invalid-fields',
      details: {
        fields: [
          { path: 'address', rule: 'address' },
          { path: 'day', rule: 'day' },
        ],
      },
    })
    expect(await rowOf(cardId)).toBeUndefined()
  })
})

describe('a mail that reaches nobody', () => {
  it('gives the link back to its giver, who can name another address', async () => {
    const { cardId, key } = await planned()
    refuses = ({ to: address }) => address === NORA
    clock.set(NINE)
    await run()
    await work()
    const privateKey = testKeys.privateKey(cardId, 1)
    expect(await sendings().open(cardId, key)).toMatchObject({
      state: 'returned',
      why: 'refused',
      mayPlan: true,
      privateKey,
    })
    expect(to('buyer@example.org')).toHaveLength(1)
    expect(to('buyer@example.org')[0]?.text).toContain(privateKey)
    // There is nothing for an operator to do.
    const jobs = await test.db.read(db => db.selectFrom('jobs').select(['kind', 'failed_reason']).execute())
    expect(jobs).toEqual([{ kind: 'sending-returned', failed_reason: null }])
    await sendings().plan(cardId, key, { ...TYPED, address: 'nora@other.example' })
    await run()
    await work()
    expect(to('nora@other.example')).toHaveLength(1)
  })

  it('is tried again after a passing failure, and its giver hears nothing', async () => {
    await planned()
    clock.set(NINE)
    await run()
    const log = createLog(() => {}, clock)
    const push = () => {
      throw new MailFailure('smtp-450', false)
    }
    await letterWorker({ db: test.db, clock, log }, { push }).runDue()
    clock.advance(MINUTE_MS)
    await work()
    expect(sent.map(message => message.to)).toEqual([NORA])
  })

  it.each([
    ['refuses it for the moment', 'smtp-451'],
    ['refuses whatever we send', 'smtp-550'],
    ['is away', 'smtp-ESOCKET'],
  ])('is one that was tried for two days by a server that %s', async (_, code) => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    const log = createLog(() => {}, clock)
    const push = () => {
      throw new MailFailure(code, false)
    }
    const tried = async (until: number) => {
      for (; clock() < until; clock.advance(30 * MINUTE_MS))
        await letterWorker({ db: test.db, clock, log }, { push }).runDue()
    }
    await tried(NINE + 2 * DAY_MS - HOUR_MS)
    expect(await rowOf(cardId)).toMatchObject({ state: 'sending' })
    await tried(NINE + 2 * DAY_MS + 4 * HOUR_MS)
    expect(await rowOf(cardId)).toMatchObject({ state: 'returned', why: 'refused' })
    clock.advance(2 * HOUR_MS)
    await work()
    expect(sent.map(message => message.to)).toEqual(['buyer@example.org'])
    // One of the tries may have arrived.
    expect(sent[0]?.text).toContain(testKeys.privateKey(cardId, 2))
    const jobs = await test.db.read(db => db.selectFrom('jobs').select(['kind', 'failed_reason']).execute())
    expect(jobs).toEqual([{ kind: 'sending-returned', failed_reason: null }])
  })

  it('after a site that was away for days is tried as long as any other', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    clock.advance(5 * DAY_MS)
    const log = createLog(() => {}, clock)
    const push = () => {
      throw new MailFailure('smtp-451', false)
    }
    await letterWorker({ db: test.db, clock, log }, { push }).runDue()
    expect(await rowOf(cardId)).toMatchObject({ state: 'sending' })
    clock.advance(MINUTE_MS)
    await work()
    expect(to(NORA)).toHaveLength(1)
  })

  it('is one whose address another hand wrote, or moved here from another gift', async () => {
    const mine = await planned()
    const other = await planned('donation', { address: 'eve@eve.example' })
    await test.plant(
      `update sendings set address_sealed = (select address_sealed from sendings where card_id = '${other.cardId}')
        where card_id = '${mine.cardId}'`,
    )
    clock.set(NINE)
    await run()
    await work()
    expect(to('eve@eve.example')).toHaveLength(1)
    expect(await rowOf(mine.cardId)).toMatchObject({ state: 'returned', why: 'refused' })
    expect(to('buyer@example.org')).toHaveLength(1)
  })
})

describe('after a restore', () => {
  const settled = () => settleSendings({ db: test.db, keys: testKeys, clock }, NINE)

  /** A restore at nine, reconciled a day later. */
  async function reconciled(): Promise<number> {
    clock.set(NINE + DAY_MS)
    const returned = await settled()
    // Cut off and begun again, it finds nothing left to do.
    expect(await settled()).toBe(0)
    await run()
    await work()
    return returned
  }

  it.each([['donation'], ['volunteering']] as const)(
    'what was due before goes back to its giver with new links, and is mailed to nobody: a %s',
    async kind => {
      const { cardId } = await planned(kind)
      expect(await reconciled()).toBe(1)
      expect(to(NORA)).toEqual([])
      expect(await sendings().open(cardId, testKeys.sendingKey(cardId, 2))).toMatchObject({
        state: 'returned',
        why: null,
      })
      expect(sent.map(message => [message.to, message.subject])).toEqual([
        ['buyer@example.org', 'Tu regalo por correo electrónico: compruébalo'],
      ])
      expect(sent[0]?.text).toContain(testKeys.privateKey(cardId, 2))
      expect(sent[0]?.text).not.toContain(testKeys.privateKey(cardId, 1))
    },
  )

  it('what waited in the outbox goes back too, and the mail of a later plan goes once', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    expect(await reconciled()).toBe(1)
    expect(to(NORA)).toEqual([])
    const key = testKeys.sendingKey(cardId, 2)
    await sendings().plan(cardId, key, { ...TYPED, day: daysAfter(DAY, 1) })
    await run()
    await work()
    expect(to(NORA)).toHaveLength(1)
    const jobs = await test.db.read(db => db.selectFrom('jobs').select('dedupe_key').execute())
    expect(jobs.map(job => job.dedupe_key).filter(name => name.startsWith('sending:'))).toHaveLength(1)
  })

  it('what was due since is mailed late, and what is due later on its day', async () => {
    await planned('donation', { day: daysAfter(DAY, 1) })
    const later = await planned('donation', { address: 'later@nora.example', day: daysAfter(DAY, 5) })
    expect(await reconciled()).toBe(0)
    expect(to(NORA)).toHaveLength(1)
    expect(await rowOf(later.cardId)).toMatchObject({ state: 'planned' })
  })

  it('no reminder follows that may have gone before', async () => {
    const { cardId } = await planned('donation', { day: '2026-11-24' })
    clock.set(NINE - 30 * DAY_MS)
    await run()
    await work()
    clock.set(NINE - 1)
    expect(await settled()).toBe(0)
    expect(await rowOf(cardId)).toMatchObject({ state: 'over' })
  })
})

describe('the reminder', () => {
  const MONTH = Date.parse('2027-01-23T08:00:00Z')

  it('comes once, after thirty days, while the gift is not used', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    await work()
    clock.set(MONTH - 1)
    expect(await run()).toEqual({ sent: 0, reminded: 0 })
    clock.set(MONTH)
    expect(await run()).toEqual({ sent: 0, reminded: 1 })
    await work()
    clock.advance(40 * DAY_MS)
    await run()
    await work()
    expect(to(NORA).map(({ subject }) => subject)).toEqual([
      'Alguien tiene un regalo para ti',
      'Un regalo te sigue esperando',
    ])
    expect(await rowOf(cardId)).toMatchObject({ state: 'over', sent_at: NINE })
  })

  it.each([
    ['donation', `update cards set status = 'consumed'`],
    ['donation', `update cards set status = 'frozen'`],
    ['volunteering', `update volunteering_cards set answer = 'no', answered_at = 1, answers = 1`],
    ['volunteering', `insert into book_downloads (card_id, created_at) select id, 1 from volunteering_cards`],
  ] as const)('does not come to who has opened the gift: %s, %s', async (kind, used) => {
    await planned(kind)
    clock.set(NINE)
    await run()
    await work()
    await test.plant(used)
    clock.set(MONTH)
    expect(await run()).toEqual({ sent: 0, reminded: 0 })
    await work()
    expect(to(NORA)).toHaveLength(1)
  })

  it('that was late by more than a week does not come', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    await work()
    clock.set(NINE + 38 * DAY_MS)
    expect(await run()).toEqual({ sent: 0, reminded: 0 })
    expect(await rowOf(cardId)).toMatchObject({ state: 'over' })
  })
})

describe('“not for me”', () => {
  /** What the link in a mail says. */
  async function linkOf(cardId: string): Promise<readonly [string, string]> {
    const digest = (await rowOf(cardId))?.address_digest ?? ''
    return [mailboxInLink(digest), testKeys.unwantedKey(digest)]
  }

  it('stops all for that mailbox, however it is written, and gives back what was not used', async () => {
    const first = await planned()
    const later = await planned('volunteering', { address: 'NORA@nora.example', day: '2027-02-01' })
    const toOthers = await planned('donation', { address: 'tom@tom.example' })
    clock.set(NINE)
    await run()
    await work()
    const link = await linkOf(first.cardId)
    expect(letterOf(to(NORA)[0]).smallPrint?.link?.url).toBe(
      `https://cards.example/not-for-me/${link.join('/')}?lang=es`,
    )
    // The mail program's own button leads to the same.
    expect(to(NORA)[0]?.headers).toMatchObject({
      'List-Unsubscribe': `<https://cards.example/not-for-me/${link.join('/')}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(await sendings().wantsGifts(...link)).toBe(true)
    await sendings().refuseGifts(...link)
    await sendings().refuseGifts(...link)
    expect(await sendings().wantsGifts(...link)).toBe(false)
    for (const { cardId } of [first, later])
      expect(await rowOf(cardId)).toMatchObject({ state: 'returned', why: 'unwanted', address_sealed: null })
    expect(await rowOf(toOthers.cardId)).toMatchObject({ state: 'sent' })
    await work()
    expect(to('buyer@example.org')).toHaveLength(2)
    // What went once never goes again; what did not go can go to somebody else.
    expect((await sendings().open(first.cardId, testKeys.sendingKey(first.cardId, 2))).mayPlan).toBe(false)
    expect((await sendings().open(later.cardId, later.key)).mayPlan).toBe(true)
    await expect(sendings().plan(later.cardId, later.key, TYPED)).rejects.toMatchObject({
      details: { fields: [{ path: 'address', rule: 'unwanted' }] },
    })
    clock.set(NINE + 60 * DAY_MS)
    await run()
    await work()
    expect([to(NORA).length, to('NORA@nora.example').length]).toEqual([1, 0])
  })

  it.each([
    ['donation', 'sending'],
    ['donation', 'sent'],
    ['donation', 'reminding'],
    ['donation', 'over'],
    ['volunteering', 'sent'],
    ['volunteering', 'over'],
  ] as const)('of a mail that may have gone gives its giver new links: a %s, %s', async (kind, state) => {
    const { cardId } = await planned(kind)
    const link = await linkOf(cardId)
    clock.set(NINE)
    await run()
    if (state !== 'sending') await work()
    clock.set(NINE + 30 * DAY_MS)
    if (state === 'reminding' || state === 'over') await run()
    if (state === 'over') await work()
    // The address goes on the day of the reminder.
    for (; (await forgetRecipients(test.db, clock())) > 0; );
    expect(await rowOf(cardId)).toMatchObject({ state })
    const letters = sent.length
    await sendings().refuseGifts(...link)
    await sendings().refuseGifts(...link)
    await work()
    const { trade } = createGiftLinks({ db: test.db, keys: testKeys })
    const opened = trade(testKeys.privateKey(cardId, 1))
    await expect(opened).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await trade(testKeys.privateKey(cardId, 2))).toMatchObject({ kind, cardId, keyKind: 'private' })
    expect(sent.slice(letters).map(message => message.to)).toEqual(['buyer@example.org'])
    expect(sent.at(-1)?.text).toContain(testKeys.privateKey(cardId, 2))
    const view = await sendings().open(cardId, testKeys.sendingKey(cardId, 2))
    expect(view).toMatchObject({ state: 'returned', privateKey: testKeys.privateKey(cardId, 2) })
  })

  it('leaves the links of a gift whose mail has not gone', async () => {
    const { cardId, key } = await planned()
    await sendings().refuseGifts(...(await linkOf(cardId)))
    expect(await sendings().open(cardId, key)).toMatchObject({
      state: 'returned',
      privateKey: testKeys.privateKey(cardId, 1),
    })
  })

  it('leaves the invitation that its recipient has answered as it is', async () => {
    const { cardId, key } = await planned('volunteering')
    clock.set(NINE)
    await run()
    await work()
    await test.plant(`update volunteering_cards set answer = 'accept', answered_at = 1, answers = 1`)
    await sendings().refuseGifts(...(await linkOf(cardId)))
    expect(await sendings().open(cardId, key)).toMatchObject({ state: 'over', privateKey: undefined })
  })

  it.each([
    ['consumed', 'planned', 'stopped'],
    ['consumed', 'sending', 'stopped'],
    ['consumed', 'sent', 'over'],
    ['consumed', 'reminding', 'over'],
    ['consumed', 'over', 'over'],
    ['revoked', 'sent', 'over'],
  ] as const)(
    'of a gift that is %s gives nothing back, and stops the mails: %s',
    async (status, state, then) => {
      const { cardId } = await planned()
      const link = await linkOf(cardId)
      await test.plant(`update sendings set state = '${state}'`, `update cards set status = '${status}'`)
      await sendings().refuseGifts(...link)
      expect(await rowOf(cardId)).toMatchObject({ state: then, address_sealed: null, address_digest: null })
      await work()
      expect(sent).toEqual([])
      expect(await sendings().wantsGifts(...link)).toBe(false)
    },
  )

  it('keeps a keyed digest alone', async () => {
    const { cardId } = await planned()
    const link = await linkOf(cardId)
    await sendings().refuseGifts(...link)
    const stops = await test.db.read(db => db.selectFrom('sending_stops').selectAll().execute())
    expect(stops).toEqual([{ address_digest: `hmac:${link[0]}`, created_at: clock() }])
    expect(await test.dump()).not.toMatch(ADDRESSED)
  })

  it('is pressed with its own key alone', async () => {
    const { cardId } = await planned()
    const [mailbox, key] = await linkOf(cardId)
    const wrong = [
      [mailbox, testKeys.sendingKey(cardId, 1)],
      [mailbox, testKeys.unwantedKey(`hmac:${'0'.repeat(64)}`)],
      ['0'.repeat(64), key],
      ['', ''],
    ] as const
    for (const [box, tried] of wrong)
      await expect(sendings().refuseGifts(box, tried)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await rowOf(cardId)).toMatchObject({ state: 'planned' })
  })

  it('that is pressed while the mail is in the outbox keeps it there', async () => {
    const { cardId } = await planned()
    const link = await linkOf(cardId)
    clock.set(NINE)
    await run()
    await sendings().refuseGifts(...link)
    await work()
    expect(sent.map(message => message.to)).toEqual(['buyer@example.org'])
    expect(await rowOf(cardId)).toMatchObject({ state: 'returned' })
  })
})

describe('the address of a recipient', () => {
  it('stands nowhere in clear, neither in the outbox nor in the log', async () => {
    await planned()
    clock.set(NINE)
    await run()
    expect(await test.dump()).not.toMatch(ADDRESSED)
    refuses = ({ to: address }) => address === NORA
    await work()
    expect(await test.dump()).not.toMatch(ADDRESSED)
    expect(logged.join('\n').toLowerCase()).not.toContain('nora')
  })

  it('goes thirty days after the mail', async () => {
    const { cardId } = await planned()
    clock.set(NINE)
    await run()
    await work()
    clock.set(NINE + 30 * DAY_MS)
    await run()
    expect(await forgetRecipients(test.db, clock())).toBe(0)
    await work()
    const { address_digest: digest } = (await rowOf(cardId))!
    expect(await forgetRecipients(test.db, clock() - 1)).toBe(0)
    expect(await forgetRecipients(test.db, clock())).toBe(1)
    expect(await forgetRecipients(test.db, clock())).toBe(0)
    // The fingerprint of the mailbox stays for as long after the reminder: “not for me” needs it.
    expect(await rowOf(cardId)).toMatchObject({ state: 'over', address_sealed: null, address_digest: digest })
    clock.set(NINE + 60 * DAY_MS - 1)
    expect(await forgetRecipients(test.db, clock())).toBe(0)
    clock.set(NINE + 60 * DAY_MS)
    expect(await forgetRecipients(test.db, clock())).toBe(1)
    expect(await forgetRecipients(test.db, clock())).toBe(0)
    expect(await rowOf(cardId)).toMatchObject({ state: 'over', address_digest: null })
  })

  it('of a gift that came back goes with its fingerprint', async () => {
    const { cardId } = await planned()
    refuses = ({ to: address }) => address === NORA
    clock.set(NINE)
    await run()
    await work()
    clock.set(NINE + 30 * DAY_MS)
    for (; (await forgetRecipients(test.db, clock())) > 0; );
    expect(await rowOf(cardId)).toMatchObject({
      state: 'returned',
      address_sealed: null,
      address_digest: null,
    })
  })

  it('goes with a gift that was used or given back long before the day', async () => {
    const used = await planned()
    const kept = await planned()
    await test.plant(`update cards set status = 'consumed' where id = '${used.cardId}'`)
    expect(await forgetRecipients(test.db, clock())).toBe(1)
    expect(await forgetRecipients(test.db, clock())).toBe(0)
    expect(await rowOf(used.cardId)).toMatchObject({ state: 'stopped', address_sealed: null })
    expect(await rowOf(kept.cardId)).toMatchObject({ state: 'planned' })
  })

  it('goes when its giver is forgotten, and nothing is sent', async () => {
    const { cardId } = await planned()
    const { cardId: gone } = await planned()
    clock.set(NINE)
    await run()
    await test.db.transaction(async trx => {
      for (const id of [cardId, gone]) {
        const card = await storedCard(trx, 'donation', id)
        await clearPersons(trx, 'donation', card ? [card] : [])
      }
    })
    await work()
    expect(sent).toEqual([])
    expect(await rowOf(cardId)).toMatchObject({ state: 'stopped', why: 'forgotten', address_sealed: null })
  })
})
