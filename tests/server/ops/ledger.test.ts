import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deriveFiles, ledgerFolder } from '#server/modules/public-ledger/files.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { askWitness, askWitnesses } from '#server/modules/public-ledger/witnesses.ts'
import { Refusal, type Tools } from '#server/ops/command.ts'
import { ledger } from '#server/ops/ledger.ts'
import { CREATED_AT, sellCards } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startWitness } from '#tests/support/witness.ts'

const SECRET = 'a key of the public ledger, for tests alone'
const signer = createSigner(SECRET, 'gifts.example/ledger')
const clock = () => CREATED_AT + 24 * 3_600_000
const goOn = async () => {}
const run = promisify(execFile)
const OTHER = 'witness.example/w+26e44a48+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'

let test: TestDatabase
let folder: string
let tools: Tools
beforeEach(async () => {
  test = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gc-ops-ledger-'))
  tools = {
    database: async () => test.db,
    place: { dataDir: join(folder, 'data'), databaseUrl: test.location.databaseUrl },
    environment: { LEDGER_KEY: SECRET },
    clock,
    progress() {},
  }
  await sellCards(test.db, 7)
})
afterEach(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const publish = () => sequenceDays({ db: test.db, clock, signer, draw: () => 0 }, goOn)
const tell = async (...args: string[]) => {
  const { lines, data, ok } = await ledger.run(tools, args)
  for (const line of lines.join('\n').split('\n')) expect(line.length, line).toBeLessThanOrEqual(140)
  expect(JSON.stringify([lines, data])).not.toContain(SECRET)
  return { text: lines.join('\n'), data: data as Record<string, unknown>, ok }
}

describe('ledger verify', () => {
  it('says that every line is as it was signed, with the balances and the key', async () => {
    await publish()
    const { text, data, ok } = await tell('verify')
    expect(ok).toBe(true)
    expect(text).toContain('7 lines, each as it was signed')
    expect(text).toContain(signer.verifierText)
    expect(text).toMatch(/EUR +cards +350\.00/)
    expect(data).toMatchObject({
      size: 7,
      key: signer.verifierText,
      sums: { EUR: { cards: 35_000, payments: -38_500, support: 2_765, tax: 735 } },
    })
  })

  it('looks at the files that are served too, and at the database behind them', async () => {
    await publish()
    const served = ledgerFolder(tools.place.dataDir)
    await deriveFiles({ db: test.db, folder: served, goOn })
    expect((await tell('verify')).ok).toBe(true)
    const tile = join(served, 'tile/entries/000.p/7')
    writeFileSync(tile, readFileSync(tile, 'latin1').replace('-5500', '-5501'), 'latin1')
    const changed = await tell('verify')
    expect(changed.ok).toBe(false)
    expect(changed.text).toContain('tile/entries/000.p/7')
    rmSync(served, { recursive: true })
    await test.plant(`update ledger_leaves set hash = '${'0'.repeat(64)}' where seq = 3`)
    expect((await tell('verify')).text).toContain('not those that were signed')
  })

  it('has nothing to look at before the first head, and no key to look with', async () => {
    await expect(tell('verify')).rejects.toThrow('Nothing is published yet')
    await publish()
    tools = { ...tools, environment: {} }
    await expect(tell('verify')).rejects.toThrow('LEDGER_KEY is not set here')
    expect((await tell('verify', '--key', signer.verifierText)).ok).toBe(true)
    await expect(tell('verify', '--key', 'gifts.example/ledger')).rejects.toThrow(Refusal)
  })

  it('says whether the ledger begins as a mail told, and so does the program in Python', async () => {
    await publish()
    const then = await tell('verify')
    const kept = `7:${String(then.data.root).slice(0, 8)}`
    await sellCards(test.db, 5)
    await sequenceDays({ db: test.db, clock, signer, draw: () => 0 }, goOn)
    const place = join(folder, 'kept')
    await tell('export', place)
    const python = (seen: string) =>
      run('python3', ['tests/support/verify-ledger.py', place, signer.verifierText, '--seen', seen])
    expect(await tell('verify', '--seen', kept)).toMatchObject({ ok: true, data: { size: 12, seen: true } })
    expect((await python(kept)).stdout).toContain('"size": 12')
    const letters = kept.slice(2)
    for (const [seen, says] of [
      [`6:${letters}`, 'are others than you saw'],
      [`13:${letters}`, 'fewer lines than the 13'],
      [
        `7:${letters.toLowerCase() === letters ? letters.toUpperCase() : letters.toLowerCase()}`,
        'are others',
      ],
    ] as const) {
      const { ok, text } = await tell('verify', '--seen', seen)
      expect(ok, seen).toBe(false)
      expect(text).toContain(says)
      await expect(python(seen)).rejects.toMatchObject({ stdout: expect.stringContaining('FAULT') })
    }
    await expect(tell('verify', '--seen', '7')).rejects.toThrow(Refusal)
  })

  it('takes no other key for the one that signed', async () => {
    await publish()
    const other = createSigner('another key of the public ledger, by lot', 'gifts.example/ledger')
    expect((await tell('verify', '--key', other.verifierText)).text).toContain(
      'no signature is of a known key',
    )
  })
})

describe('witnesses', () => {
  it('that have signed the head are named, and a line of theirs that does not fit is a fault', async () => {
    await publish()
    const seconds = () => Math.floor(clock() / 1_000)
    const witness = await startWitness('witness.example/one', [signer.verifier], seconds)
    const set = `${witness.text} ${witness.address}`
    const asked = { db: test.db, clock, witnesses: [witness], ask: askWitness, goOn }
    expect(await askWitnesses(asked)).toMatchObject([{ outcome: 'signed' }])
    await witness.close()
    tools = { ...tools, environment: { ...tools.environment, LEDGER_WITNESSES: set } }
    const { text, data } = await tell('verify')
    expect(text).toContain('Signed by the witness witness.example/one at 2026-03-11T')
    expect(data.witnesses).toEqual([
      { witness: 'witness.example/one', at: new Date(clock()).toISOString().replace('.000', '') },
    ])
    const place = join(folder, 'seen')
    await tell('export', place)
    const alone = ['verify', place, '--key', signer.verifierText] as const
    expect((await tell(...alone, '--witness', witness.text)).data.witnesses).toHaveLength(1)
    const checkpoint = join(place, 'checkpoint')
    const changed = readFileSync(checkpoint, 'utf8').replace(
      /(.)(\S{8})\n$/,
      (_, letter, rest) => `${letter === 'A' ? 'B' : 'A'}${rest}\n`,
    )
    writeFileSync(checkpoint, changed)
    expect((await tell(...alone, '--witness', witness.text)).text).toContain(
      'witness.example/one does not fit',
    )
    // Whoever does not know the witness passes over its line.
    expect((await tell(...alone, '--witness', witness.text.replace(/.*/, OTHER))).ok).toBe(true)
    await expect(tell(...alone, '--witness', signer.verifierText)).rejects.toThrow(Refusal)
  })
})

describe('ledger export', () => {
  it('writes files that anyone with the key can verify, without the site', async () => {
    await publish()
    const place = join(folder, 'out')
    const { data, text } = await tell('export', place)
    expect(data).toMatchObject({ size: 7, key: signer.verifierText })
    expect(text).toContain(signer.verifierText)
    tools = {
      ...tools,
      environment: {},
      database: () => Promise.reject(new Error('the site is not there')),
    }
    expect((await tell('verify', place, '--key', signer.verifierText)).ok).toBe(true)
    writeFileSync(join(place, 'more'), '')
    expect((await tell('verify', place, '--key', signer.verifierText)).text).toContain(
      'is no file of the log',
    )
    await expect(tell('export', place)).rejects.toThrow('is not empty')
    expect(readdirSync(place)).toContain('more')
  })

  it.each([['export'], ['verify', 'a', 'b'], ['look'], []])('refuses %j', async (...args) => {
    await expect(tell(...args)).rejects.toThrow(Refusal)
  })
})
