import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keptSecrets, localFolder } from '#server/platform/generated-secrets.ts'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('makes a secret of 256 bits once and gives the same one ever after', () => {
  const secret = keptSecrets(folder)('card-key-secret')
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(keptSecrets(folder)('card-key-secret')).toBe(secret)
})

it('makes another secret for another name and another folder', () => {
  const keep = keptSecrets(folder)
  expect(keep('webhook-secret')).not.toBe(keep('card-key-secret'))
  expect(keptSecrets(join(folder, 'other'))('card-key-secret')).not.toBe(keep('card-key-secret'))
})

it('lets nobody but its owner read it, and leaves no draft behind', () => {
  keptSecrets(folder)('card-key-secret')
  const local = localFolder(folder)
  expect(readdirSync(folder)).toEqual(['local'])
  expect(readdirSync(local)).toEqual(['card-key-secret'])
  expect(statSync(join(local, 'card-key-secret')).mode & 0o777).toBe(0o600)
  for (const each of [folder, local]) expect(statSync(each).mode & 0o777).toBe(0o700)
})
