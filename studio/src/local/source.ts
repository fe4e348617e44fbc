import { type ClientConfig, createClient, type SanityClient } from '@sanity/client'
import type { AuthConfig } from 'sanity'
import { askForPasskey } from '../product.ts'
import { holdThroughFullDisk, tellOfFullDisk, waitUnlessAborted } from './full-disk.ts'
import { keepAtHome, LAKE_HOST } from './keep-at-home.ts'
import { askForToken, type SignedIn, type WaysIn } from './login-dialog.ts'
import { holdThroughLogin } from './session.ts'
import { createSharedListening } from './shared-listening.ts'
import { explainRefusedUploads, tellOfRefusedFile } from './uploads.ts'

/** Where the site asks who an operator is. */
const LOGIN_PATH = '/studio-login'
const WHO_AM_I = '/v2026-05-04/auth/id'

interface LocalSource {
  readonly apiHost: string
  readonly auth: AuthConfig
  readonly unstable_clientFactory: (config: ClientConfig) => SanityClient
}

/**
 * The site's own Content Lake, at the address that the Studio came from. Sanity would put the project's name before
 * the host's; the clients made here do not. The Studio makes a few of its own from `apiHost` alone.
 */
export function localSource(): LocalSource {
  const origin = globalThis.location?.origin ?? 'http://localhost:4321'
  const login = `${origin}${LOGIN_PATH}`
  const held = holdThroughLogin({
    fetch: holdThroughFullDisk({
      fetch: (address, init) => globalThis.fetch(address, init),
      tell: () => tellOfFullDisk(document),
      wait: waitUnlessAborted,
    }),
    askToLogIn: () => askForToken(document, waysIn(login), async () => (await fetch(origin + WHO_AM_I)).ok),
    onLoggedOut: () => location.assign(`${login}?${new URLSearchParams({ origin: location.href })}`),
  })
  const listening = createSharedListening({
    origin,
    fetch: held,
    // A socket that is refused does not say why: this waits for a login where there is none.
    beforeOpening: () => held(origin + WHO_AM_I),
    openSocket: address => new WebSocket(address),
  })
  // One function for all clients: they share their streams by it.
  const resolveFetch = () => listening
  keepAtHome(globalThis)
  // The tools that read the Studio's settings have no page.
  if (globalThis.location) explainRefusedUploads(globalThis, tellOfRefusedFile(document))
  return {
    apiHost: LAKE_HOST,
    auth: {
      loginMethod: 'cookie',
      redirectOnSingle: true,
      providers: [{ name: 'operator', title: 'Operator', url: login }],
    },
    unstable_clientFactory: config =>
      createClient({ ...config, apiHost: origin, useProjectHostname: false, useCdn: false, resolveFetch }),
  }
}

/** Gives the site's login form what it wants. What it answers with leads elsewhere once that is right. */
function waysIn(login: string): WaysIn {
  const send = async (field: string, text: string, wrong: SignedIn): Promise<SignedIn> => {
    try {
      const body = new URLSearchParams({ [field]: text })
      const { type, status } = await fetch(login, { method: 'POST', body, redirect: 'manual' })
      if (type === 'opaqueredirect') return 'in'
      return status === 403 ? wrong : status === 429 ? 'too-often' : 'unreachable'
    } catch {
      return 'unreachable'
    }
  }
  return {
    token: typed => send('token', typed, 'wrong'),
    async passkey() {
      const asked = await askForPasskey((path, init) => fetch(path, init), { for: 'sign-in' })
      if (asked.kind === 'answer') return send('answer', asked.answer, 'wrong-passkey')
      return asked.kind === 'unreachable' ? 'unreachable' : 'cancelled'
    },
  }
}
