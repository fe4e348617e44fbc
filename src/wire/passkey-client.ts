import type { ChallengeRequest, PasskeyAnswer } from './operator.ts'

/**
 * What became of asking for a passkey. `none`: the site wants none. `refused`:
 * the site says no; `rule` is its reason. `cancelled`: the person, or their device, did not go through with it.
 */
export type Asked =
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: string; readonly rule: string | undefined }
  | { readonly kind: 'cancelled' | 'too-old' | 'unreachable' }

type Fetch = (path: string, init: RequestInit) => Promise<Response>

const PATH = '/api/operator/passkey-challenge'
const LONGEST_MS = 25_000

/** Can this browser use passkeys here? Not over plain http, this machine excepted. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/**
 * Asks the site for a challenge, and the browser for its answer: JSON that the site takes once. Never throws.
 * @param fetch the browser's own
 */
export async function askForPasskey(fetch: Fetch, asked: ChallengeRequest): Promise<Asked> {
  const said = await challenge(fetch, asked)
  if ('kind' in said) return said
  if (said.options === null) return { kind: 'none' }
  if (!hasPasskeys()) return { kind: 'too-old' }
  try {
    const isNew = asked.for === 'first' || asked.for === 'invitation'
    const credential = await (isNew ? create(said.options) : get(said.options))
    if (!(credential instanceof PublicKeyCredential)) return { kind: 'cancelled' }
    return { kind: 'answer', answer: JSON.stringify(credential.toJSON()) }
  } catch {
    return { kind: 'cancelled' }
  }
}

const create = (options: object) =>
  navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    ),
  })
const get = (options: object) =>
  navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
      options as PublicKeyCredentialRequestOptionsJSON,
    ),
  })

async function challenge(fetch: Fetch, asked: ChallengeRequest): Promise<PasskeyAnswer | Asked> {
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      signal: AbortSignal.timeout(LONGEST_MS),
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
    })
    const data = await response.json()
    if (response.ok) return data
    return { kind: 'refused', code: String(data.code), rule: data.fields?.[0]?.rule }
  } catch {
    return { kind: 'unreachable' }
  }
}
