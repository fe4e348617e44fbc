import { DAY_MS, HOUR_MS } from '../durations.ts'
import type { ActName } from './acts.ts'

/** Whoever works at the desk. A treasurer may do everything that an editor may. */
export const ROLES = ['editor', 'treasurer'] as const
export type Role = (typeof ROLES)[number]

/** May somebody in this role do what needs the other? */
export const mayDo = (role: Role, needed: Role): boolean => role === 'treasurer' || role === needed

/**
 * Who may do what about one gift. What gives somebody a gift or money needs a treasurer, who proves it with a passkey
 * for each press: a session alone, which may be stolen, does none of it.
 */
export const ROLE_FOR_ACT: Readonly<Record<ActName, Role>> = {
  resend: 'editor',
  blank: 'editor',
  hold: 'editor',
  release: 'editor',
  address: 'treasurer',
  links: 'treasurer',
  refund: 'treasurer',
}

/** Why a press was not confirmed. */
export type ConfirmationRefusal =
  /** It is no passkey of this person, or it was asked for another press, or too long ago. */
  | 'passkey'
  /** Nobody has a passkey yet: the first one has to be made. */
  | 'no-passkey'
  /** Only a treasurer may do it. */
  | 'role'

/** What a treasurer does about the people at the desk. */
export type PeopleAct =
  /** Lets somebody new in: they make their own passkey with the code of the answer. */
  | { readonly act: 'invite'; readonly name: string; readonly role: Role; readonly email: string }
  /** A further passkey for somebody who has one: a second device. */
  | { readonly act: 'add-passkey'; readonly person: string }
  /** None of their passkeys opens anything any more. */
  | { readonly act: 'end'; readonly person: string }

/** Why an act about people was refused. */
export type PeopleRefusal =
  | ConfirmationRefusal
  | 'name'
  | 'not-an-address'
  | 'no-such-person'
  /** Nobody would be left to move money. */
  | 'last-treasurer'
  /** The key of another press. */
  | 'other-press'

/** How long an invitation can be used, in ms. */
export const INVITATION_MS = DAY_MS
/** How long one that was made on the machine waits, in ms: everybody at the desk is written to, and can object. */
export const RECOVERY_WAIT_MS = DAY_MS
/** How long it can be used afterwards, in ms. */
export const RECOVERY_MS = 3 * DAY_MS
/** How long the answer to a passkey's challenge may take, in ms. */
export const CHALLENGE_MS = HOUR_MS / 12

/** Letters and digits that nobody takes for one another. */
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The code of an invitation, as it is read aloud: `7KQ2-…`, a hundred bits.
 * @param bytes random, one for each letter
 */
export function invitationCode(bytes: Uint8Array): string {
  const letters = Array.from(bytes.subarray(0, 20), byte => CODE_LETTERS[byte % 32])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** An invitation's code as somebody typed it, without its dashes; undefined where it is none. */
export function readInvitationCode(typed: string): string | undefined {
  if (typed.length > 60) return undefined
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{20}$/.test(letters) ? letters : undefined
}

/** A person's name as the audit log shows it: one line of at most sixty characters; undefined where it is none. */
export function readPersonName(typed: string): string | undefined {
  const name = typed.trim().replace(/\s+/g, ' ')
  return name.length > 0 && name.length <= 60 && !/\p{C}/u.test(name) ? name : undefined
}
