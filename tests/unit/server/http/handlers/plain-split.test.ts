import { describe, expect, it, vi } from 'vitest'
import { money } from '#domain/money/money.ts'
import { Problem, type ProblemCode } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import type { App } from '#server/http/app.ts'
import { answerPlainSplit } from '#server/http/handlers/plain-split.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'

const KEY = 'k'.repeat(32)

const GIVEN = {
  allocations: [{ ngoId: 'msf', points: 20, amount: money(5_000, 'EUR') }],
  receiptKey: 'r'.repeat(32),
}

function anApp(card: Partial<CardView> = {}, refusal?: ProblemCode | Error) {
  const view: CardView = {
    authority: 'full',
    createdAt: 0,
    autoDonateAt: 1,
    credit: money(5_000, 'EUR'),
    senderName: null,
    message: null,
    theme: THEMES.ukraine,
    consumed: false,
    free: false,
    use: null,
    ...card,
  }
  const redeem = vi.fn(async () => {
    if (refusal instanceof Error) throw refusal
    if (refusal) throw new Problem(refusal, { retryAfterSeconds: 7 })
    return GIVEN
  })
  const errors: string[] = []
  const app = {
    cards: { open: async () => view, redeem },
    limits: { use: vi.fn() },
    content: { snapshot: () => ({ ngoList: { ngos: [{ id: 'msf' }, { id: 'irc' }] } }) },
    log: { info() {}, error: (event: string) => errors.push(event) },
  }
  const send = (form: Record<string, string> | [string, string][], path = 'select-ngo/final') =>
    answerPlainSplit(
      app as unknown as App,
      { giftCardId: KEY, path, clientAddress: '192.0.2.1', currency: 'EUR' },
      new URLSearchParams(form),
    )
  return { send, redeem, errors, limits: app.limits }
}

const ATTEMPT = 'the-attempt-of-this-form'
const GIVE = { 'points-msf': '20', 'points-irc': '5', step: 'confirm' }

describe('the split of a visitor without scripts', () => {
  it('is read back to the cent before anything is given', async () => {
    const { send, redeem } = anApp()
    const { split } = (await send({ ...GIVE, step: 'review' })) as { split: unknown }
    expect(split).toEqual({
      kind: 'review',
      attempt: expect.stringMatching(/^[\w-]{36}$/),
      selection: [
        { ngoId: 'msf', points: 20 },
        { ngoId: 'irc', points: 5 },
      ],
      allocations: [
        { ngoId: 'msf', points: 20, amount: money(4_000, 'EUR') },
        { ngoId: 'irc', points: 5, amount: money(1_000, 'EUR') },
      ],
    })
    expect(redeem).not.toHaveBeenCalled()
  })

  it('goes through the one door once it is confirmed, counted like every call', async () => {
    const { send, redeem, limits } = anApp()
    const form = [...Object.entries({ ...GIVE, attempt: ATTEMPT }), ['points-msf', '3']] as [string, string][]
    expect(await send(form)).toMatchObject({ kind: 'show', screen: 'thanks', given: GIVEN })
    const selection = [
      { ngoId: 'msf', points: 23 },
      { ngoId: 'irc', points: 5 },
    ]
    expect(redeem).toHaveBeenCalledWith(KEY, selection, ATTEMPT)
    expect(limits.use).toHaveBeenCalledWith('redeem', '192.0.2.1', undefined)
  })

  it('is one attempt through every failure, and takes no key that no form of ours has', async () => {
    const { send } = anApp({}, 'temporarily-unavailable')
    for (const step of ['review', 'confirm'])
      expect(await send({ ...GIVE, attempt: ATTEMPT, step })).toMatchObject({ split: { attempt: ATTEMPT } })
    const { send: sendForged, redeem } = anApp()
    for (const attempt of ['', 'short', 'x'.repeat(201), 'with a space in it']) {
      await sendForged({ ...GIVE, attempt })
      expect(redeem).toHaveBeenLastCalledWith(KEY, expect.anything(), undefined)
    }
  })

  it('goes back to its numbers, whatever they are', async () => {
    const { send, redeem } = anApp()
    expect(await send({ 'points-msf': '-1', step: 'change' })).toMatchObject({
      split: { kind: 'form', typed: { msf: '-1' } },
    })
    expect(redeem).not.toHaveBeenCalled()
  })

  it.each([['confirm'], ['review'], ['nonsense']])(
    'is a form again when it cannot be given, even at step %s',
    async step => {
      const { send, redeem } = anApp()
      expect(await send({ 'points-msf': '51', step })).toMatchObject({
        split: { kind: 'form', typed: { msf: '51' }, faults: { tooMany: 1 } },
      })
      expect(redeem).not.toHaveBeenCalled()
    },
  )

  it('of a preview leads to thanks and gives nothing', async () => {
    const { send, redeem } = anApp({ authority: 'preview' })
    for (const path of ['select-ngo/preview', 'select-ngo/final'])
      expect(await send(GIVE, path)).toMatchObject({
        kind: 'redirect',
        to: `/gift-card/${KEY}/thanks/${path.slice(11)}`,
      })
    expect(redeem).not.toHaveBeenCalled()
  })

  it('of a card used up is answered as before where it is the same, else leads to where it went', async () => {
    const same = anApp({ consumed: true })
    expect(await same.send(GIVE)).toMatchObject({ kind: 'show', screen: 'thanks', given: GIVEN })
    // Each try is a guess at what was chosen.
    expect(same.limits.use).toHaveBeenCalledWith('redeem', '192.0.2.1', undefined)
    const other = anApp({ consumed: true }, 'card-consumed')
    expect(await other.send(GIVE)).toEqual({ kind: 'redirect', to: `/gift-card/${KEY}/consumed/final` })
    const { send, redeem } = anApp({ consumed: true })
    expect(await send({ ...GIVE, step: 'review' })).toMatchObject({ to: `/gift-card/${KEY}/consumed/final` })
    expect(redeem).not.toHaveBeenCalled()
  })

  it.each([
    ['card-consumed', 'consumed'],
    ['card-not-found', 'doesnt-exist'],
  ] as const)('leads on when the card is gone meanwhile: %s', async (code, screen) => {
    expect(await anApp({}, code).send(GIVE)).toEqual({
      kind: 'redirect',
      to: `/gift-card/${KEY}/${screen}/final`,
    })
  })

  it.each(['too-many-requests', 'temporarily-unavailable', 'terms-missing'] as const)(
    'stands as it was read back when the server cannot give it now: %s',
    async code => {
      const { send, errors } = anApp({}, code)
      expect(await send(GIVE)).toMatchObject({
        split: {
          kind: 'review',
          selection: [{ ngoId: 'msf', points: 20 }, { ngoId: 'irc' }],
          failure: { code, retryAfterSeconds: 7 },
        },
      })
      expect(errors).toEqual([])
    },
  )

  it('stands as it was read back, and is told to the log, when nobody knows why it failed', async () => {
    const { send, errors } = anApp({}, new Error('broken'))
    expect(await send(GIVE)).toMatchObject({
      split: { kind: 'review', failure: { code: 'something-went-wrong' } },
    })
    expect(errors).toEqual(['plain-form-failed'])
  })

  it('is taken on its own screen only', async () => {
    const { send, redeem } = anApp()
    for (const path of ['thanks/final', 'introduction-1/final', 'nonsense', ''])
      await expect(send(GIVE, path)).rejects.toMatchObject({ code: 'method-not-allowed' })
    expect(redeem).not.toHaveBeenCalled()
  })
})
