import { z } from 'zod'
import { ROLES } from '#domain/desk/roles.ts'
import { defineContract } from '../contract.ts'
import { again } from './parts.ts'

/**
 * What a passkey is asked: to sign in, to confirm a press, or to be made. `options` are those of WebAuthn, as JSON; null
 * where nothing has to be confirmed.
 */
export const askPasskey = defineContract({
  method: 'POST',
  path: '/api/operator/passkey-challenge',
  request: z.discriminatedUnion('for', [
    z.object({ for: z.literal('sign-in') }),
    z.object({ for: z.literal('press'), press: z.string().max(200) }),
    z.object({ for: z.literal('first'), token: z.string().max(200), name: z.string().max(200) }),
    z.object({ for: z.literal('invitation'), code: z.string().max(60) }),
  ]),
  response: z
    .object({ options: z.record(z.string(), z.unknown()).optional() })
    .transform(({ options }) => ({ options: options ?? null })),
})

/** The people at the desk. Times are epoch milliseconds UTC. */
export const readPeople = defineContract({
  method: 'GET',
  path: '/api/operator/people',
  request: z.undefined(),
  response: z
    .object({
      you: z.string().nullable(),
      role: z.enum(ROLES),
      people: z
        .array(
          z.object({
            id: z.string(),
            name: z.string(),
            role: z.enum(ROLES),
            email: z.string().nullable(),
            passkeys: z.number(),
            usedAt: z.number().nullable(),
            invitedUntil: z.number().nullable(),
          }),
        )
        .readonly(),
    })
    .transform(({ people, ...rest }) => ({
      ...rest,
      people: people.map(({ usedAt, invitedUntil, ...each }) => ({
        ...each,
        used_at: usedAt,
        invited_until: invitedUntil,
      })),
    })),
})

/** What a treasurer does about people. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnPeople = defineContract({
  method: 'POST',
  path: '/api/operator/people-act',
  request: z.discriminatedUnion('act', [
    z.object({
      act: z.literal('invite'),
      name: z.string().max(200),
      role: z.enum(ROLES),
      email: z.string().max(254),
      ...again,
    }),
    z.object({ act: z.literal('add-passkey'), person: z.string().max(64), ...again }),
    z.object({ act: z.literal('end'), person: z.string().max(64), ...again }),
  ]),
  response: z
    .object({
      isRepeated: z.boolean(),
      invitation: z.object({ code: z.string(), until: z.number() }).optional(),
    })
    .transform(({ isRepeated, invitation }) => ({
      is_repeated: isRepeated,
      /** Shown once. */
      invitation: invitation ?? null,
    })),
})

/** What goes over the wire, for the Studio's tool. */
export type ChallengeRequest = z.input<typeof askPasskey.request>
export type PasskeyAnswer = z.output<typeof askPasskey.response>
export type PeopleAnswer = z.output<typeof readPeople.response>
export type PeopleActRequest = z.input<typeof actOnPeople.request>
export type PeopleActAnswer = z.output<typeof actOnPeople.response>
