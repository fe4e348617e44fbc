import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildStudio } from '#server/app/studio/build.ts'
import { acquireBuildLock } from '#server/app/studio/build-lock.ts'
import { openBuilt } from '#server/app/studio/built.ts'
import { studioPolicy } from '#server/app/studio/policy.ts'
import { digestOf } from '#server/app/studio/sources.ts'
import { createStudio } from '#server/app/studio/studio.ts'

const MAIN = fileURLToPath(new URL('../../../../../src/server/app/studio/main.ts', import.meta.url))
const INLINE = 'window.x = 1'
const PAGE = `<html><script>${INLINE}</script><script src="/studio/static/a.js"></script></html>`

/** Writes down that it was built and for whom, then makes a page and a script. */
const BUILD = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
const { SANITY_STUDIO_BASEPATH, SANITY_STUDIO_PROJECT_ID, SECRET_OF_SITE } = process.env
appendFileSync('../runs.log', JSON.stringify([SANITY_STUDIO_BASEPATH, SANITY_STUDIO_PROJECT_ID, SECRET_OF_SITE]) + '\\n')
if (require('node:fs').existsSync('broken')) { console.error('a fault in the sources'); process.exit(3) }
mkdirSync('dist/static', { recursive: true })
writeFileSync('dist/static/sanity-Bx12abcd.js', 'console.log(1)\\n'.repeat(200))
writeFileSync('dist/static/favicon.svg', '<svg/>')
setTimeout(() => writeFileSync('dist/index.html', ${JSON.stringify(PAGE)}), 300)
`

/** A package like the Studio's, without anything to install. */
function fakeStudio(): string {
  const root = mkdtempSync(join(tmpdir(), 'studio-'))
  onTestFinished(() => {
    chmodSync(join(root, 'studio'), 0o755)
    rmSync(root, { recursive: true, force: true })
  })
  const folder = join(root, 'studio')
  mkdirSync(folder)
  const about = { name: 'fake', version: '1.0.0' }
  const lock = { ...about, lockfileVersion: 3, requires: true, packages: { '': about } }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...about, private: true, scripts: { build: 'node build.cjs' } }),
  )
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ ...lock, packages: {} }))
  writeFileSync(join(folder, 'build.cjs'), BUILD)
  return folder
}

const runs = (folder: string): string[] =>
  existsSync(join(folder, '../runs.log'))
    ? readFileSync(join(folder, '../runs.log'), 'utf8').trim().split('\n')
    : []
const quiet = { say: () => {} }

describe('preparing the Studio', () => {
  it('builds once for the same sources, and anew for others', async () => {
    const folder = fakeStudio()
    const log = join(folder, '../runs.log')
    const first = await buildStudio({ folder, ...quiet })
    expect(runs(folder)).toHaveLength(1)
    rmSync(log)
    expect(await buildStudio({ folder, ...quiet })).toBe(first)
    expect(runs(folder)).toEqual([])
    writeFileSync(join(folder, 'sanity.config.ts'), '// other sources')
    expect(await buildStudio({ folder, ...quiet })).not.toBe(first)
    expect(readdirSync(first)).toContain('index.html')
  })

  it('builds below /studio for the project of the settings, and tells the build no secret', async () => {
    const folder = fakeStudio()
    process.env.SECRET_OF_SITE = 'hush'
    onTestFinished(() => void delete process.env.SECRET_OF_SITE)
    await buildStudio({ folder, project: { projectId: 'abc', dataset: 'production' }, ...quiet })
    expect(runs(folder)).toEqual(['["/studio","abc",null]'])
  })

  it('is one build at a time across processes, and one for all of them', async () => {
    const folder = fakeStudio()
    const builders = Array.from({ length: 3 }, () => spawn(process.execPath, [MAIN, folder]))
    const codes = await Promise.all(builders.map(async each => (await once(each, 'exit'))[0]))
    expect(codes).toEqual([0, 0, 0])
    expect(runs(folder)).toHaveLength(1)
  })

  it('goes on after a builder that was killed', async () => {
    const folder = fakeStudio()
    const program = `import { acquireBuildLock } from '${MAIN.replace('main.ts', 'build-lock.ts')}'
      await acquireBuildLock('${join(folder, 'built')}', () => {}); process.stdout.write('mine'); setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['--input-type=module', '-e', program])
    await once(holder.stdout, 'data')
    let waited = 0
    const turn = acquireBuildLock(join(folder, 'built'), () => {
      waited++
      holder.kill('SIGKILL')
    })
    ;(await turn)()
    expect(waited).toBe(1)
  })

  it('fails with the reason, and leaves what was built before', async () => {
    const folder = fakeStudio()
    const first = await buildStudio({ folder, ...quiet })
    writeFileSync(join(folder, 'broken'), '')
    await expect(buildStudio({ folder, ...quiet })).rejects.toThrow(/npm run build failed/)
    expect(readdirSync(first)).toContain('index.html')
  })

  it('follows the rules that the Studio shares with the site', async () => {
    const folder = fakeStudio()
    const before = await digestOf(folder, undefined)
    mkdirSync(join(folder, '../src/domain'), { recursive: true })
    writeFileSync(join(folder, '../src/domain/rule.ts'), 'export const rule = 1')
    expect(await digestOf(folder, undefined)).not.toBe(before)
  })
})

