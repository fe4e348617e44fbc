import { DAY_MS } from '#domain/durations.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '#domain/languages.ts'
import type { ContentSnapshot, PerLanguage } from '#server/modules/content/snapshot.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import type { AskLink, LinkAnswer } from './ask.ts'

/** A link that answers is asked once a week, one that does not every day. */
const WEEK_MS = 7 * DAY_MS
/** A site that is away for a day is not gone. */
export const LOOKS_UNTIL_DEAD = 3
/** The job comes once a day, never to the minute. */
const SLACK_MS = 3_600_000

/** A link of the content, and whose it is. */
export interface OrganisationLink {
  readonly link: string
  readonly organisation: string
}

/** A link that has failed on several days. */
export interface DeadLink extends OrganisationLink {
  readonly reason: string
  /** Epoch ms UTC. */
  readonly since: number
}

type Links = Pick<ContentSnapshot, 'ngoList' | 'volunteeringOrganisations'>

/** Every link of an organisation that pages show, each once. */
export function linksOf({ ngoList, volunteeringOrganisations }: Links): readonly OrganisationLink[] {
  const found = new Map<string, string>()
  const all: readonly { title: PerLanguage<string>; links: PerLanguage<string> }[] = [
    ...ngoList.ngos,
    ...volunteeringOrganisations,
  ]
  for (const { title, links } of all)
    for (const language of LANGUAGES)
      if (!found.has(links[language])) found.set(links[language], title[DEFAULT_LANGUAGE])
  return [...found].map(([link, organisation]) => ({ link, organisation }))
}

/** Does this answer show that readers find nothing there? A site that refuses machines is not gone. */
export function failureOf(answer: LinkAnswer): string | undefined {
  if ('failure' in answer) return answer.failure
  const { status } = answer
  const isThere =
    status < 400 || status === 401 || status === 403 || status === 405 || status === 406 || status === 429
  return isThere ? undefined : `answers ${status}`
}

interface LookTools {
  readonly db: Database
  readonly clock: Clock
  readonly content: () => Links
  readonly ask: AskLink
  /** Called between two links. */
  readonly rest: () => Promise<void>
}

/** The result of a check: how many links were asked, which are dead now, and which work again. */
export interface Looked {
  readonly asked: number
  readonly dead: readonly DeadLink[]
  readonly back: readonly OrganisationLink[]
}

/** Asks the links whose turn it is, one after the other, and writes down what came of each. */
export async function lookAtLinks({ db, clock, content, ask, rest }: LookTools): Promise<Looked> {
  const links = linksOf(content())
  await forgetOthers(db, links)
  const known = new Map((await db.read(allLooks)).map(row => [row.link, row]))
  const back: OrganisationLink[] = []
  let asked = 0
  for (const each of links) {
    const before = known.get(each.link)
    const pause = before?.failed ? DAY_MS : WEEK_MS
    if (before && clock() - before.looked_at < pause - SLACK_MS) continue
    if (asked > 0) await rest()
    asked++
    const reason = failureOf(await ask(each.link))
    const failed = reason === undefined ? 0 : (before?.failed ?? 0) + 1
    if (failed === 0 && before && before.failed >= LOOKS_UNTIL_DEAD) back.push(each)
    const now = clock()
    const row = {
      looked_at: now,
      failing_since: failed === 0 ? null : (before?.failing_since ?? now),
      failed,
      reason: reason ?? null,
    }
    await db.transaction(trx =>
      trx
        .insertInto('link_looks')
        .values({ link: each.link, ...row })
        .onConflict(conflict => conflict.column('link').doUpdateSet(row))
        .execute(),
    )
  }
  return { asked, dead: await db.read(reader => deadLinks(reader, content())), back }
}

/**
 * The links of the content that have failed on several days, the longest ago first.
 * @param content undefined where none is known: then a link stands in the place of its organisation's name
 */
export async function deadLinks(db: Reader, content: Links | undefined): Promise<readonly DeadLink[]> {
  const failed = (await allLooks(db)).filter(row => row.failed >= LOOKS_UNTIL_DEAD)
  const links = content
    ? linksOf(content)
    : failed.map(({ link }): OrganisationLink => ({ link, organisation: link }))
  const names = new Map(links.map(({ link, organisation }) => [link, organisation]))
  return failed
    .filter(({ link }) => names.has(link))
    .map(({ link, reason, failing_since: since }) => ({
      link,
      organisation: names.get(link)!,
      reason: reason ?? '',
      since: since ?? 0,
    }))
    .sort((one, other) => one.since - other.since)
}

const allLooks = (db: Reader) => db.selectFrom('link_looks').selectAll().execute()

/** Links that the content no longer holds are forgotten. */
async function forgetOthers(db: Database, links: readonly OrganisationLink[]): Promise<void> {
  const kept = links.map(({ link }) => link)
  await db.transaction(trx => {
    const looks = trx.deleteFrom('link_looks')
    // PostgreSQL takes no empty list.
    return (kept.length === 0 ? looks : looks.where('link', 'not in', kept)).execute()
  })
}
