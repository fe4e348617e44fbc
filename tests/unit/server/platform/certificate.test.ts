import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createSilence, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { lookAtCertificate } from '#server/platform/certificate.ts'

/** No test waits as long: it is there for a machine that hangs. */
const PATIENCE_MS = 30_000

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const

let folder: string
const usual = getCACertificates('default')
const file = (name: string) => join(folder, name)
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })

/** A certificate of the tests' own authority for `localhost`, that ends after so many days. */
function certificateFor(days: number): TlsOptions {
  const name = `host${days}`
  openssl('req', ...NEW_KEY, '-subj', '/CN=localhost', '-keyout', `${name}.key`, '-out', `${name}.csr`)
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-days',
    String(days),
    '-extfile',
    'names',
    '-out',
    `${name}.pem`,
  )
  return { key: readFileSync(file(`${name}.key`)), cert: readFileSync(file(`${name}.pem`)) }
}

const open: Server[] = []
async function listening(server: Server): Promise<number> {
  open.push(server)
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const serve = (options: TlsOptions) =>
  listening(createServer(options, socket => socket.on('error', () => {}).end()))
const look = (port: number, timeoutMs = PATIENCE_MS) => lookAtCertificate('localhost', port, timeoutMs)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-subj',
    '/CN=Authority of tests',
    '-days',
    '400',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  )
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost')
})
afterEach(async () => {
  setDefaultCACertificates(usual)
  for (const server of open.splice(0)) await new Promise(settle => server.close(settle))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const trust = () => setDefaultCACertificates([...usual, readFileSync(file('ca.pem'), 'utf8')])

describe('the look at a certificate', () => {
  it.each([3, 300])('says when it ends, in %d days', async days => {
    trust()
    const { endsAt, speaksHttp2 } = await look(await serve(certificateFor(days)))
    expect(Math.round((endsAt - Date.now()) / DAY_MS)).toBe(days)
    expect(speaksHttp2).toBe(false)
  })

  it('says whether HTTP/2 is spoken', async () => {
    trust()
    const port = await serve({ ...certificateFor(30), ALPNProtocols: ['h2', 'http/1.1'] })
    expect((await look(port)).speaksHttp2).toBe(true)
  })

  it('says that it is over', async () => {
    trust()
    await expect(look(await serve(certificateFor(-1)))).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' })
  })

  it('trusts no authority that nobody knows', async () => {
    const port = await serve(certificateFor(30))
    await expect(look(port)).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  })

  it('ends where nobody answers, and where nobody is', async () => {
    const silent = await listening(createSilence(socket => socket.on('error', () => {}).resume()))
    await expect(look(silent, 50)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    const gone = createSilence()
    const port = await listening(gone)
    await new Promise(settle => gone.close(settle))
    await expect(look(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
