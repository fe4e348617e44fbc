import { describe, expect, it } from 'vitest'
import type { SettledGift } from '#domain/payment/purchase.ts'
import { createAfterPayment } from '#screens/shared/payment/after-payment.store.ts'
import { askedInVain, NOT_ASKED, pollDelay } from '#screens/shared/payment/asking.ts'
import type { TabValue } from '#screens/shared/storage/tab.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import type { DonationSuccess, QueuedMail, Refusal, Result } from '#wire/client.ts'
import type { VolunteeringSuccess } from '#wire/volunteering-client.ts'

const told: SettledGift = {
  cardId: 'card',
  checkWord: 'BCDF-GHJK-MNPQ',
  sendingKey: 'a-sending-key',
  email: 'buyer@example.org',
  senderName: null,
  isConfirmationEmailSent: true,
  packageId: 'their water',
  packageTitle: inLanguages({ es: 'Su agua', en: 'Their water', fr: 'Leur eau' }),
  price: { amount: 5_000, currency: 'EUR' },
}
/** What is paid for, of every kind there is: after the payment all of them are treated alike. */
const GIFTS = {
  'gift card': {
    ...told,
    privateKey: 'private',
    publicKey: 'public',
    autoDonateAt: 1,
  } satisfies DonationSuccess,
  'free card': {
    ...told,
    packageId: null,
    privateKey: 'private',
    publicKey: 'public',
    autoDonateAt: 1,
  } satisfies DonationSuccess,
  invitation: { ...told, packageId: 'inauguration package', key: 'key' } satisfies VolunteeringSuccess,
}
const settled = (value: SettledGift): Result<SettledGift> => ({ ok: true, value })
const refused = (code: Refusal['code'], fields: Refusal['fields'] = []): Refusal => ({
  ok: false,
  code,
  fields,
  retryAfterSeconds: undefined,
})
const queued: Result<QueuedMail> = { ok: true, value: { status: 'queued' } }
const failing: Result<QueuedMail> = { ok: true, value: { status: 'failing' } }
const notCompleted = (rule: string) => refused('payment-not-completed', [{ path: 'payment', rule }])

function inMemory<T>(value?: T): TabValue<T> {
  return {
    get: () => value,
    set: next => {
      value = next
    },
  }
}

interface Given {
  readonly answers?: Result<SettledGift>[]
  readonly mails?: Result<QueuedMail>[]
  readonly kept?: SettledGift
  readonly pending?: string
}

/** A page after a payment with scripted answers; `elapse` lets its next wait pass. */
function aCheckout({ answers = [], mails = [], kept, pending }: Given) {
  const asked: string[] = []
  const waits: number[] = []
  let mailed = 0
  let next: (() => void) | undefined
  const tab = {
    pending: inMemory(pending),
    last: inMemory(kept),
    paidBy: inMemory(kept && 'cs_of_kept'),
  }
  const checkout = createAfterPayment<SettledGift>({
    readSuccess: async id => {
      asked.push(id)
      return answers.shift() ?? refused('network')
    },
    sendMail: async () => {
      mailed++
      return mails.shift() ?? queued
    },
    later: (callback, ms) => {
      waits.push(ms)
      next = callback
    },
    kept: tab,
  })
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  const elapse = async () => {
    next?.()
    await settle()
  }
  return { checkout, asked, waits, tab, settle, elapse, mails: () => mailed }
}

