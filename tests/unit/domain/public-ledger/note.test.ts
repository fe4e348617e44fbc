import { createHash, createPrivateKey, createPublicKey, sign, verify as verifyWith } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesOf, joined, type Sha256, toBase64 } from '#domain/public-ledger/bytes.ts'
import { checkpointText, originOf, readCheckpoint } from '#domain/public-ledger/checkpoint.ts'
import {
  noteOf,
  openNote,
  readVerifier,
  signatureLine,
  type VerifySignature,
  verifierText,
} from '#domain/public-ledger/note.ts'

const sha256: Sha256 = bytes => createHash('sha256').update(bytes).digest()
const verify: VerifySignature = (publicKey, message, signature) =>
  verifyWith(
    null,
    message,
    createPublicKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    }),
    signature,
  )
const tools = { sha256, verify }

/** The example of the specification. */
const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`

const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})
const own = {
  name: 'gifts.example/ledger',
  publicKey: Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url'),
}
const signed = (text: string) =>
  noteOf(text, signatureLine(sha256, own, sign(null, bytesOf(text), privateKey)))

describe('a signed note', () => {
  it('of the specification is opened by its key', async () => {
    const verifier = readVerifier(sha256, KEY)
    expect(verifierText(sha256, verifier)).toBe(KEY)
    expect(await openNote(NOTE, [verifier], tools)).toBe('This is an example message.\n')
  })

  it('is opened by the key that signed it, among signatures of others', async () => {
    const text = 'one\n\ntwo\n'
    const note = signed(text) + NOTE.split('\n').slice(2).join('\n')
    expect(await openNote(note, [own], tools)).toBe(text)
  })

  it('is refused where no known key has signed it', async () => {
    await expect(openNote(NOTE, [own], tools)).rejects.toThrow('no signature is of a known key')
    await expect(openNote(NOTE, [], tools)).rejects.toThrow('no signature is of a known key')
  })

  it('is refused where the signature of a known key does not fit, whoever else signed', async () => {
    const other = joined(readVerifier(sha256, KEY).publicKey)
    const forged = { name: 'example.com/foo', publicKey: other }
    const note = signed('text\n') + signatureLine(sha256, forged, new Uint8Array(64))
    await expect(openNote(note, [own, forged], tools)).rejects.toThrow('does not fit')
  })

  it('is refused with any byte changed', async () => {
    const bytes = bytesOf(signed('text\nmore\n'))
    for (let n = 0; n < bytes.length; n++) {
      for (const change of [1, 0x20, 0x80]) {
        const changed = Uint8Array.from(bytes)
        changed[n]! ^= change
        const opened = async () =>
          openNote(new TextDecoder('utf-8', { fatal: true }).decode(changed), [own], tools)
        await expect(opened(), `byte ${n} with ${change}`).rejects.toThrow()
      }
    }
  })

  it('is refused with control characters, without an end, or with a signature spelt another way', async () => {
    const note = signed('text\n')
    await expect(openNote(note.replace('text', 'te\tt'), [own], tools)).rejects.toThrow('malformed')
    await expect(openNote(note.slice(0, -1), [own], tools)).rejects.toThrow('malformed')
    await expect(openNote(note.replace(/\n$/, ' \n'), [own], tools)).rejects.toThrow()
    await expect(openNote(note.replace('—', '-'), [own], tools)).rejects.toThrow()
    await expect(openNote('text\n', [own], tools)).rejects.toThrow('no signature')
    // Two bits of the last letter say nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const respelt = note.replace(/(.)=\n$/, (_, last) => `${letters[letters.indexOf(last) ^ 1]}=\n`)
    expect(respelt).not.toBe(note)
    await expect(openNote(respelt, [own], tools)).rejects.toThrow('base64')
  })
})

describe('the key of a verifier', () => {
  it.each([
    KEY.replace('530d903a', '530d903b'),
    KEY.replace('foo', 'bar'),
    KEY.replace('+A', '+B'),
    KEY.slice(0, -4),
    'example.com/foo',
    '',
  ])('%s is none', text => {
    expect(() => readVerifier(sha256, text)).toThrow(RangeError)
  })
})

describe('a checkpoint', () => {
  const root = sha256(bytesOf('root'))
  const text = `gifts.example/ledger\n70000\n${toBase64(root)}\n`

  it('is written and read as three lines', () => {
    const checkpoint = { origin: 'gifts.example/ledger', size: 70_000, root }
    expect(checkpointText(checkpoint)).toBe(text)
    expect(readCheckpoint(text)).toEqual({ ...checkpoint, root: Uint8Array.from(root) })
  })

  it.each([
    text.replace('70000', '070000'),
    text.replace('70000', '-1'),
    text.replace('70000', '9007199254740992'),
    text.replace('gifts.example/ledger', ''),
    `${text}more\n`,
    text.slice(0, -1),
    text.replace(toBase64(root), toBase64(root.subarray(1))),
  ])('%j is none', wrong => {
    expect(() => readCheckpoint(wrong)).toThrow(RangeError)
  })

  it('names the log by the address of the site', () => {
    expect(originOf('https://gifts.example')).toBe('gifts.example/ledger')
    expect(originOf('http://localhost:4321')).toBe('localhost:4321/ledger')
  })
})
