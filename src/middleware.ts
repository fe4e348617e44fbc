import { defineMiddleware } from 'astro:middleware'
import { isProblem } from '#domain/problems.ts'

/**
 * A page or endpoint that fails is logged by us, masked: Astro's own log lines would carry the address, and with
 * it a card's key. The front turns the empty answer into the designed page for it.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  try {
    return await next()
  } catch (error) {
    // The development server shows it in the browser.
    if (import.meta.env.DEV) throw error
    context.locals.app.log.error('page-failed', error, { route: context.routePattern })
    if (!isProblem(error) || error.code !== 'temporarily-unavailable')
      return new Response(null, { status: 500 })
    const { retryAfterSeconds = 1 } = error.details
    return new Response(null, { status: error.status, headers: { 'Retry-After': `${retryAfterSeconds}` } })
  }
})
