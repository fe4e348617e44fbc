import { describe, expect, it } from 'vitest'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { checkpointText } from '#domain/public-ledger/checkpoint.ts'
import { type Leaf, leafText } from '#domain/public-ledger/leaf.ts'
import { verifyLog } from '#domain/public-ledger/verify.ts'
import { isLong } from '#tests/support/counts.ts'
import { filesOfLog, sha256, signedNote, testSigner, verifySignature } from '#tests/support/public-log.ts'

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
    const head = { origin: 'other.example/ledger', size: 3, root: new Uint8Array(32) }
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