describe.each(Object.entries(GIFTS))('the page after the payment of a %s', (_, gift) => {
  it('requests nothing without a session', async () => {
    const { checkout, asked, settle } = aCheckout({})
    checkout.begin(undefined)
    await settle()
    expect(asked).toEqual([])
    expect(checkout.$state.get()).toEqual({ kind: 'absent' })
  })

  it('shows the gift and keeps its keys for the tab, and forgets the session', async () => {
    const { checkout, tab, settle, mails } = aCheckout({ answers: [settled(gift)] })
    checkout.begin('cs_1')
    expect(checkout.$state.get()).toEqual({ kind: 'loading' })
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
    expect(mails()).toBe(0)
    expect([tab.last.get(), tab.pending.get()]).toEqual([gift, undefined])
  })

  it.each([
    ['still hold', settled(gift)],
    ['cannot be asked about', refused('network')],
    ['cannot be asked about now', refused('something-went-wrong')],
  ])('shows the kept gift at once, and keeps it where its links %s', async (_, answer) => {
    const { checkout, asked, tab, settle } = aCheckout({ kept: gift, answers: [answer] })
    checkout.begin(undefined)
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    await settle()
    expect(asked).toEqual(['cs_of_kept'])
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    expect(tab.last.get()).toEqual(gift)
  })

  it.each([
    ['links-by-mail', { kind: 'by-mail', address: undefined }],
    ['payment-not-found', { kind: 'failed', code: 'payment-not-found' }],
  ] as const)('shows no kept links that open nothing any more (%s)', async (code, shown) => {
    const { checkout, tab, settle } = aCheckout({ kept: gift, answers: [refused(code)] })
    checkout.begin(undefined)
    await settle()
    expect(checkout.$state.get()).toEqual(shown)
    expect([tab.last.get(), tab.pending.get()]).toEqual([undefined, 'cs_of_kept'])
  })

  it('asks of kept links until somebody answers', async () => {
    const { checkout, asked, settle, elapse } = aCheckout({
      kept: gift,
      answers: [refused('something-went-wrong'), refused('network'), refused('links-by-mail')],
    })
    checkout.begin(undefined)
    await settle()
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'by-mail', address: undefined })
    expect(asked).toEqual(['cs_of_kept', 'cs_of_kept', 'cs_of_kept'])
  })

  it('says where the links were mailed, once they are not shown any more, also when it is loaded again', async () => {
    const gone: Refusal = { ...refused('links-by-mail'), maskedAddress: 'b…r@example.org' }
    const { checkout, tab, asked, settle } = aCheckout({ answers: [gone, gone] })
    checkout.begin('cs_1')
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'by-mail', address: 'b…r@example.org' })
    expect(tab.pending.get()).toBe('cs_1')
    checkout.begin(undefined)
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'by-mail', address: 'b…r@example.org' })
    expect(asked).toEqual(['cs_1', 'cs_1'])
  })

  it('forgets a kept gift whose links are not shown any more', async () => {
    const unsent = { ...gift, isConfirmationEmailSent: false }
    const { checkout, tab, settle, elapse } = aCheckout({ kept: unsent, answers: [refused('links-by-mail')] })
    checkout.begin(undefined)
    await elapse()
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'by-mail', address: undefined })
    expect(tab.last.get()).toBeUndefined()
  })

  it('asks for the new session where an older gift is kept', async () => {
    const newer = { ...gift, cardId: 'newer' }
    const { checkout, settle } = aCheckout({ kept: gift, answers: [settled(newer)] })
    checkout.begin('cs_2')
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift: newer })
  })

  it('asks quietly again while the payment is pending, through passing troubles too', async () => {
    const { checkout, asked, waits, settle, elapse } = aCheckout({
      answers: [
        notCompleted('processing'),
        refused('provider-unavailable'),
        refused('network'),
        // A proxy while the site starts again.
        refused('something-went-wrong'),
        settled(gift),
      ],
    })
    checkout.begin('cs_1')
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'pending' })
    await elapse()
    await elapse()
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'pending' })
    await elapse()
    expect(checkout.$state.get().kind).toBe('ready')
    expect(asked).toEqual(Array(5).fill('cs_1'))
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000])
  })

  it.each(['open', 'failed', 'expired', undefined])(
    'says that a payment is not processed and asks no more, until told to: %s',
    async rule => {
      const { checkout, waits, tab, settle } = aCheckout({
        answers: [rule ? notCompleted(rule) : refused('payment-not-completed'), settled(gift)],
      })
      checkout.begin('cs_1')
      await settle()
      expect(checkout.$state.get()).toEqual({ kind: 'unpaid' })
      expect(waits).toEqual([])
      expect(tab.pending.get()).toBe('cs_1')
      checkout.retry()
      await settle()
      expect(checkout.$state.get().kind).toBe('ready')
    },
  )

  it('says so when a payment that was on its way fails', async () => {
    const { checkout, settle, elapse } = aCheckout({
      answers: [notCompleted('processing'), notCompleted('failed')],
    })
    checkout.begin('cs_1')
    await settle()
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'unpaid' })
  })

  it('never waits longer than half a minute between two questions', () => {
    expect([0, 3, 4, 60].map(pollDelay)).toEqual([2_000, 16_000, 30_000, 30_000])
  })

  it('says what failed, keeps the session for a reload, and retries it', async () => {
    const { checkout, tab, settle } = aCheckout({ answers: [refused('network'), settled(gift)] })
    checkout.begin('cs_1')
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'failed', code: 'network' })
    expect(tab.pending.get()).toBe('cs_1')
    checkout.retry()
    await settle()
    expect(checkout.$state.get().kind).toBe('ready')
  })
})

/** With what whoever answered asks for. */
const later = (code: Refusal['code'], retryAfterSeconds: number): Refusal => ({
  ...refused(code),
  retryAfterSeconds,
})
const PASSING = [
  'provider-unavailable',
  'temporarily-unavailable',
  'too-many-requests',
  'something-went-wrong',
] as const

