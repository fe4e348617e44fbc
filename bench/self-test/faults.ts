import { randomBytes } from 'node:crypto'
import type { BrowserContext } from 'playwright'

/** A fault that a measurement must notice: put into the page on its way, never into the sources. */
export type PageFault = (context: BrowserContext) => Promise<unknown>

const FAULT_SCRIPT = '/planted.js'

/** 20 kB of further script, before the page is loaded. */
export const moreScript: PageFault = async context => {
  await context.route(`**${FAULT_SCRIPT}`, route =>
    route.fulfill({ contentType: 'text/javascript', body: `//${randomBytes(10_000).toString('hex')}` }),
  )
  await context.addInitScript(path => {
    document.addEventListener('DOMContentLoaded', () => {
      const script = document.createElement('script')
      script.src = path
      document.head.append(script)
    })
  }, FAULT_SCRIPT)
}

/** Everything fades in from nothing, which counts as no paint. */
export const fadeFromNothing: PageFault = context =>
  context.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      document.body.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 1_000, fill: 'both' })
    }).observe(document, { childList: true, subtree: true })
  })

/** 50 ms of work on a processor that is four times as slow, once the page is there and at every tap. */
export const sleep: PageFault = context =>
  context.addInitScript(() => {
    const work = (): void => {
      const start = performance.now()
      while (performance.now() - start < 50 * 4);
    }
    addEventListener('load', () => setTimeout(work))
    addEventListener('click', work, true)
  })

/** Something pushes the page down after it has come. */
export const lateBanner: PageFault = context =>
  context.addInitScript(() => {
    addEventListener('load', () =>
      setTimeout(() => {
        const banner = document.createElement('div')
        banner.style.height = '200px'
        document.body.prepend(banner)
      }, 100),
    )
  })
