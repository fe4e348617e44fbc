import { expect, it } from 'vitest'
import { createShownHead, keysIn } from '#server/app/parts/ledger-head.ts'
import { ledgerKeys } from '#server/modules/public-ledger/keys.ts'
import type { PublicFigures } from '#server/modules/public-ledger/public-figures.ts'

const OLD = 'the first key of the public ledger, for tests'
const NEW = 'the second key of the public ledger, for tests'
const SITE = 'https://gifts.example'
const ORIGIN = 'gifts.example/ledger'
const ROOT = new Uint8Array(32)
const signerOf = (secret: string) => ledgerKeys(secret, [], ORIGIN).signer

const headBy = (secret: string, size: number, origin = ORIGIN): PublicFigures =>
  ({ size, note: signerOf(secret).under(origin).sign({ size, root: ROOT }) }) as PublicFigures

it('names the key that signed the newest head, also one of before, and none where nothing is signed', () => {
  let head: PublicFigures | undefined
  const keys = keysIn({ ledgerKey: NEW, earlierLedgerKeys: [OLD], siteUrl: SITE })
  const shown = createShownHead(keys, () => head)
  expect(shown.key()).toBe(signerOf(NEW).verifierText)
  expect(shown.forLetters()).toBeUndefined()
  head = headBy(OLD, 1)
  expect(shown.key()).toBe(signerOf(OLD).verifierText)
  expect(shown.forLetters()).toEqual({ size: 1, note: head.note, key: signerOf(OLD).verifierText })
  head = headBy(NEW, 2)
  expect([shown.key(), shown.key()]).toEqual([signerOf(NEW).verifierText, signerOf(NEW).verifierText])
  const unsigned = keysIn({ earlierLedgerKeys: [], siteUrl: SITE })
  expect(createShownHead(unsigned, () => head).key()).toBeUndefined()
})

it('says where the files of the newest head are', () => {
  let head: PublicFigures | undefined
  const shown = createShownHead(undefined, () => head)
  expect(shown.address()).toBe('/ledger/')
  head = headBy(NEW, 3, `${ORIGIN}/2`)
  expect(shown.address()).toBe('/ledger/2/')
})
