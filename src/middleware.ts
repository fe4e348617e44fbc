import { defineMiddleware } from 'astro:middleware'

/**
 * A page or endpoint that fails is logged by us, masked: Astro's own log lines would carry the address, and with
 * it a card's key. The front turns the empty 500 into the designed error page.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  try {
    return await next()
  } catch (error) {
    // The development server shows it in the browser.
    if (import.meta.env.DEV) throw error
    context.locals.app.log.error('page-failed', error, { route: context.routePattern })
    return new Response(null, { status: 500 })
  }
})
