import type { Role } from '#domain/desk/roles.ts'
import type { Options } from './passkeys.ts'
import type { Person } from './people.ts'

/** Who asks, at the operator's doors. */
export interface Actor {
  readonly role: Role
  /** Whose passkey opened the session; undefined where the token did, or where this machine is enough. */
  readonly person?: Person
}

/** What a passkey is asked for. */
export type ChallengeAsked =
  | { readonly for: 'sign-in' }
  /** @param press the key of the press that it confirms */
  | { readonly for: 'press'; readonly press: string }
  /** The first passkey of all, with the token. */
  | { readonly for: 'first'; readonly token: string; readonly name: string }
  | { readonly for: 'invitation'; readonly code: string }

/** A passkey that was just made. */
export type Enrolment =
  | { readonly token: string; readonly name: string; readonly answer: string }
  | { readonly code: string; readonly answer: string }

/** The operator's sign-in: the operator may edit the content and see everything of the site; a treasurer moves money. */
export interface Operator {
  /** How somebody becomes the operator: by the token or a passkey, by using this machine, or not at all. */
  readonly login: 'token' | 'open' | 'closed'
  /**
   * The `Set-Cookie` of a new session; undefined when that is not the token. Problem too-many-requests after too many
   * wrong ones from this address, here or in headers.
   */
  signIn(token: string, address: string): Promise<string | undefined>
  /** The same by a passkey. @param answer of the browser, JSON */
  signInWithPasskey(answer: string, address: string): Promise<string | undefined>
  /** Keeps a new passkey, and signs its person in. @returns undefined where the token, the code or the answer is wrong */
  enrol(made: Enrolment, address: string): Promise<string | undefined>
  /** Has nobody made a passkey yet? */
  isFirst(): Promise<boolean>
  /**
   * What the browser's passkey is asked; undefined where nothing has to be confirmed. Problems: operator-only where that
   * is not the token, not a code, or nobody's session; act-refused where this person cannot confirm a press;
   * too-many-requests.
   */
  challenge(asked: ChallengeAsked, headers: Headers, address: string): Promise<Options | undefined>
  /**
   * Wants a treasurer's passkey for this very press: a session alone, which may be stolen, gives nobody a gift or money.
   * Wrong answers count like those of a login. Without a token, the operator is whoever sits at this machine. Problems:
   * act-refused (ConfirmationRefusal), too-many-requests.
   */
  confirm(press: string, answer: string | undefined, headers: Headers, address: string): Promise<void>
  /** Ends the session in these headers, everywhere. @returns the `Set-Cookie` that takes it away */
  signOut(headers: Headers): Promise<string>
  /**
   * Recognises the operator by session or by `Authorization: Bearer`. Rejects with Problem too-many-requests as
   * `signIn` does.
   * @param address the caller's address
   */
  who(headers: Headers, address: string): Promise<Actor | undefined>
  /** Is it anybody? As `who`. */
  isOperator(headers: Headers, address: string): Promise<boolean>
  /** When the session in these headers ends by itself, epoch ms; undefined without one. */
  endOfSession(headers: Headers): number | undefined
}

/** The operator's editor, prepared behind the running site. */
export interface Studio {
  state(): StudioState
}

/** `failed`: the log says why. `off`: the settings, or the sources that are not there. */
export type StudioState = 'off' | 'preparing' | 'ready' | 'failed'
