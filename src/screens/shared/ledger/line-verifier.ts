/** What checks one line of the public ledger in the browser, or a head that somebody kept: small, since few bytes show it. */
import { sha256 } from '@noble/hashes/sha2.js'
import type { Leaf } from '#domain/public-ledger/leaf.ts'
import { type KeptHead, type LineFiles, verifyGrowth, verifyLine } from '#domain/public-ledger/line.ts'
import { isOwn, type OwnLine } from '#domain/public-ledger/passport.ts'
import { LedgerFault } from '#domain/public-ledger/verify.ts'
import { type Asked, type Checked, Ended, filesOf, told } from './reading.ts'
import verifierFile from './verifier.ts?own-file'

const lineFilesOf = (asked: Asked): LineFiles => {
  const files = filesOf(asked)
  const keyNow = async () => {
    const all = (await import(/* @vite-ignore */ verifierFile)) as typeof import('./verifier.ts')
    const checked = await all.keyNow(asked)
    if (checked.outcome !== 'good') throw new Ended(checked)
    return checked.found
  }
  return { ...files, keyNow }
}

/** @param number from 1 */
export function checkLine(asked: Asked, number: number): Promise<Checked<Leaf>> {
  return told(asked, async () => (await verifyLine(lineFilesOf(asked), number - 1)).leaf)
}

/** Checks that a line stands there, and that it is of whoever was handed this. */
export function checkOwn(asked: Asked, own: OwnLine): Promise<Checked<Leaf>> {
  return told(asked, async () => {
    const { leaf } = await verifyLine(lineFilesOf(asked), own.number - 1)
    if (!isOwn(sha256, leaf, own)) throw new LedgerFault(`line ${own.number}`, 'is not of this card')
    return leaf
  })
}

/** Checks that the ledger begins with the lines of a mail. @returns how many lines there are now */
export function checkKept(asked: Asked, kept: KeptHead): Promise<Checked<number>> {
  return told(asked, async () => (await verifyGrowth(lineFilesOf(asked), kept)).size)
}
