import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '#domain/durations.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { LEGAL_PAGES } from '#domain/legal/legal-texts.ts'
import { firstRoundAt, isBeacon } from '#domain/public-ledger/drand.ts'
import { PROVIDER_EVENTS_PATH } from '#paths'
import { LOOKS_UNTIL_DEAD } from '#server/modules/content/links/looks.ts'
import { tryMailServer } from '#server/modules/letters/smtp-transport.ts'
import { missingEvents } from '#server/modules/payments/event-types.ts'
import { lastEventAt } from '#server/modules/payments/last-event.ts'
import { verifyBeacon } from '#server/modules/public-ledger/beacon.ts'
import { createDrandClient } from '#server/modules/public-ledger/drand-client.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { placeholdersIn, placeholdersOfContent } from '#server/platform/settings/placeholders.ts'
import type { MailDelivery, Settings } from '#server/platform/settings.ts'
import { bad, type Look, lacking, look, type Seen, TIMEOUT_MS, well } from './finding.ts'

/** Examines the services that the site needs, and the site as the internet sees it. */

/** Does the mail server take a connection? */
export const mail: Look = async ({ settings }) => tryDelivery(settings?.mail ?? { kind: 'files' })

/** Every kind of mail delivery has a case of its own: a new kind does not compile without one. */
async function tryDelivery(delivery: MailDelivery): Promise<Seen> {
  switch (delivery.kind) {
    case 'files':
      return look('no mail server is set: mails are files', 'SMTP_URL=smtps://user:password@host')
    case 'smtp':
      try {
        await tryMailServer(delivery.url, TIMEOUT_MS)
        return well('the mail server answers and takes the login')
      } catch (error) {
        return bad(
          `the mail server does not take us: ${(error as Error).message}`,
          'look after host, port, user and password in SMTP_URL; what cannot be sent is kept meanwhile',
        )
      }
  }
}

/** Examines the DNS records for mail. Without them most mail services take the mails for junk. */
export const mailRecords: Look = async patient => {
  const { given, isPublic, outside } = patient
  const domain = /@([^\s<>@]+?)>?$/.exec(given.MAIL_FROM ?? '')?.[1]
  if (!isPublic || domain === undefined) return well('not asked: this is no site for the public')
  const [own, policy] = await Promise.all([outside.texts(domain), outside.texts(`_dmarc.${domain}`)])
  const missing = [
    own.some(text => /^v=spf1\b/i.test(text)) ? '' : `SPF (TXT of ${domain})`,
    policy.some(text => /^v=DMARC1\b/i.test(text)) ? '' : `DMARC (TXT of _dmarc.${domain})`,
  ].filter(Boolean)
  if (missing.length === 0) return well(`SPF and DMARC of ${domain} are there; DKIM is the mail provider's`)
  return bad(
    `missing: ${missing.join(' and ')}`,
    'add them where the domain is managed; the mail provider says what to write, DKIM too',
  )
}

/** Does the payment provider know the key and the address of this site? */
export const paymentAccount: Look = async patient => {
  const { given, settings, outside } = patient
  const key = given.STRIPE_SECRET_KEY
  if (key === undefined || settings === undefined) return look('no account is set: payments are tests')
  const answer = await outside.fetch('https://api.stripe.com/v1/webhook_endpoints?limit=100', {
    Authorization: `Bearer ${key}`,
  })
  if (answer.status === 401)
    return bad('it refuses the key', 'copy STRIPE_SECRET_KEY anew: Developers → API keys')
  const address = `${settings.siteUrl}${PROVIDER_EVENTS_PATH}`
  if (!answer.ok)
    return look(
      `the key may not see the webhooks (${answer.status})`,
      `see yourself that ${address} is among them, and enabled`,
    )
  const { data } = (await answer.json()) as { data: readonly Webhook[] }
  const ours = data.filter(({ url, status }) => url === address && status === 'enabled')
  if (ours.length === 0)
    return bad(
      `it has no enabled webhook ${address}`,
      'Developers → Webhooks → Add endpoint; its signing secret is STRIPE_WEBHOOK_SECRET',
    )
  const missing = missingEvents(ours.flatMap(({ enabled_events }) => enabled_events ?? []))
  if (missing.length > 0)
    return bad(
      `the webhook ${address} does not send ${missing.join(', ')}`,
      'Developers → Webhooks: add these events to it',
    )
  return well(`the webhook ${address} is enabled, and sends every event that the site follows`)
}

