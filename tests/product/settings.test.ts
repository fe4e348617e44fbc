import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { runToEnd, startProduct } from '#tests/support/product/product.ts'

it('refuses to start in production without settings, names every one that is missing, and writes nothing', async () => {
  const dataDir = join(tmpdir(), `gc-never-made-${process.pid}`)
  const { exitCode, output } = await runToEnd({ NODE_ENV: 'production', DATA_DIR: dataDir })
  expect(exitCode).toBe(1)
  const missing = [...output.matchAll(/^ {2}- ([A-Z_]+) is missing/gm)].map(([, name]) => name).sort()
  expect(missing).toEqual([
    'CARD_KEY_SECRET',
    'MAIL_FROM',
    'OPERATOR_MAIL',
    'OPERATOR_TOKEN',
    'SANITY_PROJECT_ID',
    'SITE_URL',
    'SMTP_URL',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
  expect(() => statSync(dataDir)).toThrow('ENOENT')
})

it('refuses wrong settings in production by name, all at once, without a stack or a value', async () => {
  const dataDir = join(tmpdir(), `gc-never-made-either-${process.pid}`)
  const { exitCode, output } = await runToEnd({
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    SITE_URL: 'gifts.example',
    CARD_KEY_SECRET: 'a'.repeat(40),
    STRIPE_SECRTE_KEY: 'sk_live_misspelt4eC39HqLy',
    SMTP_URL: 'smtp.gifts.example',
    TRUSTED_PROXIES: 'everyone',
    OPERATOR_MAIL: 'nobody',
  })
  expect(exitCode).toBe(1)
  for (const fault of [
    'SITE_URL must be an origin',
    'CARD_KEY_SECRET can be guessed',
    'STRIPE_SECRTE_KEY is no setting: did you mean STRIPE_SECRET_KEY?',
    'SMTP_URL must start with smtps://',
    'TRUSTED_PROXIES must be addresses or networks',
    'OPERATOR_MAIL must be one e-mail address',
    'SANITY_PROJECT_ID is missing',
  ])
    expect(output).toContain(`  - ${fault}`)
  expect(output).not.toMatch(/^\s+at |aaaaaa|misspelt/m)
  expect(() => statSync(dataDir)).toThrow('ENOENT')
})

it('keeps its folder and its secrets for its owner alone, and starts with no other secret', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'gc-fresh-')), 'data')
  try {
    const product = await startProduct({ env: { DATA_DIR: dataDir } })
    expect(await product.stop()).toBe(0)
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(dataDir)).toBe('700')
    const local = join(dataDir, 'local')
    expect(mode(local)).toBe('700')
    expect(mode(join(local, 'card-key-secret'))).toBe('600')
    expect(mode(join(local, 'webhook-secret'))).toBe('600')
    expect(readdirSync(local).filter(name => /secret\./.test(name))).toEqual([])

    const other = { DATA_DIR: dataDir, CARD_KEY_SECRET: 'another secret than the one that was kept' }
    const refused = await runToEnd(other)
    expect(refused.exitCode).toBe(1)
    expect(refused.output).toContain(`  - ${WRONG_SECRET}`)
    expect(refused.output).not.toMatch(/^\s+at /m)

    // As an earlier version kept it: with a secret that was made anew the start would be refused.
    const kept = readFileSync(join(local, 'card-key-secret'), 'utf8')
    for (const name of readdirSync(local)) renameSync(join(local, name), join(dataDir, name))
    const whetherClosed = () => inDatabase(dataDir, "select 1 from secret_checks where name = 'rows-closed'")
    inDatabase(dataDir, "delete from secret_checks where name = 'rows-closed'")
    expect(whetherClosed()).toHaveLength(0)
    const again = await startProduct({ env: { DATA_DIR: dataDir } })
    expect(await again.stop()).toBe(0)
    expect(readFileSync(join(local, 'card-key-secret'), 'utf8')).toBe(kept)
    expect(readdirSync(dataDir)).not.toContain('card-key-secret')
    expect(whetherClosed()).toHaveLength(1)
    // The counting of the books' rows has begun before anything is sold.
    expect(inDatabase(dataDir, 'select number from checkpoints')).toEqual([{ number: 1 }])
  } finally {
    rmSync(join(dataDir, '..'), { recursive: true, force: true })
  }
})

function inDatabase(dataDir: string, statement: string): unknown[] {
  const connection = new DatabaseSync(join(dataDir, SQLITE_FILE))
  try {
    return connection.prepare(statement).all()
  } finally {
    connection.close()
  }
}
