import { spawnSync } from 'node:child_process'
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
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tools } from '#server/ops/command.ts'
import { type Machine, machineFiles, nginxPlain, nginxSecure } from '#server/ops/go-live/files.ts'
import { goLive } from '#server/ops/go-live.ts'
import { NoDatabase } from '#server/platform/db/database.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-go-live-'))
  mkdirSync(join(folder, 'site'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const nowhere = async () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ENOTFOUND' }))
const tools: Tools = {
  database: () => Promise.reject(new NoDatabase('There is no database.')),
  place: { dataDir: '.data' },
  environment: {},
  clock: () => Date.UTC(2026, 10, 22),
  progress() {},
  outside: { fetch: nowhere, texts: async () => [], addresses: async () => [], certificate: nowhere },
}
const live = (...args: string[]) => goLive.run(tools, ['--root', join(folder, 'site'), ...args])
const env = () => parseEnv(readFileSync(join(folder, 'site/.env'), 'utf8'))
const FLAGS = ['--domain', 'gifts.ong.cat', '--mail', 'me@ong.cat', '--user', 'gifts']

describe('go-live', () => {
  it('writes the settings for their owner alone, with secrets drawn by lot', async () => {
    await live(...FLAGS)
    const path = join(folder, 'site/.env')
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
    expect(env()).toMatchObject({
      NODE_ENV: 'production',
      SITE_URL: 'https://gifts.ong.cat',
      DATA_DIR: join(folder, 'data'),
      OPERATOR_MAIL: 'me@ong.cat',
      MAIL_FROM: 'Gift cards <gifts@gifts.ong.cat>',
      TRUSTED_PROXIES: '127.0.0.1,::1',
    })
    expect(env().CARD_KEY_SECRET).toMatch(/^[\w-]{43}$/)
    expect(env().OPERATOR_TOKEN).toMatch(/^[\w-]{43}$/)
    expect(env().OPERATOR_TOKEN).not.toBe(env().CARD_KEY_SECRET)
    expect(env().LEDGER_KEY).toMatch(/^[\w-]{43}$/)
    expect(env().LEDGER_KEY).not.toBe(env().CARD_KEY_SECRET)
  })

  it('keeps what is set when it is said again, and a copy of a file that it changes', async () => {
    await live(...FLAGS)
    const before = readFileSync(join(folder, 'site/.env'), 'utf8')
    await live()
    expect(readFileSync(join(folder, 'site/.env'), 'utf8')).toBe(before)
    expect(readdirSync(join(folder, 'site')).filter(name => name.startsWith('.env.'))).toEqual([])
    const secret = env().CARD_KEY_SECRET
    writeFileSync(
      join(folder, 'site/.env'),
      `${before.replace('SMTP_URL=', 'SMTP_URL=smtps://u:p@mail.ong.cat')}\nTZ=UTC\n`,
    )
    const { data } = await live('--domain', 'cards.ong.cat')
    expect(env()).toMatchObject({
      SITE_URL: 'https://cards.ong.cat',
      CARD_KEY_SECRET: secret,
      SMTP_URL: 'smtps://u:p@mail.ong.cat',
      TZ: 'UTC',
    })
    const { kept } = data as { kept: string }
    expect(readFileSync(kept, 'utf8')).toContain('SITE_URL=https://gifts.ong.cat')
  })

  it('lets the service write to its own folders and the archive of the log', async () => {
    const writable = () =>
      /^ReadWritePaths=(.*)$/m.exec(readFileSync(join(folder, 'site/deploy/gifts.service'), 'utf8'))?.[1]
    await live(...FLAGS)
    expect(writable()).toBe(`${join(folder, 'site')} ${join(folder, 'data')}`)
    const settings = join(folder, 'site/.env')
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}WAL_ARCHIVE=/mnt/archive/gifts\n`)
    await live()
    expect(writable()).toBe(`${join(folder, 'site')} ${join(folder, 'data')} -/mnt/archive/gifts`)
  })

  it('says what is missing, with what to do, and shows no secret', async () => {
    const { lines, ok } = await live(...FLAGS)
    const text = lines.join('\n')
    expect(ok).toBe(true)
    for (const missing of [
      'STRIPE_SECRET_KEY is missing',
      'STRIPE_WEBHOOK_SECRET is missing',
      'SANITY_PROJECT_ID is missing',
      'SMTP_URL is missing',
      'SPF (TXT of gifts.ong.cat)',
      'start the site once',
      'on another machine',
    ])
      expect(text).toContain(missing)
    expect(text).toContain(`sh ${join(folder, 'site/deploy/install.sh')}`)
    for (const secret of [env().CARD_KEY_SECRET, env().OPERATOR_TOKEN, env().LEDGER_KEY])
      expect(text).not.toContain(secret)
  })

  it.each([
    'https://gifts.ong.cat',
    'gifts',
    'gifts.ong.cat/shop',
    'gifts ong.cat',
    '-a.cat',
    'a;reboot.cat',
  ])('takes no %s for a domain, and writes nothing', async domain => {
    await expect(live(`--domain=${domain}`, '--mail', 'me@ong.cat')).rejects.toThrow(
      '--domain must be a name alone',
    )
    expect(existsSync(join(folder, 'site/.env'))).toBe(false)
  })

  it('asks in a terminal alone, and says which option is missing elsewhere', async () => {
    await expect(live('--mail', 'me@ong.cat')).rejects.toThrow('Say --domain')
    await expect(live('--domain', 'gifts.ong.cat')).rejects.toThrow('Say --mail')
    await expect(live('--domain', 'gifts.ong.cat', '--mail', 'me')).rejects.toThrow(
      '--mail must be one e-mail address',
    )
  })
})

const machine: Machine = {
  domain: 'gifts.ong.cat',
  user: 'nobody',
  root: '/srv/gifts/site',
  dataDir: '/srv/gifts/data',
  port: 4321,
}
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const missing = (program: string) => {
  const isMissing = !has(program)
  if (isMissing) process.stderr.write(`NOT TRIED: there is no ${program} here\n`)
  return isMissing
}
const saidBy = (program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, [...args], { encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

describe('what go-live writes for the machine', () => {
  it.skipIf(missing('nginx') || missing('openssl'))('is taken by nginx, with a log that holds no key', () => {
    const made = saidBy('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=gifts.ong.cat',
      '-keyout',
      join(folder, 'privkey.pem'),
      '-out',
      join(folder, 'fullchain.pem'),
    ])
    expect(made.status, made.text).toBe(0)
    const own = (text: string) => text.replaceAll('/var/log/nginx', folder)
    writeFileSync(join(folder, 'http.conf'), nginxPlain(machine))
    writeFileSync(join(folder, 'https.conf'), own(nginxSecure(machine, folder)))
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; include ${folder}/http.conf; include ${folder}/https.conf; }`,
    )
    const { status, text } = saidBy('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')])
    expect(status, text).toBe(0)
    expect(text).not.toMatch(/\[(warn|emerg|error)\](?!.*"user")/)
    const log = /log_format gifts '(.*)'/.exec(nginxSecure(machine))?.[1]
    expect(log).not.toMatch(/\$(request|request_uri|args|uri|remote_addr|http_\w+)\b/)
  })

  it.skipIf(missing('systemd-analyze'))('is a service that systemd calls OK or better', () => {
    for (const name of ['gifts.service', 'gifts-backup.service']) {
      const path = join(folder, name)
      writeFileSync(path, machineFiles(machine, '/srv/gifts/site/deploy')[name]!)
      const { text } = saidBy('systemd-analyze', ['security', '--offline=yes', '--no-pager', path])
      const level = /Overall exposure level for .*: ([\d.]+) (\w+)/.exec(text)
      expect(level, text).not.toBeNull()
      expect(Number(level![1]), level![0]).toBeLessThan(5)
    }
  })

  it('is a script that a shell can read', () => {
    const path = join(folder, 'install.sh')
    writeFileSync(path, machineFiles(machine, '/srv/gifts/site/deploy')['install.sh']!)
    expect(saidBy('sh', ['-n', path])).toEqual({ status: 0, text: '' })
  })

  it.skipIf(missing('caddy'))('is taken by Caddy', () => {
    writeFileSync(
      join(folder, 'Caddyfile'),
      machineFiles(machine, folder).Caddyfile!.replace('/var/log/caddy', folder),
    )
    const { status, text } = saidBy('caddy', [
      'validate',
      '--adapter',
      'caddyfile',
      '--config',
      join(folder, 'Caddyfile'),
    ])
    expect(status, text).toBe(0)
  })
})