interface Webhook {
  readonly url: string
  readonly status: string
  readonly enabled_events?: readonly string[]
}

/** Have events of the payment provider come? */
export const paymentEvents: Look = async ({ tools, settings, isPublic }) => {
  const last = await (await tools.database()).read(lastEventAt)
  if (last !== undefined) return well(`the last one came ${new Date(last).toISOString()}`)
  if (!settings?.stripe && !isPublic) return well('none has come yet')
  return look(
    'none has come yet',
    'send a test event from the webhook’s page: one that is not taken means a wrong STRIPE_WEBHOOK_SECRET',
  )
}

/** Is there what unused cards are drawn by, and does it answer? */
export const drand: Look = async ({ settings, tools }) => {
  if (!settings) return look('not asked, since the settings are not complete')
  const { drand: place, ledgerKey } = settings
  if (place === undefined)
    return well(
      'no DRAND_URL is set: the server draws for unused cards, or a witness (docs/guides/the-draw.md)',
    )
  if (ledgerKey === undefined)
    return bad('nothing can be announced: no public ledger is published', 'set LEDGER_KEY as well')
  const client = createDrandClient(place)
  try {
    const chain = await client.chain()
    // A round that has come for sure.
    const round = Math.max(1, firstRoundAt(chain, tools.clock()) - 2)
    const signature = await client.signatureOf(chain, round)
    if (!isBeacon({ sha256, verifyBeacon }, chain, round, signature))
      return bad('a value is not signed by its network', 'DRAND_URL must be of the network, or a copy of it')
    return well(`drand answers, and round ${round} is signed by its network`)
  } catch (error) {
    return bad(
      `no value is had: ${(error as Error).message}`,
      'see whether DRAND_URL can be reached from here; unused cards wait meanwhile',
    )
  }
}

/** Does the Content Lake give the site’s content? */
export const content: Look = async ({ settings, outside }) => {
  if (!settings?.sanity) return look('no account is set: the site serves its own content')
  const { projectId, dataset, readToken, webhookSecret } = settings.sanity
  const query = encodeURIComponent('count(*[_type=="ngoList"])')
  const url = `https://${projectId}.api.sanity.io/v2025-02-19/data/query/${dataset}?query=${query}`
  const answer = await outside.fetch(
    url,
    readToken === undefined ? {} : { Authorization: `Bearer ${readToken}` },
  )
  if (answer.status === 401 || answer.status === 403)
    return bad(
      `it answers ${answer.status}`,
      'SANITY_READ_TOKEN must be a token of that project that may read',
    )
  if (!answer.ok)
    return bad(
      `it answers ${answer.status}`,
      'SANITY_PROJECT_ID and SANITY_DATASET must be as sanity.io/manage has them',
    )
  const { result } = (await answer.json()) as { result?: unknown }
  if (typeof result !== 'number' || result < 1)
    return bad('there is no list of organisations in it', 'publish one in the Studio, or import the seed')
  return webhookSecret === undefined
    ? look('the content answers; a publish is seen within a minute', 'SANITY_WEBHOOK_SECRET makes it at once')
    : well('the content answers')
}

/** Tells what the weekly check of the organisations' links found last. */
export const organisationLinks: Look = async ({ tools }) => {
  const dead = await (await tools.database()).read(reader =>
    reader
      .selectFrom('link_looks')
      .select(['link', 'reason'])
      .where('failed', '>=', LOOKS_UNTIL_DEAD)
      .orderBy('failing_since')
      .limit(5)
      .execute(),
  )
  if (dead.length === 0) return well('none is known to be dead')
  return look(
    `dead: ${dead.map(({ link, reason }) => `${link} (${reason})`).join(', ')}`,
    'open them; where one is gone, put the organisation’s new page in the Studio',
  )
}

/** Finds texts of an example or of the seed that nobody has replaced. */
export const examples: Look = async patient => {
  const { given, tools } = patient
  const found = [...placeholdersIn(given), ...placeholdersOfContent(keptContent(tools.place.dataDir))]
  if (found.length === 0) return well('nothing of the examples is left')
  const more = found.length > 6 ? ` and ${found.length - 6} more` : ''
  return lacking(
    patient,
    `left of the examples: ${found.slice(0, 6).join(', ')}${more}`,
    'put your own in: settings in .env, content in the Studio',
  )
}

