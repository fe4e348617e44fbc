import { readFileSync } from 'node:fs'
import { NoDatabase, OtherDatabase } from '#server/platform/db/database.ts'
import { siteOf } from '#server/platform/settings/faults.ts'
import { givenIn, readSettings, type Settings, SettingsError } from '#server/platform/settings.ts'
import { noWords, readArguments } from './arguments.ts'
import type { Command, Tools } from './command.ts'
import type { Finding, Look, Patient, Seen } from './doctor/finding.ts'
import * as machine from './doctor/machine.ts'
import { realOutside } from './doctor/outside.ts'
import * as services from './doctor/services.ts'

/** Every examination, in the order in which they run. */
const EXAMINATIONS: readonly (readonly [string, Look])[] = [
  ['settings file', machine.settingsFile],
  ['examples', services.examples],
  ['versions', machine.versions],
  ['disk', machine.disk],
  ['database', machine.database],
  ['clock', machine.clock],
  ['time limit', machine.timeLimit],
  ['guards', machine.guards],
  ['card secret', machine.cardSecret],
  ['earlier secrets', machine.earlierSecrets],
  ['public ledger', machine.publicLedger],
  ['witnesses', machine.witnesses],
  ['draws', services.drand],
  ['local data', machine.localData],
  ['backups', machine.backups],
  ['copy of secrets', machine.secretsCopy],
  ['archive of the log', machine.archive],
  ['what was revoked', machine.revocations],
  ['who was forgotten', machine.erasures],
  ['people at the desk', machine.people],
  ['jobs', machine.jobs],
  ['mail', services.mail],
  ['mail records', services.mailRecords],
  ['payment account', services.paymentAccount],
  ['payment events', services.paymentEvents],
  ['content', services.content],
  ['links of organisations', services.organisationLinks],
  ['site', services.site],
  ['legal pages', services.legalPages],
  ['from outside', services.fromOutside],
]

/** `doctor`: checks that the site has everything it needs. It changes nothing and shows no secret. */
export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'looks at settings, secrets, data, backups, mail, payments, content and the site, also from outside',
  async run(tools, args) {
    noWords(readArguments(args).words)
    const findings = await examineAll(tools)
    return { lines: linesOf(findings), data: { findings }, ok: findings.every(isNotBad) }
  },
}

const isNotBad = ({ verdict }: Finding): boolean => verdict !== 'bad'

/** Runs every examination. A failure in one does not stop the others. */
export async function examineAll(tools: Tools): Promise<readonly Finding[]> {
  const given = givenIn(tools.environment)
  const [settings, findings] = settingsOf(tools)
  const { production, demonstration } = siteOf(given)
  const patient: Patient = {
    tools,
    given,
    file: tools.settingsFile,
    settings,
    isPublic: production && !demonstration,
    outside: tools.outside ?? realOutside,
  }
  let isWithoutDatabase = false
  for (const [what, look] of EXAMINATIONS) {
    tools.progress(`looking at: ${what}`)
    const seen = await examine(look, patient)
    // Said once: whatever else needs it has nothing to look at.
    if ('isWithoutDatabase' in seen && isWithoutDatabase) continue
    isWithoutDatabase ||= 'isWithoutDatabase' in seen
    findings.push({
      what,
      verdict: seen.verdict,
      words: seen.words,
      ...(seen.remedy !== undefined && { remedy: seen.remedy }),
    })
  }
  return findings
}

async function examine(
  look: Look,
  patient: Patient,
): Promise<Seen | (Seen & { readonly isWithoutDatabase: true })> {
  try {
    return await look(patient)
  } catch (error) {
    if (error instanceof OtherDatabase)
      return { verdict: 'bad', words: error.message, isWithoutDatabase: true }
    if (error instanceof NoDatabase)
      return { verdict: 'bad', words: error.message, remedy: 'start the site once', isWithoutDatabase: true }
    return {
      verdict: 'bad',
      words: `failed: ${codeOf(error)}`,
      remedy: 'see whether it can be reached from here',
    }
  }
}

/** Only the kind of an error, since its message may hold an address with its password. */
function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && typeof each.code === 'string') return each.code
  return (error as Error).name
}

/** The settings as the site would read them. A missing secret is not made. */
function settingsOf({ environment, settingsFile }: Tools): [Settings | undefined, Finding[]] {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const keepSecret = (name: string) => name.padEnd(64, '.')
  try {
    const settings = readSettings(environment, { version, keepSecret, file: settingsFile })
    const mode = settings.production
      ? settings.demonstration
        ? settings.sandbox
          ? 'a sandbox'
          : 'a rehearsal (LOCAL_SERVICES=allow)'
        : 'production'
      : 'not production'
    return [
      settings,
      [{ what: 'settings', verdict: 'well', words: `complete, ${mode}, ${settings.siteUrl}` }],
    ]
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [undefined, error.faults.map(words => ({ what: 'settings', verdict: 'bad', words }))]
  }
}

const WIDTH = 100
const INDENT = 23

/** The findings as lines for a terminal. Below each finding stands what to do. */
export function linesOf(findings: readonly Finding[]): string[] {
  const lines = findings.flatMap(({ what, verdict, words, remedy }) => [
    ...folded(`${verdict.padEnd(5)} ${what.padEnd(16)} `, words),
    ...(remedy === undefined ? [] : folded(`${' '.repeat(INDENT)}→ `, remedy)),
  ])
  const count = (verdict: string) => findings.filter(each => each.verdict === verdict).length
  const sum =
    count('bad') + count('look') === 0
      ? 'Everything is well.'
      : `${count('bad')} bad, ${count('look')} to look at, ${count('well')} well.`
  return [...lines, '', sum]
}

function folded(head: string, words: string): string[] {
  const lines = [head.trimEnd() === '' ? head : head]
  let isFirst = true
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1)!
    if (!isFirst && last.length + 1 + word.length > WIDTH) lines.push(`${' '.repeat(INDENT)}${word}`)
    else lines[lines.length - 1] = isFirst ? last + word : `${last} ${word}`
    isFirst = false
  }
  return lines
}
