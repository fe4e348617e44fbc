/**
 * Asks the registry for known weaknesses of what the product carries, and of what the Studio is built from. Ends with
 * 1 when there is one without an exception (tests/audit-exceptions.json), with 2 when nobody could be asked.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import exceptions from './audit-exceptions.json' with { type: 'json' }
import { verdictOf } from './support/audit.ts'

/** Where there is a lock of its own. */
const PLACES = { 'the product': '.', 'the Studio': 'studio' }
const TIMEOUT_MS = 30_000

const today = new Date().toISOString().slice(0, 10)
for (const [name, folder] of Object.entries(PLACES)) {
  const { stdout } = spawnSync(
    'npm',
    [
      'audit',
      '--json',
      '--omit=dev',
      '--package-lock-only',
      '--fetch-retries=0',
      `--fetch-timeout=${TIMEOUT_MS / 2}`,
    ],
    { cwd: join(import.meta.dirname, '..', folder), encoding: 'utf8', timeout: TIMEOUT_MS },
  )
  const verdict = verdictOf(stdout ?? '', exceptions, today)
  if (verdict.kind === 'not-checked') {
    console.log(`known weaknesses of ${name}: not checked (${verdict.why})`)
    process.exitCode ??= 2
  } else if (verdict.open.length > 0) {
    console.log([`known weaknesses of ${name}:`, ...verdict.open].join('\n  '))
    process.exitCode = 1
  } else console.log(`known weaknesses of ${name}: none`)
}
