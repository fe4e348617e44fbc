import { type ClientConfig, createClient, type SanityClient } from '@sanity/client'
import type { AuthConfig } from 'sanity'
import { keepAtHome, LAKE_HOST } from './keep-at-home.ts'
import { createSharedListening } from './shared-listening.ts'

/** Where the site asks an operator for their token. */
const LOGIN_PATH = '/studio-login'

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
  const listening = createSharedListening({
    origin,
    fetch: (address, init) => globalThis.fetch(address, init),
    openSocket: address => new WebSocket(address),
  })
  // One function for all clients: they share their streams by it.
  const resolveFetch = () => listening
  keepAtHome(globalThis)
  return {
    apiHost: LAKE_HOST,
    auth: {
      loginMethod: 'cookie',
      redirectOnSingle: true,
      providers: [{ name: 'operator', title: 'Operator', url: `${origin}${LOGIN_PATH}` }],
    },
    unstable_clientFactory: config =>
      createClient({ ...config, apiHost: origin, useProjectHostname: false, useCdn: false, resolveFetch }),
  }
}
