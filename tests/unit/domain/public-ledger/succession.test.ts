import { describe, expect, it } from 'vitest'
import { toBase64, toHex } from '#domain/public-ledger/bytes.ts'
import { type Leaf, leafText } from '#domain/public-ledger/leaf.ts'
import { verifyLine } from '#domain/public-ledger/line.ts'
import type { Verifier } from '#domain/public-ledger/note.ts'
import { verifyLog } from '#domain/public-ledger/verify.ts'
import {
  filesOfLog,
  keyLine,
  proving,
  sha256,
  type TestSigner,
  testSigner,
  verifySignature,
} from '#tests/support/public-log.ts'

const NAME = 'gifts.example/ledger'
const [first, second, third, stranger] = [7, 8, 9, 10].map(number => testSigner(NAME, number)) as [
  TestSigner,
  TestSigner,
  TestSigner,
  TestSigner,
]

const sale = (n: number): string => {
  const leaf: Leaf = {
    day: '2026-11-21',
    cause: 'sale',
    currency: 'EUR',
    amounts: [
      ['cards', 100 + n],
      ['payments', -100 - n],
    ],
    proof: toHex(sha256(Buffer.from(String(n)))).slice(0, 40),
  }
  return leafText(leaf)
}
const sales = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => sale(from + n))

const tools = { sha256, verify: verifySignature }
const reading = (files: ReadonlyMap<string, Uint8Array>, verifier: Verifier) => ({
  ...tools,
  verifier,
  read: proving(files),
})
const verified = (files: ReadonlyMap<string, Uint8Array>, known: Verifier) => verifyLog(reading(files, known))
const oneLine = (files: ReadonlyMap<string, Uint8Array>, known: Verifier, index: number) =>
  verifyLine({ ...reading(files, known), keyNow: async () => (await verified(files, known)).key }, index)

/** Five lines, the second key, five more, the third key, five more. */
const entries = [...sales(0, 5)]
entries.push(keyLine(entries, first, second), ...sales(5, 10))
entries.push(keyLine(entries, second, third), ...sales(10, 15))

describe('a key that was replaced', () => {
  it.each([
    ['first', first],
    ['second', second],
    ['third', third],
  ])('is followed to the one that signs now by whoever knows the %s', async (_, known) => {
    const files = filesOfLog(third, entries)
    const { key, stated, checkpoint } = await verified(files, known)
    expect(key).toEqual({ name: NAME, publicKey: Uint8Array.from(third.publicKey) })
    expect(stated.map(({ index }) => index)).toEqual([5, 11])
    expect(checkpoint.size).toBe(17)
    for (const index of [0, 5, 16]) expect((await oneLine(files, known, index)).checkpoint.size).toBe(17)
  })

  it('signs no head any more', async () => {
    for (const old of [first, second])
      for (const known of [first, second, third])
        await expect(verified(filesOfLog(old, entries), known)).rejects.toThrow(
          'no signature is of a known key',
        )
  })

  it('leads nobody to the ledger of a stranger', async () => {
    await expect(verified(filesOfLog(third, entries), stranger)).rejects.toThrow(
      'no signature is of a known key',
    )
    await expect(verified(filesOfLog(stranger, entries), first)).rejects.toThrow(
      'no signature is of a known key',
    )
  })

  it.each<[string, (before: readonly string[]) => string, RegExp]>([
    [
      'a stranger signs for it',
      before => keyLine(before, { ...stranger, publicKey: first.publicKey }, second),
      /old key has not signed/,
    ],
    [
      'a stranger names itself',
      before => keyLine(before, stranger, second),
      /no signature is of a known key/,
    ],
    [
      'it stands at another place',
      before => keyLine(before.slice(1), first, second),
      /old key has not signed/,
    ],
    [
      'it was made for another log',
      before => keyLine([sale(99), ...before.slice(1)], first, second),
      /old key has not signed/,
    ],
    [
      'another key was signed for',
      before => keyLine(before, first, stranger).replace(textOf(stranger), textOf(second)),
      /old key has not signed/,
    ],
    [
      'it is none',
      before => keyLine(before, first, { name: 'a b', publicKey: second.publicKey }),
      /not the key of a verifier/,
    ],
  ])('is followed by nobody where %s', async (_, line, reason) => {
    const before = sales(0, 5)
    const files = filesOfLog(second, [...before, line(before), ...sales(5, 8)])
    await expect(verified(files, first)).rejects.toThrow(reason)
  })

  it('does not come again, and is named by the last one alone', async () => {
    const back = [...entries]
    back.push(keyLine(back, third, first))
    await expect(verified(filesOfLog(first, back), first)).rejects.toThrow('comes again')
    const skipped = [...entries]
    skipped.push(keyLine(skipped, first, stranger))
    await expect(verified(filesOfLog(stranger, skipped), first)).rejects.toThrow('another than the last one')
  })

  it('may name one under another name, with the head of before and why', async () => {
    const other = testSigner(`${NAME}/2`, 7)
    const before = sales(0, 5)
    const why = [8, toBase64(sha256(Buffer.from('lost'))), 'restored']
    const files = filesOfLog(other, [...before, keyLine(before, first, other, why), ...sales(20, 25)])
    const { key, stated } = await verified(files, first)
    expect(key.name).toBe(`${NAME}/2`)
    expect(stated[0]!.statement.slice(4)).toEqual(why)
    // What is said of the head of before is signed as well.
    const changed = [...before, keyLine(before, first, other, why).replace(',8,', ',9,'), ...sales(20, 25)]
    await expect(verified(filesOfLog(other, changed), first)).rejects.toThrow('has not signed')
  })
})

