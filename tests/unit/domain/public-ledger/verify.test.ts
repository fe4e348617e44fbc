import { describe, expect, it } from 'vitest'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { checkpointText } from '#domain/public-ledger/checkpoint.ts'
import { type Leaf, leafText } from '#domain/public-ledger/leaf.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'
import { verifyLog } from '#domain/public-ledger/verify.ts'
import { count, isLong } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import {
  filesOfLog,
  keyLine,
  sha256,
  signedNote,
  testSigner,
  verifySignature,
} from '#tests/support/public-log.ts'

const signer = testSigner('gifts.example/ledger')

const entries = (number: number): string[] =>
  Array.from({ length: number }, (_, n): string => {
    const leaf: Leaf = {
      day: '2026-11-21',
      cause: 'sale',
      currency: n % 3 === 0 ? 'USD' : 'EUR',
      amounts: [
        ['cards', 100 + n],
        ['payments', -100 - n],
      ],
      proof: toHex(sha256(Buffer.from(String(n)))).slice(0, 40),
    }
    return leafText(leaf)
  })

const verified = (files: ReadonlyMap<string, Uint8Array>) =>
  verifyLog({ sha256, verify: verifySignature, verifier: signer, read: async path => files.get(path) })

describe('the files of a log', () => {
  it.each([0, 1, 2, 255, 256, 257, 600])('are in order with %i entries', async size => {
    const { checkpoint, sums } = await verified(filesOfLog(signer, entries(size)))
    expect(checkpoint.size).toBe(size)
    if (size === 2) {
      expect(Object.fromEntries(sums.get('USD')!)).toEqual({ cards: 100, payments: -100 })
      expect(Object.fromEntries(sums.get('EUR')!)).toEqual({ cards: 101, payments: -101 })
    }
  })

  it('hand out every leaf with its place', async () => {
    const places: number[] = []
    const files = filesOfLog(signer, entries(300))
    await verifyLog({
      sha256,
      verify: verifySignature,
      verifier: signer,
      read: async path => files.get(path),
      onLeaf: (_, index) => places.push(index),
    })
    expect(places).toEqual(Array.from({ length: 300 }, (_, n) => n))
  })

  it('are refused with any byte of any file changed', async () => {
    const files = filesOfLog(signer, entries(7))
    let changes = 0
    for (const [path, bytes] of files) {
      for (let n = 0; n < bytes.length; n++) {
        for (const bits of isLong ? [1, 2, 4, 8, 16, 32, 64, 128] : [1, 0x20]) {
          const changed = Uint8Array.from(bytes)
          changed[n]! ^= bits
          await expect(verified(new Map(files).set(path, changed)), `${path} ${n} ${bits}`).rejects.toThrow()
          changes++
        }
      }
    }
    expect(changes).toBeGreaterThan(2_000)
  })

  it('are refused with any byte changed where lines say what arrived, and that another key signs', async () => {
    const next = testSigner(signer.name, 8)
    const proof = (n: number) => toHex(sha256(Buffer.from(`said ${n}`))).slice(0, 40)
    const lines = [
      ...entries(2),
      `[1,"2026-11-21","payout","EUR",[["ngo:msf",-500],["payouts-open",500]],"${proof(1)}"]`,
      `[1,"2026-11-22","received","EUR",[],"${proof(2)}",[3,"msf","2026",500,["${'ab'.repeat(32)}"]]]`,
    ]
    lines.push(keyLine(lines, signer, next))
    const files = filesOfLog(next, lines)
    expect((await verified(files)).checkpoint.size).toBe(5)
    for (const [path, bytes] of files) {
      for (let n = 0; n < bytes.length; n += isLong ? 1 : 3) {
        const changed = Uint8Array.from(bytes)
        changed[n]! ^= 1
        await expect(verified(new Map(files).set(path, changed)), `${path} ${n}`).rejects.toThrow()
      }
    }
  })

  it(
    'are refused with a byte changed anywhere in a large log',
    async () => {
      const files = filesOfLog(signer, entries(1_000))
      const all = [...files]
      const bytes = all.reduce((sum, [, each]) => sum + each.length, 0)
      const chance = fakeChance(71)
      for (let n = 0; n < count({ usual: 15, long: 10_000 }); n++) {
        let place = Math.floor(chance() * bytes)
        const [path, content] = all.find(([, each]) => {
          if (place < each.length) return true
          place -= each.length
          return false
        })!
        const changed = Uint8Array.from(content)
        changed[place]! ^= 1 << Math.floor(chance() * 8)
        await expect(verified(new Map(files).set(path, changed)), `${path} ${place}`).rejects.toThrow()
      }
    },
    count({ usual: 60_000, long: 3_600_000 }),
  )

  it('are refused with any file cut, longer or missing', async () => {
    const files = filesOfLog(signer, entries(300))
    for (const [path, bytes] of files) {
      const others = new Map(files)
      others.delete(path)
      const cut = new Map(files).set(path, bytes.slice(0, -1))
      const longer = new Map(files).set(path, Uint8Array.of(...bytes, 10))
      for (const changed of [others, cut, longer]) await expect(verified(changed), path).rejects.toThrow(path)
    }
  })

  it.each<[string, (all: string[]) => string[]]>([
    ['an entry cut', all => all.toSpliced(100, 1)],
    ['the last entry cut', all => all.slice(0, -1)],
    ['an entry moved', all => all.toSpliced(10, 1).toSpliced(200, 0, all[10]!)],
    ['an entry doubled', all => all.toSpliced(10, 0, all[10]!)],
    ['an entry back-dated', all => all.with(10, all[10]!.replace('2026-11-21', '2026-11-20'))],
    ['an amount changed', all => all.with(10, all[10]!.replaceAll('110', '210'))],
  ])('are refused with %s behind the signed head', async (_, change) => {
    const signedFiles = filesOfLog(signer, entries(300))
    const changed = filesOfLog(signer, change(entries(300)))
    // Whoever does not have the key can make every file anew but the head.
    changed.set('checkpoint', signedFiles.get('checkpoint')!)
    await expect(verified(changed)).rejects.toThrow()
  })

  it.each<[string, (all: string[]) => string[], string]>([
    ['an entry twice', all => all.with(9, all[10]!), 'twice'],
    ['an entry that does not sum to zero', all => all.with(9, all[9]!.replace('-109', '-108')), 'amounts'],
    ['an entry that is no JSON', all => all.with(9, 'text'), 'JSON'],
  ])('are refused with %s, although the operator has signed it', async (_, change, reason) => {
    await expect(verified(filesOfLog(signer, change(entries(20))))).rejects.toThrow(reason)
  })

  it('are refused where the same key has signed the head of another log', async () => {
    const files = filesOfLog(signer, entries(3))
    const root = rootOf(
      sha256,
      entries(3).map(each => leafHash(sha256, bytesOf(each))),
    )
    const head = { origin: 'other.example/ledger', size: 3, root }
    files.set('checkpoint', bytesOf(signedNote(signer, checkpointText(head))))
    await expect(verified(files)).rejects.toThrow('of another log')
  })

  it('are refused as those of another log, or under another key', async () => {
    const other = { ...testSigner('other.example/ledger') }
    const files = filesOfLog(signer, entries(3))
    const read = async (path: string) => files.get(path)
    const tools = { sha256, verify: verifySignature, read }
    await expect(verifyLog({ ...tools, verifier: other })).rejects.toThrow('known key')
    await expect(verifyLog({ ...tools, verifier: testSigner(signer.name, 8) })).rejects.toThrow('known key')
  })
})
