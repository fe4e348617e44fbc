import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A security key made of code: it answers as a browser with a person's finger on the sensor would. */
export interface Authenticator {
  /** The credential's id, base64url. */
  readonly id: string
  /** Answers creation options: JSON as `toJSON()` of the browser gives it. */
  create(options: Options, change?: Change): string
  /** Answers request options. */
  get(options: Options, change?: Change): string
}

type Options = Readonly<Record<string, unknown>> | null

/** What an attacker's browser does differently. */
export interface Change {
  readonly origin?: string
  readonly rpId?: string
  /** Nobody gave a finger, a face or a number. */
  readonly isUnverified?: boolean
  /** Another challenge than the one that was asked. */
  readonly challenge?: string
  /** Another type: the answer of a creation where one of a request is wanted. */
  readonly type?: string
}

const b64 = (bytes: Buffer): string => bytes.toString('base64url')
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const UP = 0x01
const UV = 0x04
const ATTESTED = 0x40

/** @param origin of the site whose page asks */
export function anAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  const rpIdOf = ({ rpId = new URL(origin).hostname }: Change) => rpId
  const clientData = (type: string, options: Options, change: Change) =>
    Buffer.from(
      JSON.stringify({
        type: change.type ?? type,
        challenge: change.challenge ?? String(options?.challenge),
        origin: change.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authData = (flags: number, change: Change) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter++)
    const verified = change.isUnverified ? 0 : UV
    return Buffer.concat([sha256(rpIdOf(change)), Buffer.from([flags | UP | verified]), count])
  }
  const answer = (response: object) =>
    JSON.stringify({
      id: b64(id),
      rawId: b64(id),
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response,
    })
  return {
    id: b64(id),
    create(options, change = {}) {
      const data = clientData('webauthn.create', options, change)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)])
      const auth = Buffer.concat([authData(ATTESTED, change), attested])
      // {"fmt": "none", "attStmt": {}, "authData": bytes}
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(auth),
      ])
      return answer({
        clientDataJSON: b64(data),
        attestationObject: b64(attestation),
        transports: ['internal'],
      })
    },
    get(options, change = {}) {
      const data = clientData('webauthn.get', options, change)
      const auth = authData(0, change)
      const signature = sign('sha256', Buffer.concat([auth, sha256(data)]), privateKey)
      return answer({ clientDataJSON: b64(data), authenticatorData: b64(auth), signature: b64(signature) })
    },
  }
}

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

function bytes(value: Buffer): Buffer {
  const head = Buffer.alloc(3)
  head.writeUInt8(0x59)
  head.writeUInt16BE(value.length, 1)
  return Buffer.concat([head, value])
}

/** {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (value: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    coordinate(x),
    Buffer.from([0x22]),
    coordinate(y),
  ])
}
