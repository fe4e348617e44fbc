/**
 * Screens that a tap anywhere leads on from, once their wait is over: the recipient's story and the buyer's splash.
 * Without this script the way on is an ordinary link.
 */

export interface Gate {
  /** Where the screen leads, as its links write it; undefined where no tap leads on. */
  readonly next: () => string | undefined
  /** Is the wait over? */
  readonly isOpen: () => boolean
  /** Does the continue link wait as well, or the empty screen only? */
  readonly linkWaits: () => boolean
  /** Skip is always taken, and comes without a fade. */
  readonly leave: (href: string, fade: boolean) => void
}

/** The next page comes without the fade that pages otherwise change with. */
export function leaveAtOnce(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('@view-transition{navigation:none}')
  document.adoptedStyleSheets.push(sheet)
}

/** Listens for taps from now on: on Skip, on the continue link, and on the screen itself where no control is. */
export function continueOnTap({ next, isOpen, linkWaits, leave }: Gate): void {
  document.addEventListener('click', event => {
    // What is clicked is always an element.
    const target = event.target as Element
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey) return
    const href = next()
    if (!href || target.closest('details, button, input, label, dialog')) return
    const link = target.closest('a')
    const skips = link?.dataset.action === 'skip'
    if (link && (skips || link.getAttribute('href') === href)) {
      event.preventDefault()
      if (skips || !linkWaits() || isOpen()) leave(href, !skips)
    } else if (!link && target.closest('main') && isOpen() && !String(getSelection())) {
      leave(href, true)
    }
  })
}
