import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesOf, fromBase64, toBase64 } from '#domain/public-ledger/bytes.ts'
import { readNote } from '#domain/public-ledger/note.ts'
import { verifyLog } from '#domain/public-ledger/verify.ts'
import {
  cosignatureLine,
  cosignaturesIn,
  cosignedText,
  readWitness,
  readWitnessAnswer,
  readWitnesses,
  readWitnessSize,
  witnessRequest,
  witnessText,
} from '#domain/public-ledger/witness.ts'
import { filesOfLog, sha256, testSigner, verifySignature } from '#tests/support/public-log.ts'

const tools = { sha256, verify: verifySignature }
const log = testSigner('gifts.example/ledger')
const witness = testSigner('witness.example/w1', 9)
const other = testSigner('witness.example/w2', 10)
const SECONDS = 1_679_315_147

const entry =
  '[1,"2026-11-21","sale","EUR",[["cards",100],["payments",-100]],"0123456789012345678901234567890123456789"]'
const files = filesOfLog(log, [entry])
const note = Buffer.from(files.get('checkpoint')!).toString()
const { text } = readNote(note)
const lineOf = (signer: typeof witness, seconds = SECONDS, of = text) =>
  cosignatureLine(sha256, signer, seconds, sign(null, bytesOf(cosignedText(of, seconds)), signer.privateKey))
const seen = (lines: string, witnesses = [witness]) =>
  cosignaturesIn(readNote(note + lines), witnesses, tools)

describe('a cosignature', () => {
  it('is over the words of the specification', () => {
    expect(
      cosignedText(
        'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
        SECONDS,
      ),
    ).toBe(
      'cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    )
  })

  it('has the form of the specification: a key id of type 4, eight bytes of time, the signature', () => {
    const [, name, encoded] = lineOf(witness).trimEnd().split(' ')
    const bytes = fromBase64(encoded!)
    expect(name).toBe('witness.example/w1')
    expect(bytes.length).toBe(4 + 8 + 64)
    const id = sha256(Buffer.concat([Buffer.from('witness.example/w1\n\x04'), witness.publicKey])).slice(0, 4)
    expect(Buffer.from(bytes.slice(0, 4))).toEqual(Buffer.from(id))
    expect(Buffer.from(bytes.slice(4, 12)).readBigUInt64BE()).toBe(BigInt(SECONDS))
  })

  it('names its witness and its time; lines of others are passed over', async () => {
    const [one, two] = [lineOf(witness), lineOf(other)]
    expect(await seen('')).toEqual([])
    expect(await seen(two)).toEqual([])
    expect(await seen(two + one)).toEqual([{ witness: witness.name, seconds: SECONDS, line: one }])
    expect(await seen(two + one, [witness, other])).toHaveLength(2)
  })

  it.each([
    ['of another time', () => lineOf(witness).replace(/ \S+\n/, encoded => ` ${retimed(encoded)}\n`)],
    ['of another head', () => lineOf(witness, SECONDS, text.replace('\n1\n', '\n2\n'))],
    ['at no time', () => lineOf(witness, 0)],
    [
      'cut off',
      () => lineOf(witness).replace(/ (\S+)\n/, (_, all) => ` ${toBase64(fromBase64(all).slice(0, -1))}\n`),
    ],
  ])('%s is refused', async (_, line) => {
    await expect(seen(line())).rejects.toThrow('witness.example/w1 does not fit')
  })

  it('is found changed with any byte of it changed, as the files of the log are', async () => {
    const checkpoint = bytesOf(note + lineOf(witness))
    const read = (changed: Uint8Array) => async (path: string) =>
      path === 'checkpoint' ? changed : files.get(path)
    const verified = (changed: Uint8Array) =>
      verifyLog({ ...tools, verifier: log, witnesses: [witness], read: read(changed) })
    expect((await verified(checkpoint)).checkpoint.cosignatures).toHaveLength(1)
    for (let n = 0; n < checkpoint.length; n++) {
      const changed = Uint8Array.from(checkpoint)
      changed[n]! ^= 1
      // A witness by another name or id is nobody whom the reader knows: the format has it passed over.
      const isFound = await verified(changed).then(
        ({ checkpoint: head }) => head.cosignatures.length === 0,
        () => true,
      )
      expect(isFound, String(n)).toBe(true)
    }
  })

  it('does not stand for the signature of the log', async () => {
    const alone = bytesOf(`${text}\n${lineOf(witness)}`)
    const read = async (path: string) => (path === 'checkpoint' ? alone : files.get(path))
    await expect(verifyLog({ ...tools, verifier: log, witnesses: [witness], read })).rejects.toThrow(
      'no signature is of a known key',
    )
    // Nor does the same key sign both.
    const asWitness = { ...tools, verifier: witness, witnesses: [witness], read }
    await expect(verifyLog(asWitness)).rejects.toThrow('no signature is of a known key')
  })
})

const retimed = (encoded: string): string => {
  const bytes = fromBase64(encoded.trim())
  bytes[11]! ^= 1
  return toBase64(bytes)
}

describe('what a witness is asked and answers', () => {
  it('is laid out as the specification has it', () => {
    expect(witnessRequest(3, [Uint8Array.of(1, 2), Uint8Array.of(3)], 'head\n1\nroot\n\n— x y\n')).toBe(
      'old 3\nAQI=\nAw==\n\nhead\n1\nroot\n\n— x y\n',
    )
    expect(witnessRequest(0, [], 'note\n')).toBe('old 0\n\nnote\n')
  })

  it('is read strictly', () => {
    expect(readWitnessSize('20852014\n')).toBe(20_852_014)
    for (const wrong of ['20852014', '01\n', '-1\n', '', '9007199254740993\n', '1\n2\n'])
      expect(readWitnessSize(wrong), wrong).toBeUndefined()
    expect(readWitnessAnswer(lineOf(witness))).toHaveLength(1)
    for (const wrong of ['', 'text\n', lineOf(witness).trimEnd(), lineOf(witness).repeat(17)])
      expect(() => readWitnessAnswer(wrong), wrong).toThrow(RangeError)
  })
})

describe('a list of witnesses', () => {
  const one = `${witnessText(sha256, witness)} https://witness.example/w1/`
  const two = `${witnessText(sha256, other)} http://127.0.0.1:8080/w2`

  it('has a key and an address each', () => {
    expect(readWitnesses(sha256, '')).toEqual([])
    expect(
      readWitnesses(sha256, `${one}, ${two}`).map(({ verifier, address }) => [verifier.name, address]),
    ).toEqual([
      ['witness.example/w1', 'https://witness.example/w1'],
      ['witness.example/w2', 'http://127.0.0.1:8080/w2'],
    ])
  })

  it.each([
    `${one},${one}`,
    witnessText(sha256, witness),
    `${one} more`,
    one.replace('https', 'ftp'),
    'x https://x',
  ])('%s is none', list => {
    expect(() => readWitnesses(sha256, list)).toThrow(RangeError)
  })

  it('takes no key of a log for one of a witness', () => {
    expect(() =>
      readWitness(sha256, 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'),
    ).toThrow(RangeError)
  })
})
