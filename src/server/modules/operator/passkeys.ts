import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Challenges } from './challenges.ts'

/** What a new passkey is known by. */
export interface NewPasskey {
  /** base64url. */
  readonly id: string
  /** COSE, base64url. */
  readonly publicKey: string
  readonly counter: number
}

/** WebAuthn's options as JSON. */
export type Options = Record<string, unknown>

/** An answered challenge is used up, whoever answered it. */
export interface Passkeys {
  /** What the browser needs to make one. */
  creation(purpose: string, person: { readonly id: string; readonly name: string }): Promise<Options>
  /** What the browser needs to sign with one. @param of ids of the passkeys; any of this site's when empty */
  request(purpose: string, of?: readonly string[]): Promise<Options>
  /** @returns the passkey that an answer to `creation` made; undefined where it is no such answer */
  made(answer: string, purpose: string): Promise<NewPasskey | undefined>
  /** The id of the passkey that an answer to `request` names; nothing is proven yet. */
  idIn(answer: string): string | undefined
  /** @returns the passkey's own count after this answer; undefined where it was not signed with the passkey */
  signedWith(answer: string, purpose: string, passkey: NewPasskey): Promise<number | undefined>
}

/** No answer of a browser is longer. */
const LONGEST = 16_384

/**
 * WebAuthn with `@simplewebauthn/server`, which is loaded with the first passkey. A passkey is of this site's name
 * alone, and its owner is asked for a finger, a face or a number each time.
 * @param siteUrl SITE_URL
 */
export function createPasskeys(siteUrl: string, challenges: Challenges): Passkeys {
  const { hostname: rpID, origin } = new URL(siteUrl)
  const library = () => import('@simplewebauthn/server')

  /** Whatever a stranger sends is no answer, rather than a failure. */
  async function verified<Answer, Result>(
    answer: string,
    purpose: string,
    verify: (response: Answer, fits: (challenge: string) => boolean) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    if (answer.length > LONGEST) return undefined
    const isFitting = await challenges.fitting(purpose)
    const seen: string[] = []
    const fits = (sent: string) => {
      const challenge = Buffer.from(sent, 'base64url').toString()
      seen.push(challenge)
      return isFitting(challenge)
    }
    // The library throws for everything that does not fit.
    const result = await Promise.resolve()
      .then(() => verify(JSON.parse(answer) as Answer, fits))
      .catch(() => undefined)
    const [challenge] = seen
    if (result === undefined || challenge === undefined) return undefined
    return (await challenges.use(challenge)) ? result : undefined
  }

  return {
    async creation(purpose, { id, name }) {
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: rpID,
        rpID,
        userName: name,
        userDisplayName: name,
        userID: new Uint8Array(Buffer.from(id)),
        challenge: await challenges.make(purpose),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { ...options }
    },
    async request(purpose, of = []) {
      const { generateAuthenticationOptions } = await library()
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: await challenges.make(purpose),
        userVerification: 'required',
        allowCredentials: of.map(id => ({ id })),
      })
      return { ...options }
    },
    made: (answer, purpose) =>
      verified<RegistrationResponseJSON, NewPasskey>(answer, purpose, async (response, fits) => {
        const { verifyRegistrationResponse } = await library()
        const { registrationInfo } = await verifyRegistrationResponse({
          response,
          expectedChallenge: fits,
          expectedOrigin: origin,
          expectedRPID: rpID,
        })
        if (registrationInfo === undefined) return undefined
        const { id, publicKey, counter } = registrationInfo.credential
        return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
      }),
    idIn(answer) {
      try {
        const { id } = JSON.parse(answer) as { id?: unknown }
        return typeof id === 'string' && /^[\w-]{16,1400}$/.test(id) ? id : undefined
      } catch {
        return undefined
      }
    },
    signedWith: (answer, purpose, { id, publicKey, counter }) =>
      verified<AuthenticationResponseJSON, number>(answer, purpose, async (response, fits) => {
        const { verifyAuthenticationResponse } = await library()
        const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          expectedChallenge: fits,
          expectedOrigin: origin,
          expectedRPID: rpID,
          credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
        })
        return isVerified ? authenticationInfo.newCounter : undefined
      }),
  }
}
