import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Stripe from 'stripe'
import { MailFailure } from '#server/modules/letters/failure.ts'
import type { Message } from '#server/modules/letters/message.ts'
import type { MailTransport } from '#server/modules/letters/transport.ts'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { createLake } from '#stand-ins/local-lake/index.ts'
import { createPaymentsDouble, type PaymentsDouble } from '#stand-ins/payments-double/index.ts'
import { machine } from './machine.ts'
import { SITE, WEBHOOK_SECRET } from './settings.ts'

/** What is broken outside, and how often. Each is a share of the calls, 0 to 1. */
export interface Weather {
  /** The provider does what it is asked, and its answer is lost. */
  answerLost: number
  /** The provider does not do it: nobody answers, or it fails. */
  providerAway: number
  /** The provider answers after seconds. */
  providerSlow: number
  /** An event is taken and never handed over. */
  eventLost: number
  /** An event comes twice, at once. */
  eventDoubled: number
  /** The mail server refuses for the moment. */
  mailRefused: number
  /** The mail server takes a mail, and the answer is lost. */
  mailAnswerLost: number
  /** The content service does not answer. */
  contentAway: number
  /** A commit is done, and nobody hears of it. */
  commitLost: number
}

/** Nothing is broken. */
export const FAIR: Weather = {
  answerLost: 0,
  providerAway: 0,
  providerSlow: 0,
  eventLost: 0,
  eventDoubled: 0,
  mailRefused: 0,
  mailAnswerLost: 0,
  contentAway: 0,
  commitLost: 0,
}

/** A mail that the mail server took. */
export interface Delivered {
  readonly message: Message
  readonly at: number
  /** How many things had gone wrong by then. */
  readonly mishaps: number
  /** Did the servers' clocks differ? A lease of another clock may count for nothing. */
  readonly areClocksApart: boolean
}

/** Everything outside of the servers: it goes on when they die. */
export interface Outside {
  weather: Weather
  /** How many faults have struck so far. */
  mishaps: number
  /** Do the servers' clocks differ? */
  areClocksApart: boolean
  /** By name. */
  readonly faults: Record<string, number>
  readonly double: PaymentsDouble
  /** The provider's API with the account's key, as a person at its dashboard uses it: never broken. */
  readonly dashboard: Stripe
  /** Asks the provider, through whatever weather there is. */
  readonly ask: typeof fetch
  readonly transport: MailTransport
  readonly mails: Delivered[]
  /** Answers in the place of the content service. */
  readonly contentFetch: (request: Request) => Promise<Response>
  /** What is published: the answers to the content's query, changed as an editor would. */
  content: (answer: Published) => Published
  /** To be called when `content` gives another answer than before. */
  edited(): void
  /** Where the provider's events go. */
  receive: (body: string, signature: string) => Promise<Response>
  /** Does this fault strike now? */
  strikes(name: keyof Weather): boolean
  /** Notes a fault that struck. */
  strike(name: string): void
  close(): void
}

/** The answer to the query for everything published, as far as the simulation changes it. */
export interface Published {
  readonly freeCampaigns?: readonly {
    readonly tag: string
    readonly stock: number
    readonly active: boolean
  }[]
  readonly ngoList?: { readonly ngos?: readonly unknown[] }
  readonly [name: string]: unknown
}

const SEED = new URL('../../studio/seed/production.ndjson', import.meta.url).pathname

/** What the local Content Lake answers to everything that servers ask of it, by request. */
export type Recorded = Map<string, string>

/** Asks a lake with the seed's content; to be done before the machine is installed. */
export async function openLake(dir: string): Promise<Lake> {
  readFileSync(SEED)
  return createLake({ dir: join(dir, 'content'), seedFiles: [SEED], openMode: true })
}

/** @param recorded what the content service answers */
export function createOutside(folder: string, recorded: Recorded): Outside {
  const strike = (name: string) => {
    outside.mishaps++
    outside.faults[name] = (outside.faults[name] ?? 0) + 1
    machine.note(`fault ${name}`)
  }
  const strikes = (name: keyof Weather): boolean => {
    const share = outside.weather[name]
    if (share === 0 || machine.chance() >= share) return false
    strike(name)
    return true
  }
  const double = createPaymentsDouble({
    dataDir: folder,
    siteUrl: SITE,
    webhookUrl: () => `${SITE}/api/stripe/webhook`,
    webhookSecret: WEBHOOK_SECRET,
    clock: () => machine.now,
    async deliver(_, init) {
      const body = init.body as string
      const signature = new Headers(init.headers).get('stripe-signature') ?? ''
      if (strikes('eventLost')) return new Response(null, { status: 204 })
      if (!strikes('eventDoubled')) return outside.receive(body, signature)
      const [first] = await Promise.all([outside.receive(body, signature), outside.receive(body, signature)])
      return first
    },
  })
  let content = (answer: Published) => answer
  /** What was answered, as long as nothing else is published. */
  const answers = new Map<string, string>()
  const edited = (answer: string) => {
    const parsed = JSON.parse(answer) as { result: Published }
    return JSON.stringify({ ...parsed, result: content(parsed.result) })
  }
  const outside: Outside = {
    weather: FAIR,
    mishaps: 0,
    areClocksApart: false,
    faults: {},
    double,
    dashboard: clientOf(request => double.fetch(request)),
    async ask(input, init) {
      const request = new Request(input, init)
      const path = new URL(request.url).pathname
      await machine.point(`ask ${request.method} ${path.split('/').slice(0, 4).join('/')}`)
      if (strikes('providerAway')) {
        if (machine.chance() < 0.5) throw new TypeError('fetch failed')
        return Response.json({ error: { type: 'api_error', message: 'away' } }, { status: 500 })
      }
      if (strikes('providerSlow'))
        await new Promise<void>(resolve => machine.after(machine.chance() * 12_000, resolve))
      const answer = await double.fetch(request)
      await machine.point('answer')
      if (strikes('answerLost')) throw new TypeError('fetch failed')
      return answer
    },
    transport: {
      async send(message) {
        await machine.point('mail')
        if (strikes('mailRefused')) throw new MailFailure('smtp-450', false)
        const { mishaps, areClocksApart } = outside
        outside.mails.push({ message, at: machine.now, mishaps, areClocksApart })
        machine.note(`mail ${message.messageId}`)
        await machine.point('mail taken')
        if (strikes('mailAnswerLost')) throw new MailFailure('smtp-ETIMEDOUT', false)
      },
      close() {},
    },
    mails: [],
    async contentFetch(request) {
      await machine.point('content')
      if (strikes('contentAway')) throw new TypeError('fetch failed')
      const url = new URL(request.url)
      const answer = recorded.get(`${url.pathname}${url.search}`)
      if (answer === undefined) return Response.json({ error: 'not recorded' }, { status: 404 })
      const said = answers.get(answer) ?? edited(answer)
      answers.set(answer, said)
      return new Response(said, { headers: { 'content-type': 'application/json' } })
    },
    get content() {
      return content
    },
    set content(next) {
      content = next
      answers.clear()
    },
    edited: () => answers.clear(),
    receive: async () => new Response(null, { status: 503 }),
    strikes,
    strike,
    close: () => double.close(),
  }
  return outside
}

function clientOf(ask: (request: Request) => Promise<Response>): Stripe {
  return new Stripe('sk_test_local', {
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) =>
      ask(new Request(url, init)),
    ),
  })
}
