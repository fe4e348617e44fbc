/** What a page's last presses met: said where a test failed, since a press that was lost leaves no other trace. */
import type { BrowserContext, TestInfo } from '@playwright/test'

/** Notes the last presses of every page that comes, with the layout shifts between them. */
export async function notePresses(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const notes: string[] = []
    Object.assign(globalThis, { pressNotes: notes })
    const note = (text: string): void => {
      notes.push(`${Math.round(performance.now())} ms ${text}`)
      if (notes.length > 20) notes.shift()
    }
    for (const type of ['mousedown', 'mouseup', 'click', 'scroll'] as const)
      addEventListener(
        type,
        event => {
          const { target } = event
          const where = target instanceof Element ? target.outerHTML.slice(0, 100) : 'document'
          const at = event instanceof MouseEvent ? ` at ${event.clientX}, ${event.clientY}` : ''
          note(`${type}${at}, scrolled to ${Math.round(scrollY)}: ${where}`)
        },
        { capture: true, passive: true },
      )
    new PerformanceObserver(list => {
      for (const shift of list.getEntries()) note(`layout shift of ${Math.round(shift.startTime)} ms`)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Writes what each open page of a test that failed noted; the list of tests would cut an attachment short. */
export async function tellPresses(context: BrowserContext, test: TestInfo): Promise<void> {
  if (test.status === test.expectedStatus) return
  for (const page of context.pages()) {
    const notes = await page
      .evaluate(() => (globalThis as { pressNotes?: string[] }).pressNotes ?? [])
      .catch(() => [])
    process.stdout.write(`Last presses on ${page.url()}\n${notes.map(note => `  ${note}\n`).join('')}`)
  }
}
