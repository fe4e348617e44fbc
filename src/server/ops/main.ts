import { masked } from '#domain/analytics/masked.ts'
import {
  type Database,
  NoDatabase,
  OPERATOR_TIMEOUTS,
  OtherDatabase,
  openDatabase,
} from '#server/platform/db/database.ts'
import { loadSettingsFile } from '#server/platform/settings/file.ts'
import { isSandbox } from '#server/platform/settings.ts'
import { writeDown } from './audit.ts'
import { type Command, Refusal, type Tools } from './command.ts'
import { COMMANDS } from './commands.ts'

/**
 * `npm run ops -- <command> [--json]`. Reads DATA_DIR and DATABASE_URL as the site does.
 * Exit code 0 when all is well, 1 when the command found something wrong, 2 when it could not be carried out.
 */
const [name = 'help', ...given] = process.argv.slice(2)
const args = given.filter(arg => arg !== '--json')
const asData = args.length < given.length
const command = COMMANDS.find(candidate => candidate.name === name)

const settingsFile = loadSettingsFile('.')

if (command && args.some(arg => arg === '--help' || arg === '-h')) {
  process.stdout.write(`npm run ops -- ${command.name} ${command.usage}\n\n${command.summary}\n`)
} else if (command) process.exitCode = await carryOut(command)
else {
  const known = ['help', '--help', '-h'].includes(name)
  if (!known) process.stderr.write(`There is no command '${name}'.\n\n`)
  process.stdout.write(help())
  process.exitCode = known ? 0 : 2
}

async function carryOut(chosen: Command): Promise<number> {
  const place = {
    dataDir: process.env.DATA_DIR || '.data',
    databaseUrl: process.env.DATABASE_URL || undefined,
    sandbox: isSandbox(process.env),
  }
  let opened: Promise<Database> | undefined
  const tools: Tools = {
    place,
    environment: process.env,
    settingsFile,
    clock: Date.now,
    database: () => (opened ??= openDatabase({ ...place, timeouts: OPERATOR_TIMEOUTS, existing: true })),
    progress(text) {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
    },
  }
  try {
    const { lines, data, ok } = await chosen.run(tools, args)
    await writeDown(chosen.name, args, ok, tools)
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    process.stdout.write(asData ? `${JSON.stringify(data)}\n` : `${lines.join('\n')}\n`)
    return ok ? 0 : 1
  } catch (error) {
    // Messages of a database or a program may hold a secret, which must not be shown.
    const words = masked((error as Error).message).replace(/(postgres(?:ql)?:\/\/)\S+/g, '$1…')
    const reason =
      error instanceof NoDatabase
        ? `${words} DATA_DIR (or DATABASE_URL) says where the site's data is; a new site makes it when it starts.`
        : error instanceof Refusal || error instanceof OtherDatabase
          ? words
          : `${chosen.name} could not be carried out: ${words}`
    process.stderr.write(asData ? `${JSON.stringify({ error: words })}\n` : `${reason}\n`)
    return 2
  } finally {
    await opened?.then(db => db.close()).catch(() => {})
  }
}

function help(): string {
  const titles = COMMANDS.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd())
  const rows = COMMANDS.map(({ summary }, n) => `${titles[n]}\n      ${summary}`)
  return `npm run ops -- <command> [--json]\n\n${rows.join('\n')}\n\nExit code 0: all is well. 1: something was found. 2: it could not be carried out.\n`
}
