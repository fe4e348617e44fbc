import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { moveToLocalFolder } from '#server/app/local-folder.ts'
import { keptSecrets, readKeptSecret } from '#server/platform/generated-secrets.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = 's'.repeat(43)
const EARLIER = ['card-key-secret', 'webhook-secret', 'payments-double.sqlite', 'payments-double.sqlite-wal']
const OTHERS = ['database.sqlite', 'database.sqlite-wal', 'content-snapshot.json', 'backups', 'pictures']

/** A data folder as the version before kept it. */
function anEarlierFolder(): void {
  for (const name of ['card-key-secret', 'webhook-secret']) writeFileSync(join(folder, name), SECRET)
  for (const name of EARLIER.slice(2)) writeFileSync(join(folder, name), name)
  for (const name of ['mail', 'content', 'backups', 'pictures']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a file'), name)
  }
  for (const name of OTHERS.slice(0, 3)) writeFileSync(join(folder, name), name)
}

const inLocal = (name: string) => join(folder, 'local', name)

describe('the data folder of an earlier version', () => {
  it('gives what no backup may hold to local/, and keeps the rest', () => {
    anEarlierFolder()
    expect(readKeptSecret(folder, 'card-key-secret')).toBe(SECRET)
    moveToLocalFolder(folder)
    expect(readdirSync(folder).sort()).toEqual([...OTHERS, 'local'].sort())
    expect(readdirSync(inLocal('')).sort()).toEqual([...EARLIER, 'mail', 'content'].sort())
    expect(readFileSync(inLocal('mail/a file'), 'utf8')).toBe('mail')
    expect(statSync(inLocal('')).mode & 0o777).toBe(0o700)
    expect(keptSecrets(folder)('card-key-secret')).toBe(SECRET)
    expect(readKeptSecret(folder, 'card-key-secret')).toBe(SECRET)
    moveToLocalFolder(folder)
    expect(readdirSync(inLocal('')).sort()).toEqual([...EARLIER, 'mail', 'content'].sort())
  })

  it('goes on where a crash came in between, at whichever name', () => {
    for (let moved = 0; moved <= EARLIER.length; moved++) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      anEarlierFolder()
      mkdirSync(inLocal(''))
      for (const name of EARLIER.slice(0, moved)) {
        writeFileSync(inLocal(name), readFileSync(join(folder, name)))
        rmSync(join(folder, name))
      }
      moveToLocalFolder(folder)
      expect(readdirSync(inLocal('')).sort()).toEqual([...EARLIER, 'mail', 'content'].sort())
      expect(readFileSync(inLocal('payments-double.sqlite-wal'), 'utf8')).toBe('payments-double.sqlite-wal')
    }
  })

  it('is left alone where there is none, or nothing to move', () => {
    moveToLocalFolder(join(folder, 'nothing'))
    expect(existsSync(join(folder, 'nothing'))).toBe(false)
    writeFileSync(join(folder, 'database.sqlite'), '')
    moveToLocalFolder(folder)
    expect(readdirSync(folder)).toEqual(['database.sqlite'])
  })

  it('loses nothing where both places have something: the operator is asked, unless it is the same secret', () => {
    anEarlierFolder()
    moveToLocalFolder(folder)
    writeFileSync(join(folder, 'card-key-secret'), `${SECRET}\n`)
    moveToLocalFolder(folder)
    expect(existsSync(join(folder, 'card-key-secret'))).toBe(false)
    writeFileSync(join(folder, 'card-key-secret'), 'another')
    mkdirSync(join(folder, 'mail'))
    expect(() => moveToLocalFolder(folder)).toThrow(/card-key-secret is in .*\n.*mail is in/)
    expect(readFileSync(join(folder, 'card-key-secret'), 'utf8')).toBe('another')
    expect(readFileSync(inLocal('card-key-secret'), 'utf8')).toBe(SECRET)
  })
})
