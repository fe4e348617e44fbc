/**
 * A buyer's screen that says one thing and leads on by a tap: the splash and the design phrase. Its wait comes
 * from the page (`data-wait`, ms), which has it from the domain's table; what comes next is fetched meanwhile.
 */
import { languageOf } from '#domain/languages.ts'
import { senderPath } from '#paths'
import { isCalm } from '#screens/shared/flow/calm.ts'
import { prefetch } from '#screens/shared/flow/prefetch.ts'
import { continueOnTap, leaveAtOnce } from '#screens/shared/flow/tap-to-continue.ts'
import { setWay } from '#screens/shared/flow/way.store.ts'
import { isShortVisitor, noteEntry } from '#screens/shared/visitor/entry.store.ts'

const main = document.querySelector<HTMLElement>('main[data-wait]')
if (main) show(main)

function show(main: HTMLElement): void {
  const shownAt = performance.now()
  const isSplash = main.dataset.screen === 'intro'
  noteEntry({})
  const way = isSplash && isShortVisitor() ? 'short' : 'long'
  if (way === 'short') {
    const { lang } = document.documentElement
    const packages = senderPath(languageOf(lang), 'packages-donation')
    for (const link of document.querySelectorAll<HTMLAnchorElement>(`a[href="${main.dataset.next}"]`))
      link.setAttribute('href', packages)
    main.dataset.next = packages
  }
  // The splash itself belongs to both ways: which one it is, is settled by leaving it.
  if (!isSplash) setWay(way)

  continueOnTap({
    next: () => main.dataset.next,
    isOpen: () => isCalm() || performance.now() - shownAt >= Number(main.dataset.wait),
    linkWaits: () => true,
    leave: (href, fade) => {
      setWay(way)
      if (!fade) leaveAtOnce()
      location.assign(href)
    },
  })
  if (main.dataset.next) void prefetch(main.dataset.next)
}