describe.each(Object.entries(GIFTS))('a passing trouble after the payment of a %s', (_, gift) => {
  it.each(PASSING)('at the first question is waited through, and nothing is said of it: %s', async code => {
    const { checkout, waits, settle, elapse } = aCheckout({
      answers: [refused(code), refused(code), settled(gift)],
    })
    checkout.begin('cs_1')
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'loading' })
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'loading' })
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    expect(waits).toEqual([2_000, 4_000])
  })

  it('that lasts is told of after a minute, and asked about again only by a press', async () => {
    const { checkout, asked, waits, tab, settle, elapse } = aCheckout({
      answers: [...Array(6).fill(refused('something-went-wrong')), settled(gift)],
    })
    checkout.begin('cs_1')
    await settle()
    for (let n = 0; n < 5; n++) {
      expect(checkout.$state.get()).toEqual({ kind: 'loading' })
      await elapse()
    }
    expect(checkout.$state.get()).toEqual({ kind: 'failed', code: 'something-went-wrong' })
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000])
    expect([asked.length, tab.pending.get()]).toEqual([6, 'cs_1'])
    checkout.retry()
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
  })

  it('is waited through for as long as the answer asks, and told of at once where that is too long', async () => {
    const { checkout, waits, settle, elapse } = aCheckout({
      answers: [
        later('temporarily-unavailable', 1),
        later('too-many-requests', 25),
        later('too-many-requests', 600),
      ],
    })
    checkout.begin('cs_1')
    await settle()
    await elapse()
    expect(waits).toEqual([2_000, 25_000])
    await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'failed', code: 'too-many-requests' })
    expect(waits).toHaveLength(2)
  })

  it('while the payment is on its way is told of after ten minutes, counted anew from each answer', async () => {
    const { checkout, asked, waits, settle, elapse } = aCheckout({
      answers: [
        notCompleted('processing'),
        ...Array(10).fill(refused('something-went-wrong')),
        notCompleted('processing'),
        ...Array(30).fill(refused('something-went-wrong')),
      ],
    })
    checkout.begin('cs_1')
    await settle()
    while (checkout.$state.get().kind === 'pending' && asked.length < 100) await elapse()
    expect(checkout.$state.get()).toEqual({ kind: 'failed', code: 'something-went-wrong' })
    // Ten, the answer between, and twenty waits of half a minute, after which the next trouble ends it.
    expect(asked).toHaveLength(1 + 10 + 1 + 21)
    expect(waits.at(-1)).toBe(30_000)
  })

  it('does not take a kept gift away, and is not asked about for ever', async () => {
    const { checkout, asked, waits, settle, elapse } = aCheckout({
      kept: gift,
      answers: [later('temporarily-unavailable', 120), ...Array(100).fill(refused('something-went-wrong'))],
    })
    checkout.begin(undefined)
    await settle()
    expect(waits).toEqual([120_000])
    for (let n = 0; n < 60; n++) {
      const before = waits.length
      await elapse()
      if (waits.length === before) break
    }
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(600_000)
    expect(asked.length).toBeLessThan(25)
  })

  it('that is answered late, after a press, has no say any more', async () => {
    const { checkout, settle } = aCheckout({
      answers: [refused('payment-not-found'), settled(gift)],
    })
    const shown: string[] = []
    checkout.$state.listen(({ kind }) => shown.push(kind))
    checkout.begin('cs_1')
    checkout.retry()
    await settle()
    expect(shown).not.toContain('failed')
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
  })

  it('is asked about by one alone, however often it is pressed', async () => {
    const { checkout, asked, settle, elapse } = aCheckout({
      answers: [refused('something-went-wrong'), settled(gift)],
    })
    checkout.begin('cs_1')
    await settle()
    checkout.retry()
    await settle()
    expect(checkout.$state.get()).toEqual({ kind: 'ready', gift })
    await elapse()
    expect([asked.length, checkout.$state.get().kind]).toEqual([2, 'ready'])
  })
})

it('troubles are waited through for no longer than was said, whatever is asked for', () => {
  for (const retryAfter of [undefined, 0, 1, 7, 45, 3_600]) {
    let asking = NOT_ASKED
    let waited = 0
    for (
      let next = askedInVain(asking, retryAfter, 60_000);
      next;
      next = askedInVain(asking, retryAfter, 60_000)
    ) {
      asking = next.next
      waited += next.waitMs
      expect(next.waitMs).toBeGreaterThanOrEqual((retryAfter ?? 0) * 1_000)
    }
    expect(waited).toBeLessThanOrEqual(60_000)
  }
})