describe('the Studio of a running site', () => {
  const open = (folder: string, enabled = true) => {
    const logged: string[] = []
    const studio = createStudio({
      folder,
      enabled,
      project: undefined,
      siteUrl: 'http://localhost:4321',
      log: {
        info: (event, facts) => void logged.push(`${event} ${facts?.step ?? ''}`),
        error: (event, error) => void logged.push(`${event} ${error}`),
      },
    })
    onTestFinished(() => studio.stop())
    return { studio, logged }
  }

  it('is prepared behind it, says how far it is, and is there then', async () => {
    const { studio, logged } = open(fakeStudio())
    expect([studio.state(), await studio.find('/studio')]).toEqual(['preparing', undefined])
    studio.start()
    await expect.poll(studio.state, { timeout: 20_000 }).toBe('ready')
    expect(logged).toContain('studio-preparing building it')
    expect(await studio.find('/studio')).toBeDefined()
  })

  it('says that it failed, with the reason in the log, and the site goes on', async () => {
    const folder = fakeStudio()
    writeFileSync(join(folder, 'broken'), '')
    const { studio, logged } = open(folder)
    studio.start()
    await expect.poll(studio.state, { timeout: 20_000 }).toBe('failed')
    expect(logged.at(-1)).toContain('a fault in the sources')
  })

  it('is off without sources or by the settings, and its paths are the site’s again', () => {
    for (const { studio } of [open('/nowhere/studio'), open(fakeStudio(), false)]) {
      studio.start()
      expect([studio.state(), studio.matches('/studio')]).toEqual(['off', false])
    }
  })

  it('ends its builder when the site ends', async () => {
    const folder = fakeStudio()
    writeFileSync(
      join(folder, 'build.cjs'),
      `require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)`,
    )
    const { studio } = open(folder)
    studio.start()
    await expect.poll(() => existsSync(join(folder, 'pid')), { timeout: 20_000 }).toBe(true)
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await studio.stop()
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 5_000 }).toBe(false)
    expect(studio.state()).not.toBe('failed')
  })
})

describe('the built files', () => {
  const at = { siteUrl: 'https://gift.example', hosted: false }

  it('are its page at every address that is no file, and for ever the same under a name with a hash', async () => {
    const built = await openBuilt(await buildStudio({ folder: fakeStudio(), ...quiet }), at)
    const page = await built.find('/studio')
    for (const path of ['/studio/', '/studio/structure/ngo;ngo-msf', '/studio/index.html'])
      expect(await built.find(path)).toBe(page)
    const headers = (await built.find('/studio/static/sanity-Bx12abcd.js'))?.variants.br.headers.join('\n')
    expect(headers).toContain('immutable')
    expect(headers).toContain('Content-Encoding\nbr')
    expect(page?.variants.identity.headers.join('\n')).toContain('private, no-cache')
    expect(await built.find('/static/favicon.svg')).toBeDefined()
    for (const path of ['/studio/static/none.js', '/static/none.js', '/studio/static/../../package.json'])
      expect(await built.find(path)).toBeUndefined()
  })

  it('are refused where there is no page among them', async () => {
    await expect(openBuilt(fakeStudio(), at)).rejects.toThrow(/holds no index.html/)
  })

  it('may run the scripts of their page and no other, and reach this site alone', () => {
    const local = studioPolicy(PAGE, at)
    expect(local).toMatch(/script-src 'self' 'sha256-[\w+/]+=*';/)
    expect(local).toContain("connect-src 'self' wss://gift.example;")
    expect(local).toContain("frame-ancestors 'self'")
    expect(local).not.toContain('sanity.io')
    expect(studioPolicy(PAGE, { ...at, hosted: true })).toContain('https://*.sanity.io')
  })
})