const textOf = (signer: TestSigner): string =>
  /"(gifts[^"]+)"\]?,?"[^"]*"\]/.exec(keyLine([], first, signer))![1]!

describe('a confirmation', () => {
  const payout = (n: number): string =>
    `[1,"2026-12-20","payout","EUR",[["ngo:msf",-${n}],["payouts-open",${n}]],"${toHex(sha256(Buffer.from(`p${n}`))).slice(0, 40)}"]`
  const received = (said: readonly unknown[], n = 0, currency = 'EUR'): string =>
    `[1,"2027-01-03","received","${currency}",[],"${toHex(sha256(Buffer.from(`r${n}`))).slice(0, 40)}",${JSON.stringify(said)}]`
  const digest = 'ab'.repeat(32)
  const lines = [sale(1), payout(5_000), payout(7_000)]

  it('is of a line of payouts, by its amount, and may be taken back and come again', async () => {
    const all = [
      ...lines,
      received([2, 'msf', '2026', 5_000, [digest]]),
      received([3, 'msf', '2026', 7_000, []], 1),
      received([2, 'msf', '2026', -5_000, []], 2),
      received([2, 'msf', '2026', 5_000, []], 3),
    ]
    expect((await verified(filesOfLog(first, all), first)).checkpoint.size).toBe(7)
  })

  it.each<[string, string[]]>([
    ['a line that is none of payouts', [received([1, 'msf', '2026', 5_000, []])]],
    ['a line that is not there', [received([9, 'msf', '2026', 5_000, []])]],
    ['another amount', [received([2, 'msf', '2026', 5_001, []])]],
    ['another organisation', [received([2, 'irc', '2026', 5_000, []])]],
    ['another year', [received([2, 'msf', '2027', 5_000, []])]],
    ['another currency', [received([2, 'msf', '2026', 5_000, []], 0, 'USD')]],
    ['one twice', [received([2, 'msf', '2026', 5_000, []]), received([2, 'msf', '2026', 5_000, []], 1)]],
    ['one that is not there, taken back', [received([2, 'msf', '2026', -5_000, []])]],
    ['nothing', [received([])]],
    ['receipts out of order', [received([2, 'msf', '2026', 5_000, [digest, '00'.repeat(32)]])]],
    ['money', [received([2, 'msf', '2026', 5_000, []]).replace('[],', '[["cards",1],["payments",-1]],')]],
  ])('of %s is a fault', async (_, more) => {
    await expect(verified(filesOfLog(first, [...lines, ...more]), first)).rejects.toThrow(
      /tile\/entries\/000/,
    )
  })
})
