import type { BrowserContext } from '@playwright/test'

/** Looks over a visitor's shoulder, and remembers what no page may ever do. */
export interface Watch {
  /** Follows every page of a context, from now on. */
  follow(context: BrowserContext): Promise<void>
  /** A test that provokes a fault names what the browser will say about it. */
  expectFault(said: RegExp): void
  /** Faults that nobody expected: errors in the console, broken policies, requests to another host. */
  faults(): readonly string[]
}

export function createWatch(siteUrl: string): Watch {
  // Said by the runner itself where a test does without the service worker.
  const expected: RegExp[] = [/Service Worker registration blocked by Playwright/]
  const seen: string[] = []
  return {
    async follow(context) {
      context.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning')
          seen.push(`${message.type()}: ${message.text()} (${message.location().url})`)
      })
      context.on('weberror', error => {
        const { name, message, stack } = error.error()
        seen.push(`thrown: ${name} ${message} ${stack} (${error.page()?.url()})`)
      })
      context.on('request', request => {
        const url = new URL(request.url())
        if (/^https?:$/.test(url.protocol) && url.origin !== siteUrl)
          seen.push(`foreign request: ${url.href}`)
      })
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', event =>
          console.error(`policy broken: ${event.violatedDirective} by ${event.blockedURI}`),
        )
      })
    },
    expectFault: said => void expected.push(said),
    faults: () => seen.filter(fault => !expected.some(said => said.test(fault))),
  }
}