/** The published content that the site keeps for its next start; undefined before the first start. */
function keptContent(dataDir: string): unknown {
  try {
    const kept = JSON.parse(readFileSync(join(dataDir, 'content-snapshot.json'), 'utf8')) as {
      snapshot?: unknown
    }
    return kept.snapshot
  } catch {
    return undefined
  }
}

/** Where the site answers on this machine, without a trailing slash. */
function hereOf({ host: listens, port }: Pick<Settings, 'host' | 'port'>): string {
  const host = ['0.0.0.0', '::'].includes(listens) ? 'localhost' : listens
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Does the site answer on this machine? */
export const site: Look = async ({ settings, outside, isPublic }) => {
  if (!settings) return look('not asked, since the settings are not complete')
  const url = `${hereOf(settings)}/health/ready`
  const answer = await outside.fetch(url).catch(() => undefined)
  const remedy = '`systemctl start gifts`; `journalctl -u gifts -n 50` says what it said'
  if (answer === undefined) {
    const words = `nobody answers at port ${settings.port}: it does not run here`
    return isPublic ? bad(words, remedy) : look(words)
  }
  return answer.ok ? well('ready') : bad((await answer.text()).trim(), remedy)
}

/** Examines the name, the certificate and the proxy as visitors reach them. */
export const fromOutside: Look = async ({ settings, isPublic, outside, tools }) => {
  if (!settings || !isPublic) return well('not asked: this is no site for the public')
  const { hostname, port } = new URL(settings.siteUrl)
  if ((await outside.addresses(hostname)).length === 0)
    return bad(
      `the name service knows no ${hostname}`,
      'add A and AAAA records with this machine’s addresses',
    )
  let certificate: Awaited<ReturnType<typeof outside.certificate>>
  try {
    certificate = await outside.certificate(hostname, Number(port || 443))
  } catch (error) {
    const code = (error as { code?: string }).code ?? (error as Error).name
    return bad(
      `no trusted https at ${hostname}: ${code}`,
      'certbot as the guide says, and port 443 in the firewall',
    )
  }
  const days = Math.floor((certificate.endsAt - tools.clock()) / DAY_MS)
  if (days < 14)
    return bad(`the certificate ends in ${days} days`, '`systemctl status certbot.timer`, `certbot renew`')
  const page = await outside.fetch(`${settings.siteUrl}/${LANGUAGES[0]}`)
  if (page.status !== 200)
    return bad(`${settings.siteUrl} answers ${page.status}`, 'the proxy must lead to the site: see the guide')
  const plain = await outside.fetch(`http://${hostname}/`).catch(() => undefined)
  if (!plain?.headers.get('location')?.startsWith('https://'))
    return look('port 80 does not lead to https', 'the first server block of the file that go-live writes')
  return certificate.speaksHttp2
    ? well(`https, HTTP/2, the certificate holds for ${days} days`)
    : look('https without HTTP/2', '`listen 443 ssl http2;` in the proxy’s file')
}

/** The part of the kept content that says who runs the site, with the texts of the law. */
interface KeptTexts {
  readonly operator?: unknown
  readonly legalTexts?: Readonly<Record<string, unknown>>
}

/** Examines the pages that the law requires. */
export const legalPages: Look = async patient => {
  const { settings, outside, tools } = patient
  if (!settings) return look('not asked, since the settings are not complete')
  const kept = keptContent(tools.place.dataDir) as KeptTexts | undefined
  const unwritten = kept && [
    ...(kept.operator ? [] : ['who runs the site']),
    ...LEGAL_PAGES.filter(page => !kept.legalTexts?.[page]),
  ]
  if (unwritten && unwritten.length > 0)
    return lacking(
      patient,
      `nothing is sold, since this is not written: ${unwritten.join(', ')}`,
      'fill in “Who runs the site” in the Studio’s settings, and publish its pages',
    )
  const base = hereOf(settings)
  const missing: string[] = []
  for (const language of LANGUAGES)
    for (const page of LEGAL_PAGES) {
      const answer = await outside.fetch(`${base}/${language}/${page}`).catch(() => undefined)
      if (answer === undefined)
        return look('not asked: the site does not run here', 'start it, and look again')
      if (answer.status !== 200) missing.push(`/${language}/${page}`)
    }
  if (missing.length === 0) return well('terms, privacy and legal notice are there in every language')
  return lacking(patient, `missing: ${missing.join(', ')}`, 'publish them in the Studio')
}
