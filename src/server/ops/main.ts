import { existsSync } from 'node:fs'
import { OPERATORS_PATIENCE, openDatabase } from '#server/db/database.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'

/**
 * `npm run ops -- <command> [--json]`. Reads DATA_DIR and DATABASE_URL as the site does.
 * Exit code 0 when all is well, 1 when the command found something wrong, 2 when it could not be carried out.
 */
const COMMANDS: readonly Command[] = [check]

const [name = 'help', ...args] = process.argv.slice(2)
const command = COMMANDS.find(candidate => candidate.name === name)

if (existsSync('.env')) process.loadEnvFile('.env')

if (command) process.exitCode = await carryOut(command)
else {
  const known = ['help', '--help', '-h'].includes(name)
  if (!known) process.stderr.write(`There is no command '${name}'.\n\n`)
  process.stdout.write(help())
  process.exitCode = known ? 0 : 2
}

async function carryOut(chosen: Command): Promise<number> {
  try {
    const { DATA_DIR, DATABASE_URL } = process.env
    const db = await openDatabase({
      dataDir: DATA_DIR || '.data',
      databaseUrl: DATABASE_URL || undefined,
      patience: OPERATORS_PATIENCE,
    })
    try {
      const { lines, data, ok } = await chosen.run(db, args)
      process.stdout.write(args.includes('--json') ? `${JSON.stringify(data)}\n` : `${lines.join('\n')}\n`)
      return ok ? 0 : 1
    } finally {
      await db.close()
    }
  } catch (error) {
    process.stderr.write(`${chosen.name} could not be carried out: ${(error as Error).message}\n`)
    return 2
  }
}

function help(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const rows = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `npm run ops -- <command> [--json]\n\n${rows.join('\n')}\n`
}