describe.each(Object.entries(GIFTS))('the mail with the links of a %s', (_, gift) => {
  const unsent = { ...gift, isConfirmationEmailSent: false }
  const stillUnsent = (times: number) => Array.from({ length: times }, () => settled(unsent))

  it('is sent when the server says so, which the page asks quietly', async () => {
    const { checkout, asked, waits, tab, settle, elapse, mails } = aCheckout({
      answers: [settled(unsent), settled(gift)],
    })
    checkout.begin('cs_1')
    await settle()
    expect(checkout.$mail.get()).toEqual({ kind: 'sending' })
    expect(tab.last.get()?.isConfirmationEmailSent).toBe(false)
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
    expect(tab.last.get()?.isConfirmationEmailSent).toBe(true)
    expect([asked, waits, mails()]).toEqual([['cs_1', 'cs_1'], [1_000], 0])
  })

  it('is asked for once where it is late, and queued is not sent: after 20 s it says so', async () => {
    const { checkout, waits, tab, settle, elapse, mails } = aCheckout({ answers: stillUnsent(6) })
    checkout.begin('cs_1')
    await settle()
    for (const asksFor of [0, 1, 1, 1, 1]) {
      expect(checkout.$mail.get()).toEqual({ kind: 'sending' })
      await elapse()
      expect(mails()).toBe(asksFor)
    }
    expect(checkout.$mail.get()).toEqual({ kind: 'failed' })
    expect(waits).toEqual([1_000, 2_000, 4_000, 6_000, 8_000])
    expect(tab.last.get()?.isConfirmationEmailSent).toBe(false)
  })

  it('has not got through when its last try failed; it is watched on, and the failure taken back', async () => {
    const { checkout, settle, elapse } = aCheckout({
      answers: [...stillUnsent(3), settled(gift)],
      mails: [failing],
    })
    checkout.begin('cs_1')
    await settle()
    await elapse()
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'failed' })
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
  })

  it('is asked after again by a page that is loaded anew', async () => {
    const { checkout, asked, settle, elapse } = aCheckout({ kept: unsent, answers: [settled(gift)] })
    checkout.begin(undefined)
    await settle()
    await elapse()
    expect(asked).toEqual(['cs_of_kept'])
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
  })

  it('says so when it is refused, and sends at a press, watching whether it goes', async () => {
    const { checkout, settle, elapse } = aCheckout({
      kept: unsent,
      answers: [...stillUnsent(3), settled(gift)],
      mails: [refused('too-many-requests'), failing],
    })
    checkout.begin(undefined)
    await settle()
    await elapse()
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'failed', code: 'too-many-requests' })
    await checkout.sendMail()
    expect(checkout.$mail.get()).toEqual({ kind: 'failed' })
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'failed' })
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
  })

  it('is not asked for once more by a question that is answered after a press', async () => {
    const { checkout, settle, elapse, mails } = aCheckout({ answers: stillUnsent(4) })
    checkout.begin('cs_1')
    await settle()
    await elapse()
    const late = elapse()
    await Promise.all([late, checkout.sendMail()])
    await settle()
    expect(mails()).toBe(1)
  })

  it('is sent at once where the server has seen it go', async () => {
    const { checkout, tab, waits, settle } = aCheckout({
      kept: gift,
      answers: [settled(gift)],
      mails: [{ ok: true, value: { status: 'sent' } }],
    })
    checkout.begin(undefined)
    await settle()
    await checkout.sendMail()
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
    expect(tab.last.get()?.isConfirmationEmailSent).toBe(true)
    expect(waits).toEqual([])
  })

  it('that was refused after another was sent is not called sent', async () => {
    const { checkout, waits, settle } = aCheckout({ kept: gift, answers: [settled(gift)], mails: [failing] })
    checkout.begin(undefined)
    await settle()
    await checkout.sendMail()
    expect(checkout.$mail.get()).toEqual({ kind: 'failed' })
    expect(waits).toEqual([])
  })

  it('was written often enough: it says so, and when it can be asked for again', async () => {
    const enough: Refusal = {
      ...refused('too-many-requests'),
      fields: [{ path: 'mail', rule: 'delivered' }],
      retryAfterSeconds: 86_391,
    }
    const { checkout, settle } = aCheckout({ kept: gift, mails: [enough] })
    checkout.begin(undefined)
    await settle()
    await checkout.sendMail()
    expect(checkout.$mail.get()).toEqual({ kind: 'enough', retryAfterSeconds: 86_391 })
  })

  it('goes once more at a press after it was sent', async () => {
    const { checkout, settle, elapse, mails } = aCheckout({
      kept: gift,
      answers: [settled(gift), settled(unsent), settled(gift)],
    })
    checkout.begin(undefined)
    await checkout.sendMail()
    expect(mails()).toBe(1)
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'sending' })
    await elapse()
    expect(checkout.$mail.get()).toEqual({ kind: 'sent' })
    await settle()
  })
})
