import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isMailAddress } from '#domain/mail/address.ts'
import { type Database, OPERATOR_TIMEOUTS, openDatabase } from '#server/platform/db/database.ts'
import { isSandbox } from '#server/platform/settings.ts'
import { noWords, readArguments } from './arguments.ts'
import { type Command, Refusal, type Tools } from './command.ts'
import { examineAll, linesOf } from './doctor.ts'
import { drawn, readEnv, type Values, writeEnv } from './go-live/env.ts'
import { type Machine, machineFiles } from './go-live/files.ts'

const NAMES = ['domain', 'mail', 'from', 'user', 'data', 'root', 'out'] as const

/**
 * `go-live`: writes the files that a site for the public needs on this machine, and says what is still missing. It asks
 * for every value that no option gives. It changes nothing outside its folder. It may be run again: set values stay.
 */
export const goLive: Command = {
  name: 'go-live',
  usage:
    '[--domain gifts.example] [--mail you@…] [--from "Gifts <gifts@…>"] [--data <folder>] [--out <folder>]',
  summary:
    'writes .env, the service, the backups and the proxy for a site of the public, and lists what is missing',
  async run(tools, args) {
    const { words, value } = readArguments(args, { names: NAMES })
    noWords(words)
    const root = resolve(value('root') ?? '.')
    const file = join(root, '.env')
    const { values: before } = readEnv(file)
    const ask = asker()
    try {
      const known = before.SITE_URL === undefined ? undefined : new URL(before.SITE_URL).hostname
      const domain = domainOf(
        value('domain') ?? known ?? (await ask('The domain of the site, as gifts.example: ', '--domain')),
      )
      const mail =
        value('mail') ?? before.OPERATOR_MAIL ?? (await ask('Your e-mail address, for alarms: ', '--mail'))
      if (!isMailAddress(mail)) throw new Refusal('--mail must be one e-mail address.')
      const from = value('from') ?? before.MAIL_FROM ?? `Gift cards <gifts@${domain}>`
      const dataDir = resolve(value('data') ?? before.DATA_DIR ?? join(root, '..', 'data'))
      const values: Values = {
        NODE_ENV: 'production',
        SITE_URL: `https://${domain}`,
        TRUSTED_PROXIES: '127.0.0.1,::1',
        CARD_KEY_SECRET: drawn(),
        LEDGER_KEY: drawn(),
        OPERATOR_TOKEN: drawn(),
        ...before,
        ...(value('domain') !== undefined && { SITE_URL: `https://${domain}` }),
        DATA_DIR: dataDir,
        MAIL_FROM: from,
        OPERATOR_MAIL: mail,
      }
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      const kept = writeEnv(file, values, tools.clock())
      const machine: Machine = {
        domain,
        user: value('user') ?? userInfo().username,
        root,
        dataDir,
        archive: values.WAL_ARCHIVE?.trim() || undefined,
        port: Number(values.PORT ?? 4321),
      }
      const out = resolve(value('out') ?? join(root, 'deploy'))
      writeFiles(machine, out)
      const findings = await examineThere(tools, values, { file, dataDir })
      const missing = findings.filter(({ verdict }) => verdict !== 'well')
      const lines = [
        `${file}: for its owner alone${kept === undefined ? '' : `; what was there before is kept as ${kept}`}.`,
        `${out}: service, backups every night, nginx (and a Caddyfile, if you like that better).`,
        '',
        ...commands(machine, out),
        '',
        'What is still missing, as seen from here:',
        ...(missing.length === 0 ? ['nothing.'] : linesOf(missing).slice(0, -2)),
        ...ALWAYS,
        '',
        'Say the same again, or `npm run ops -- doctor`, until nothing is bad.',
      ]
      return { lines, data: { file, kept, out, domain, dataDir, missing }, ok: true }
    } finally {
      ask.close()
    }
  },
}

/** The steps that this command cannot check. */
const ALWAYS = [
  'look  another place    a copy of DATA_DIR/backups, and one of .env, on another machine: nobody can see that from here',
]

function commands({ domain }: Machine, out: string): string[] {
  return [
    'As root, in this order:',
    '  apt-get install nginx certbot ufw',
    '  ufw allow OpenSSH && ufw allow 80,443/tcp && ufw enable',
    `  sh ${join(out, 'install.sh')}     # the name ${domain} must lead to this machine by then`,
    'With Caddy instead of nginx and certbot: install the service and the timer as install.sh does, then',
    `  install -m 644 ${join(out, 'Caddyfile')} /etc/caddy/Caddyfile && systemctl reload caddy`,
  ]
}

function writeFiles(machine: Machine, out: string): void {
  mkdirSync(out, { recursive: true })
  for (const [name, text] of Object.entries(machineFiles(machine, out))) writeFileSync(join(out, name), text)
  chmodSync(join(out, 'install.sh'), 0o755)
}

/** The environment that the site will be started with, without the variables of this terminal. */
async function examineThere(
  tools: Tools,
  values: Values,
  { file, dataDir }: { readonly file: string; readonly dataDir: string },
) {
  const place = { dataDir, databaseUrl: values.DATABASE_URL, sandbox: isSandbox(values) }
  let opened: Promise<Database> | undefined
  const database = () => (opened ??= openDatabase({ ...place, timeouts: OPERATOR_TIMEOUTS, existing: true }))
  try {
    return await examineAll({
      ...tools,
      environment: values,
      settingsFile: { path: file, names: Object.keys(values) },
      place,
      database,
    })
  } finally {
    await opened?.then(db => db.close()).catch(() => {})
  }
}

function domainOf(text: string): string {
  const domain = text.trim().toLowerCase()
  if (!/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(domain))
    throw new Refusal('--domain must be a name alone, such as gifts.example: no https://, no path.')
  return domain
}

/** Asks the operator in the terminal. @throws Refusal where there is no terminal */
function asker() {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const terminal = isTerminal ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  const ask = async (question: string, option: string): Promise<string> => {
    if (terminal === undefined) throw new Refusal(`Say ${option}: there is no terminal to ask in.`)
    return (await terminal.question(question)).trim()
  }
  return Object.assign(ask, { close: () => terminal?.close() })
}
