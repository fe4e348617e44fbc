const SERVICES = /(?:^|\.)(?:sanity\.io|sanity-cdn\.com)$/

/**
 * What the Studio is told to be the lake's host. It puts the project's name before it where it makes clients of its
 * own, which no real host would bear (`local.127.0.0.1` is no address), so such requests are turned round here.
 */
export const LAKE_HOST = 'http://lake.invalid'
const LAKE = /(?:^|\.)lake\.invalid$/

/** The page's globals, as far as they are touched here. */
interface Page {
  fetch: typeof fetch
  readonly location?: { readonly origin: string }
  readonly localStorage?: Pick<Storage, 'setItem'>
}

/**
 * The Studio asks Sanity's own services whether there is a newer version and whether feedback can be sent; neither
 * has a switch. On a site without an account such requests end here, with an answer that makes the Studio go on.
 */
export function keepAtHome(page: Page): void {
  const { fetch, location } = page
  if (location === undefined) return
  page.fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.origin)
    if (LAKE.test(address.hostname)) {
      const own = new URL(address.pathname + address.search, location.origin)
      return fetch.call(page, input instanceof Request ? new Request(own, input) : own, init)
    }
    if (!SERVICES.test(address.hostname)) return fetch.call(page, input, init)
    const isQuestion = (init?.method ?? 'GET') === 'GET'
    return Promise.resolve(isQuestion ? Response.json({}) : new Response(null, { status: 503 }))
  }
  // The Studio warns of six connections to a host over HTTP/1.1; its streams share one here.
  page.localStorage?.setItem('_sanity_debugProtocol', 'h2')
}
