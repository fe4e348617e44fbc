import { createHash, randomBytes } from 'node:crypto'
import { type ConfirmationRefusal, mayDo, readInvitationCode, readPersonName } from '#domain/desk/roles.ts'
import { Problem } from '#domain/problems.ts'
import type { Actor, ChallengeAsked, Enrolment, Operator } from '#server/modules/operator/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { RateLimits } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/log.ts'
import { OPERATOR_COOKIE } from '#wire/browser-names.ts'
import { operatorCookie } from './cookies.ts'
import type { EndedSessions } from './ended-sessions.ts'
import type { NewPasskey, Passkeys } from './passkeys.ts'
import type { People, Person, Telling } from './people.ts'
import { isSame, keyFor, readSigned, signed } from './signed.ts'

export interface OperatorParts {
  /** OPERATOR_TOKEN; without it nobody can log in. */
  readonly token: string | undefined
  /** Without a token, everybody at this machine is the operator. Never for a site in production. */
  readonly openMode: boolean
  /** The server's secret, from which the key of the sessions is made. */
  readonly secret: string
  readonly ended: EndedSessions
  /** Cookies only over https. */
  readonly secure: boolean
  readonly people: People
  readonly passkeys: Passkeys
  /** Wrong tokens, codes and passkeys are counted here, wherever they are given. */
  readonly limits: RateLimits
  readonly log: Log
  readonly clock: Clock
}

/** A working day: nobody has to log in twice while editing. */
const SESSION_SECONDS = 12 * 60 * 60

/**
 * Whoever gave the token, or has a passkey, may edit as long as the session lasts. A session is a signed name, an end and
 * the person. The key of the signature is made from the token too, so that a new token ends every session of the old one.
 */
