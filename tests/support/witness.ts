import { sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesOf, fromBase64 } from '#domain/public-ledger/bytes.ts'
import { readCheckpoint } from '#domain/public-ledger/checkpoint.ts'
import { openNote, readNote, type Verifier } from '#domain/public-ledger/note.ts'
import { isConsistent } from '#domain/public-ledger/tree.ts'
import { cosignatureLine, cosignedText, type Witness, witnessText } from '#domain/public-ledger/witness.ts'
import { sha256, testSigner, verifySignature } from './public-log.ts'

/** A witness as C2SP's `tlog-witness` describes one, with a server of its own. */
export interface TestWitness extends Witness {
  /** Every request's first line and every answer's status, in their order. */
  readonly seen: string[]
  /** What it does in the place of what it must; undefined: what it must. */
  misbehave: ((note: string) => { status: number; body: string }) | undefined
  /** The size of the newest head that it has signed. */
  size(): number
  close(): Promise<void>
}

/** @param seconds its clock */
export async function startWitness(
  name: string,
  logs: readonly Verifier[],
  seconds: () => number,
  number = 9,
): Promise<TestWitness> {
  const signer = testSigner(name, number)
  const kept = new Map<string, { size: number; root: Uint8Array; note: string }>()
  const seen: string[] = []

  const decide = async (body: string): Promise<{ status: number; body: string; type?: string }> => {
    const [head = '', ...rest] = body.split('\n\n')
    const note = rest.join('\n\n')
    const [first = '', ...lines] = head.split('\n')
    seen.push(first)
    if (witness.misbehave) return witness.misbehave(note)
    const old = Number(/^old (0|[1-9]\d*)$/.exec(first)?.[1] ?? Number.NaN)
    if (!Number.isInteger(old) || lines.length > 63) return { status: 400, body: '' }
    const { text } = readNote(note)
    const { origin, size, root } = readCheckpoint(text)
    const log = logs.filter(each => each.name === origin)
    if (log.length === 0) return { status: 404, body: '' }
    try {
      await openNote(note, log, { sha256, verify: verifySignature })
    } catch {
      return { status: 403, body: '' }
    }
    if (old > size) return { status: 400, body: '' }
    const before = kept.get(origin)
    if (old !== (before?.size ?? 0))
      return { status: 409, body: `${before?.size ?? 0}\n`, type: 'text/x.tlog.size' }
    const proof = lines.map(fromBase64)
    const isRight =
      old === 0 ? proof.length === 0 : isConsistent(sha256, { older: before!, newer: { size, root }, proof })
    if (!isRight) return { status: 422, body: '' }
    const now = seconds()
    const line = cosignatureLine(
      sha256,
      signer,
      now,
      sign(null, bytesOf(cosignedText(text, now)), signer.privateKey),
    )
    kept.set(origin, { size, root, note: note + line })
    return { status: 200, body: line }
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const isAsked = request.method === 'POST' && request.url === '/w/add-checkpoint'
      const origin = [...kept].find(
        ([each]) => request.url === `/w/${Buffer.from(sha256(bytesOf(each))).toString('hex')}/checkpoint`,
      )
      const answer = isAsked
        ? await decide(Buffer.concat(parts).toString('utf8'))
        : origin
          ? { status: 200, body: origin[1].note }
          : { status: 404, body: '' }
      if (isAsked) seen.push(String(answer.status))
      response.writeHead(answer.status, { 'content-type': 'type' in answer ? answer.type : 'text/plain' })
      response.end(answer.body)
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const witness: TestWitness = {
    verifier: { name, publicKey: signer.publicKey },
    text: witnessText(sha256, signer),
    address: `http://127.0.0.1:${port}/w`,
    seen,
    misbehave: undefined,
    size: () => [...kept.values()].at(-1)?.size ?? 0,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return witness
}
