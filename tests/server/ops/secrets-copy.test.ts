import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseEnv } from 'node:util'
import { createGunzip } from 'node:zlib'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { unpackTar } from 'modern-tar/fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backup } from '#server/ops/backup.ts'
import type { Tools } from '#server/ops/command.ts'
import { restore } from '#server/ops/restore.ts'
import { CREATED_AT, sellCards, TEST_CARD_SECRET } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

/** As long as a file of several pieces of age, which are 64 kB each. */
const PICTURE = Buffer.alloc(200_000, 7)

let test: TestDatabase
let folder: string
let key: string
let tools: Tools
beforeEach(async () => {
  process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
  test = await openTestDatabase()
  await sellCards(test.db, 1)
  folder = mkdtempSync(join(tmpdir(), 'gc-secrets-'))
  const local = join(test.location.dataDir, 'local')
  mkdirSync(join(local, 'content'), { recursive: true })
  writeFileSync(join(local, 'ledger-key'), 'kept-secret-of-the-ledger')
  writeFileSync(join(local, 'content', 'picture'), PICTURE)
  key = await generateX25519Identity()
  const path = join(folder, '.env')
  writeFileSync(path, `CARD_KEY_SECRET=of-the-file\nNODE_OPTIONS=--trace-warnings\n`)
  tools = {
    place: test.location,
    database: async () => test.db,
    environment: {
      CARD_KEY_SECRET: TEST_CARD_SECRET,
      MAIL_FROM: 'The "Chain" <gifts@ong.example>',
      BACKUP_RECIPIENT: await identityToRecipient(key),
      HOME: '/root',
    },
    settingsFile: { path, names: ['CARD_KEY_SECRET', 'NODE_OPTIONS'] },
    clock: () => CREATED_AT,
    progress() {},
  }
})
afterEach(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const copy = () => join(folder, 'copies', 'one')
const secrets = () => `${copy()}.secrets.age`
const names = () => readdirSync(join(folder, 'copies')).sort()

/** As `age -d -i <key> <file> | tar xz` does. @returns the folder that it was unpacked to */
async function opened(file: string, identity: string): Promise<string> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const plain = await decrypter.decrypt(Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>)
  const to = join(folder, 'opened')
  await pipeline(plain, createGunzip(), unpackTar(to))
  return to
}

describe('the copy of the secrets beside a backup', () => {
  it('has the settings as the site reads them, and the local data, for the key of the recipient', async () => {
    expect((await backup.run(tools, [copy()])).data).toMatchObject({ file: copy(), secrets: secrets() })
    const to = await opened(secrets(), key)
    const set = Object.entries(parseEnv(readFileSync(join(to, '.env'), 'utf8'))).filter(([, value]) => value)
    const { HOME: _, ...settings } = tools.environment
    expect(Object.fromEntries(set)).toMatchObject({ ...settings, NODE_OPTIONS: '--trace-warnings' })
    expect(set.map(([name]) => name)).not.toContain('HOME')
    expect(readFileSync(join(to, 'local/ledger-key'), 'utf8')).toBe('kept-secret-of-the-ledger')
    expect(readFileSync(join(to, 'local/content/picture'))).toEqual(PICTURE)
  })

  it('has what other programs read from the same file, however it is written there', async () => {
    const others = [
      'PLAIN=one # with words',
      'export EXPORTED=two',
      ' SPACED = three',
      'KEY="-----BEGIN-----\nabc=def\n-----END-----"',
      'TWICE=no',
      "TWICE='y # es'",
    ].join('\n')
    writeFileSync(tools.settingsFile!.path, `CARD_KEY_SECRET=of-the-file\n${others}\n`)
    await backup.run(tools, [copy()])
    const text = readFileSync(join(await opened(secrets(), key), '.env'), 'utf8')
    expect(parseEnv(text)).toMatchObject({ ...parseEnv(others), CARD_KEY_SECRET: TEST_CARD_SECRET })
    expect(text).toContain('PLAIN=one # with words')
  })

  it('opens with no other key, and tells no secret without one', async () => {
    await backup.run(tools, [copy()])
    await expect(opened(secrets(), await generateX25519Identity())).rejects.toThrow()
    // What is only compressed has none of these words in it either.
    expect(readFileSync(secrets(), 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> X25519 /)
    for (const name of names())
      for (const secret of [TEST_CARD_SECRET, 'kept-secret-of-the-ledger'])
        expect(readFileSync(join(folder, 'copies', name)).includes(secret), name).toBe(false)
  })

  it('is written for nobody where no recipient is set, and the operator is told what is not there', async () => {
    tools = { ...tools, environment: { ...tools.environment, BACKUP_RECIPIENT: ' ' } }
    const { lines } = await backup.run(tools, [copy()])
    expect(names()).toEqual(['one'])
    expect(lines.join()).toContain('Not in it: the settings')
  })

  it('is refused for what is no recipient, which leaves the backup whole and nothing half-written', async () => {
    const recipient = tools.environment.BACKUP_RECIPIENT!
    // A letter that was mistyped; the checksum finds it.
    const wrong = recipient.slice(0, -1) + (recipient.endsWith('q') ? 'p' : 'q')
    tools = { ...tools, environment: { ...tools.environment, BACKUP_RECIPIENT: wrong } }
    await expect(backup.run(tools, [copy()])).rejects.toThrow('BACKUP_RECIPIENT is no recipient of age')
    expect(names()).toEqual(['one'])
  })

  it('says where what opens the cards is not in it, and has it where the site keeps it itself', async () => {
    tools = { ...tools, environment: { ...tools.environment, CARD_KEY_SECRET: '' } }
    const { lines, ok } = await backup.run(tools, [copy()])
    expect([ok, lines.at(-1)]).toEqual([false, expect.stringContaining('CARD_KEY_SECRET is not in it')])
    writeFileSync(join(test.location.dataDir, 'local', 'card-key-secret'), 'kept-secret-of-the-cards')
    expect(await backup.run(tools, [join(folder, 'copies', 'two')])).toMatchObject({ ok: true })
    const to = await opened(join(folder, 'copies', 'two.secrets.age'), key)
    expect(readFileSync(join(to, 'local/card-key-secret'), 'utf8')).toBe('kept-secret-of-the-cards')
  })

  it('is no backup to bring back', async () => {
    await backup.run(tools, [copy()])
    await expect(restore.run(tools, [secrets()])).rejects.toThrow('Say the backup beside it')
  })
})