export function createOperator(parts: OperatorParts): Operator {
  const { token, openMode, secret, ended, secure, clock, log, limits, people, passkeys } = parts
  const cookie = operatorCookie(OPERATOR_COOKIE, secure)
  const key = keyFor(secret, `operator session ${token ?? ''}`)
  const login = token !== undefined ? 'token' : openMode ? 'open' : 'closed'

  /** Every door asks here, so that a guess counts the same at each. Problem too-many-requests. */
  const counted = <T>(address: string, isRight: () => T | undefined | Promise<T | undefined>) =>
    limits.guess('operator-login', address, isRight)

  /** Once an address has made too many guesses, not even the right token is looked at. Problem too-many-requests. */
  async function isToken(given: string, address: string): Promise<boolean> {
    if (token === undefined) return false
    return (await counted(address, () => isSame(given, token) || undefined)) ?? false
  }

  function newSession(person?: string): string {
    const expiresAt = clock() + SESSION_SECONDS * 1000
    const id = randomBytes(16).toString('base64url')
    const text = [id, expiresAt, ...(person === undefined ? [] : [person])].join('.')
    return cookie.set(signed(key, text), SESSION_SECONDS)
  }

  function sessionIn(headers: Headers): Session | undefined {
    if (token === undefined) return undefined
    const [id, end, person] = readSigned(key, cookie.read(headers) ?? '')?.split('.') ?? []
    const expiresAt = Number(end)
    return id !== undefined && expiresAt > clock() ? { id, expiresAt, person } : undefined
  }

  async function actorOf(headers: Headers): Promise<Actor | undefined> {
    const session = sessionIn(headers)
    if (session === undefined || (await ended.has(session.id))) return undefined
    if (session.person === undefined) return EDITOR
    const person = await people.standing(session.person)
    return person && { role: person.role, person }
  }

  async function who(headers: Headers, address: string): Promise<Actor | undefined> {
    const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
    if (bearer !== undefined) return (await isToken(bearer, address)) ? EDITOR : undefined
    if (token !== undefined) return actorOf(headers)
    return openMode && isThisMachine(address) && !isForwarded(headers) ? TREASURER : undefined
  }

  /** The treasurer who asks. Problems: operator-only, act-refused. */
  async function treasurer(headers: Headers, address: string): Promise<Person> {
    const actor = await who(headers, address)
    if (actor === undefined) throw new Problem('operator-only')
    if (actor.person !== undefined && mayDo(actor.role, 'treasurer')) return actor.person
    throw refused((await people.isBegun()) ? 'role' : 'no-passkey')
  }

  /** The person whose passkey signed this. An answer is good for its purpose alone, and once. */
  async function signedBy(
    answer: string,
    purposeOf: (person: Person) => string,
  ): Promise<Person | undefined> {
    const known = await people.passkey(passkeys.idIn(answer) ?? '')
    if (known === undefined) return undefined
    const counter = await passkeys.signedWith(answer, purposeOf(known.person), known)
    if (counter === undefined) return undefined
    await people.noteUse(known.id, counter)
    return known.person
  }

  /** Everybody at the desk hears of it: the mail is kept with the passkey, wherever the server stops. */
  const tellingOf =
    (person: Person, passkey: NewPasskey): Telling =>
    async trx =>
      log.queueAlarm?.(trx, PASSKEY_MADE, madeBy(person, passkey))

  function entered(person: Person, passkey: NewPasskey): string {
    log.error(PASSKEY_MADE, new Error(PASSKEY_MADE), madeBy(person, passkey))
    return newSession(person.id)
  }

  async function enrol(made: Enrolment, address: string): Promise<string | undefined> {
    if ('token' in made) {
      const name = readPersonName(made.name)
      if (name === undefined || !(await isToken(made.token, address))) return undefined
      const passkey = await passkeys.made(made.answer, FIRST)
      const person: Person = { id: newId(clock()), name, role: 'treasurer' }
      return passkey && (await people.first(person.id, name, passkey, tellingOf(person, passkey)))
        ? entered(person, passkey)
        : undefined
    }
    const code = readInvitationCode(made.code) ?? ''
    const person = await counted(address, () => people.invited(code))
    const passkey = person && (await passkeys.made(made.answer, joining(person)))
    return passkey && (await people.join(person, code, passkey, tellingOf(person, passkey)))
      ? entered(person, passkey)
      : undefined
  }

  async function challenge(asked: ChallengeAsked, headers: Headers, address: string) {
    if (login !== 'token') return undefined
    switch (asked.for) {
      case 'sign-in':
        return passkeys.request(SIGN_IN)
      case 'press': {
        const person = await treasurer(headers, address)
        return passkeys.request(pressOf(person, asked.press), await people.passkeysOf(person.id))
      }
      case 'first': {
        const name = readPersonName(asked.name)
        const mayBegin = (await isToken(asked.token, address)) && !(await people.isBegun())
        if (name === undefined || !mayBegin) throw new Problem('operator-only')
        return passkeys.creation(FIRST, { id: newId(clock()), name })
      }
      case 'invitation': {
        const code = readInvitationCode(asked.code) ?? ''
        const person = await counted(address, () => people.invited(code))
        if (person === undefined) throw new Problem('operator-only')
        return passkeys.creation(joining(person), person)
      }
    }
  }

  return {
    login,
    challenge,
    enrol,
    who,
    isFirst: async () => login === 'token' && !(await people.isBegun()),
    signIn: async (given, address) => ((await isToken(given, address)) ? newSession() : undefined),
    async signInWithPasskey(answer, address) {
      if (token === undefined) return undefined
      const person = await counted(address, () => signedBy(answer, () => SIGN_IN))
      return person && newSession(person.id)
    },
    async confirm(press, answer, headers, address) {
      if (login === 'open') return
      const person = await treasurer(headers, address)
      if (answer === undefined) throw refused('passkey')
      const isTheirs = await counted(address, async () => {
        const signer = await signedBy(answer, known => pressOf(known, press))
        return signer?.id === person.id || undefined
      })
      if (!isTheirs) throw refused('passkey')
    },
    async signOut(headers) {
      const session = sessionIn(headers)
      if (session) await ended.add(session.id, session.expiresAt, clock())
      return cookie.clear()
    },
    isOperator: async (headers, address) => (await who(headers, address)) !== undefined,
    endOfSession: headers => sessionIn(headers)?.expiresAt,
  }
}

const PASSKEY_MADE = 'passkey-made'
const madeBy = ({ id: person, role }: Person, { id }: NewPasskey) => ({
  person,
  role,
  passkey: id.slice(0, 16),
})

interface Session {
  readonly id: string
  readonly expiresAt: number
  /** The id of the person whose passkey opened it. */
  readonly person: string | undefined
}

/** The token, which several people may know, moves no money. */
const EDITOR: Actor = { role: 'editor' }
const TREASURER: Actor = { role: 'treasurer' }

// What an answer of a passkey is good for.
const SIGN_IN = 'sign-in'
const FIRST = 'first'
const joining = ({ id }: Person): string => `join ${id}`
const pressOf = ({ id }: Person, press: string): string =>
  `press ${id} ${createHash('sha256').update(press).digest('base64url')}`

const refused = (rule: ConfirmationRefusal): Problem =>
  new Problem('act-refused', { fields: [{ path: 'passkey', rule }] })

/** Is this the address of a connection from the same machine? */
export const isThisMachine = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./i.test(address)

/** A request through a proxy comes from elsewhere, whatever the proxy's own address is. */
export function isForwarded(headers: Headers): boolean {
  return FORWARDED.some(name => headers.has(name))
}

const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'via',
]
