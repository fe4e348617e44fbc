import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { tryMailServer } from '#server/modules/letters/smtp-transport.ts'
import { NoDatabase } from '#server/platform/db/database.ts'
import { checkVersions } from '#server/platform/db/versions.ts'
import { LOCAL_DATA, localFolder } from '#server/platform/generated-secrets.ts'
import { jobRecords } from '#server/platform/job-runner/lease.ts'
import { readSettings, type Settings } from '#server/platform/settings.ts'
import { verdictHere } from './card-secret.ts'
import type { Command, Tools } from './command.ts'
import { table } from './table.ts'

type Verdict = 'well' | 'look' | 'bad'

interface Finding {
  readonly what: string
  readonly verdict: Verdict
  readonly words: string
}

/** How long anybody who is asked is waited for. */
const TIMEOUT_MS = 5_000

/** `doctor`: is everything there that the site needs? Changes nothing, and shows no secret. */
export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'looks at the settings, versions, disk, database, mail, content, events and the site itself',
  async run(tools) {
    const findings: Finding[] = []
    const settings = settingsOf(tools, findings)
    for (const [what, look] of EXAMINATIONS) {
      tools.progress(`looking at: ${what}`)
      findings.push(await examine(what, () => look(tools, settings)))
    }
    const lines = table(
      [{ title: 'what' }, { title: '' }, { title: 'found' }],
      findings.map(({ what, verdict, words }) => [what, verdict, words]),
    )
    return { lines, data: { findings }, ok: findings.every(({ verdict }) => verdict !== 'bad') }
  },
}

type Look = (tools: Tools, settings: Settings | undefined) => Promise<readonly [Verdict, string]>

async function examine(what: string, look: () => Promise<readonly [Verdict, string]>): Promise<Finding> {
  try {
    const [verdict, words] = await look()
    return { what, verdict, words }
  } catch (error) {
    if (error instanceof NoDatabase) return { what, verdict: 'bad', words: error.message }
    // The kind alone: messages may hold an address with its password.
    const code = error instanceof Error && 'code' in error ? String(error.code) : (error as Error).name
    return { what, verdict: 'bad', words: `failed: ${code}` }
  }
}

/** The settings as the site would read them; secrets are not made for a look. */
function settingsOf({ environment }: Tools, findings: Finding[]): Settings | undefined {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  try {
    const settings = readSettings(environment, { version, keepSecret: name => name.padEnd(64, '.') })
    const mode = settings.production ? 'production' : 'not production'
    findings.push({ what: 'settings', verdict: 'well', words: `complete, ${mode}, ${settings.siteUrl}` })
    return settings
  } catch (error) {
    const [, ...faults] = (error as Error).message.split('\n')
    findings.push({ what: 'settings', verdict: 'bad', words: faults.map(line => line.trim()).join(' ') })
    return undefined
  }
}

const EXAMINATIONS: readonly (readonly [string, Look])[] = [
  [
    'versions',
    async () => {
      checkVersions(process.versions)
      return ['well', `Node ${process.versions.node}, SQLite ${process.versions.sqlite}`]
    },
  ],
  [
    'disk',
    async ({ place }) => {
      const { bavail, bsize } = await statfs(place.dataDir)
      const free = (bavail * bsize) / 1e9
      return [
        free < 0.5 ? 'bad' : free < 2 ? 'look' : 'well',
        `${free.toFixed(1)} GB free for ${place.dataDir}`,
      ]
    },
  ],
  [
    'database',
    async tools => {
      const db = await tools.database()
      const { cards } = await db.read(reader =>
        reader
          .selectFrom('cards')
          .select(eb => eb.fn.countAll<number>().as('cards'))
          .executeTakeFirstOrThrow(),
      )
      return ['well', `${db.engine}, ${cards} cards`]
    },
  ],
  [
    'card secret',
    async tools => {
      const verdict = await verdictHere(tools)
      if (verdict === 'none') return ['look', 'CARD_KEY_SECRET is not set here, so nobody can compare it']
      if (verdict === 'wrong') return ['bad', WRONG_SECRET]
      return ['well', verdict === 'right' ? 'the cards are made with it' : 'nothing is made with it yet']
    },
  ],
  [
    'local data',
    async ({ place }) => {
      const folder = localFolder(place.dataDir)
      if (!existsSync(folder)) return ['well', `none: nothing is kept in ${folder}`]
      return ['look', `${folder} (${LOCAL_DATA}) is in no backup`]
    },
  ],
  [
    'jobs',
    async tools => {
      const records = await (await tools.database()).read(jobRecords)
      if (records.length === 0) return ['look', 'no site has run with this database yet']
      const wrong = records.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused')
      if (wrong.length > 0) return ['bad', `not done: ${wrong.map(({ name }) => name).join(', ')}`]
      const late = records.filter(({ nextRunAt }) => nextRunAt < tools.clock() - 10 * 60_000)
      return late.length > 0
        ? ['look', `late: ${late.map(({ name }) => name).join(', ')}; does the site run?`]
        : ['well', `${records.length} jobs, all in time`]
    },
  ],
  [
    'mail',
    async (_, settings) => {
      switch (settings?.mail.kind) {
        case 'smtp':
          await tryMailServer(settings.mail.url, TIMEOUT_MS)
          return ['well', 'the mail server answers and takes the login']
        case 'files':
        case undefined:
          return ['look', 'no mail server is set: mails are files']
      }
    },
  ],
  [
    'payment events',
    async (tools, settings) => {
      const seen = await (await tools.database()).read(reader =>
        reader.selectFrom('sightings').select('at').where('name', '=', 'payment-event').executeTakeFirst(),
      )
      const words = seen ? `the last one came ${new Date(seen.at).toISOString()}` : 'none has come yet'
      return [seen || !settings?.stripe ? 'well' : 'look', words]
    },
  ],
  [
    'content',
    async (_, settings) => {
      if (!settings?.sanity) return ['look', 'no account is set: the site serves its own content']
      const { projectId, dataset, readToken } = settings.sanity
      const url = `https://${projectId}.api.sanity.io/v2025-02-19/data/query/${dataset}?query=count(*%5B_type%3D%3D%22ngoList%22%5D)`
      const headers = readToken === undefined ? {} : { Authorization: `Bearer ${readToken}` }
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
      return answer.ok ? ['well', 'the content answers'] : ['bad', `the content answers ${answer.status}`]
    },
  ],
  [
    'site',
    async (_, settings) => {
      if (!settings) return ['look', 'not asked, since the settings are not complete']
      const host = ['0.0.0.0', '::'].includes(settings.host) ? 'localhost' : settings.host
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${settings.port}/health/ready`
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
      if (answer === undefined)
        return ['look', `nobody answers at port ${settings.port}: it does not run here`]
      return answer.ok ? ['well', 'ready'] : ['bad', (await answer.text()).trim()]
    },
  ],
]
