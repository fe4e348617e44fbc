import { EnvHttpProxyAgent } from 'undici'

/**
 * Loaded before a server's own code (`--import`): requests to the hosted content service go to the test's stand-in
 * instead. There is no setting for it, since no site has a use for one.
 */
const standIn = process.env.HOSTED_CONTENT ?? ''
const isService = (address: string): boolean =>
  /^https:\/\/(?:\w+\.api|cdn)\.sanity\.io(?:\/|$)/.test(address)

// The service's client brings along what it asks with.
const { dispatch } = EnvHttpProxyAgent.prototype
EnvHttpProxyAgent.prototype.dispatch = function (options, handler) {
  const there = isService(String(options.origin)) ? { ...options, origin: standIn } : options
  return dispatch.call(this, there, handler)
}

const { fetch } = globalThis
globalThis.fetch = (input, init) => {
  const address = new URL(input instanceof Request ? input.url : input)
  return isService(address.href) ? fetch(new URL(address.pathname, standIn), init) : fetch(input, init)
}
