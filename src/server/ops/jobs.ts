import { setTimeout as wait } from 'node:timers/promises'
import { askFor, type JobRecord, jobRecords } from '#server/platform/job-runner/lease.ts'
import { oneWord, readArguments } from './arguments.ts'
import { refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal } from './command.ts'
import { instant, table } from './table.ts'

/** `jobs`: the periodic jobs of the site, with the time and the result of each one's last run. */
export const jobs: Command = {
  name: 'jobs',
  usage: '',
  summary: 'lists the work that the site does by itself: last run, result, next run',
  async run(tools) {
    const db = await tools.database()
    const now = tools.clock()
    const records = await db.read(reader => jobRecords(reader, now, tools.sharedClock))
    const lines = table(
      [
        { title: 'job' },
        { title: 'last run' },
        { title: 'outcome' },
        { title: 'result' },
        { title: 'next run' },
      ],
      records.map(record => [
        record.name,
        instant(record.startedAt),
        (record.leaseUntil ?? 0) > now ? 'running' : (record.outcome ?? 'never ran'),
        resultOf(record),
        instant(record.nextRunAt),
      ]),
    )
    const words = records.length === 0 ? ['No site has run with this database yet.'] : lines
    return {
      lines: words,
      data: { jobs: records },
      ok: records.every(({ outcome }) => outcome !== 'failed' && outcome !== 'refused'),
    }
  },
}

/** A running site looks for work every two seconds, and renews the lease of the work that it does. */
const TAKEN_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 250

/** Jobs whose mails hold links. */
const MAILS_LINKS: ReadonlySet<string> = new Set(['reminders', 'sendings', 'auto-donation'])

/** `run <job>`: has the running site do a job now, and waits for its result. */
export const run: Command = {
  name: 'run',
  usage: '<job> [--trust-clock]',
  summary: 'has the running site do one job now, and says what came of it',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['trust-clock'] })
    const name = oneWord(words, 'the name of one job')
    if (MAILS_LINKS.has(name)) await refuseWrongSecret(tools)
    const db = await tools.database()
    const recordNow = async () =>
      (await db.read(reader => jobRecords(reader, tools.clock(), tools.sharedClock))).find(
        record => record.name === name,
      )
    const before = await recordNow()
    const trustsClock = has('trust-clock')
    const now = tools.clock()
    if (!(await askFor(db, name, { now, trustsClock })))
      throw new Refusal(`There is no job "${name}". \`jobs\` lists them.`)
    // Where a run is under way, the command waits for the end of that run.
    const isTaken = (record: JobRecord | undefined) =>
      record?.startedAt !== before?.startedAt || (record?.leaseUntil ?? 0) > tools.clock()
    tools.progress(`waiting for a running site to take "${name}"`)
    for (let waited = 0; !isTaken(await recordNow()); waited += LOOK_EVERY_MS) {
      if (waited >= TAKEN_WITHIN_MS)
        throw new Refusal(`No running site took "${name}" in 15 seconds. It is done as soon as one starts.`)
      await wait(LOOK_EVERY_MS)
    }
    tools.progress(`"${name}" is running`)
    for (;;) {
      const record = await recordNow()
      if (record !== undefined && record.leaseUntil === null) {
        // The job was given back undone, so the kept outcome belongs to an earlier run.
        if (record.nextRunAt <= now)
          throw new Refusal(`The site ended before "${name}" was done. It goes on as soon as one starts.`)
        const ok = record.outcome === 'done'
        return {
          lines: [`${name}: ${record.outcome ?? 'stopped'}. ${resultOf(record)}`.trim()],
          data: record,
          ok,
        }
      }
      if ((record?.leaseUntil ?? 0) + TAKEN_WITHIN_MS < tools.clock())
        throw new Refusal(
          `The site that ran "${name}" says nothing any more. It is done as soon as one starts.`,
        )
      await wait(LOOK_EVERY_MS)
    }
  },
}

const resultOf = ({ result }: JobRecord): string =>
  Object.entries(result)
    .map(([what, found]) => `${what} ${found}`)
    .join(', ')
