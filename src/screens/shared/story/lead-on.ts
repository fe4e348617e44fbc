/** What every recipient's screen does, one of the story or its end: a tap leads on once the screen's wait is over. */
import { isCalm } from '#screens/shared/flow/calm.ts'
import { continueOnTap, type Gate } from '#screens/shared/flow/tap-to-continue.ts'
import { CAME_FROM_RECEIVER_KEY, CONSENT_KEY, SCREEN_SHOWN } from '#wire/browser-names.ts'

/** Another screen may be put in its place. */
export const main = (): HTMLElement => document.querySelector('main')!

let shownAt = performance.now()
// Another script may have put the thanks in the place of the split, from the answer to it.
addEventListener(SCREEN_SHOWN, () => {
  shownAt = performance.now()
})

/** Has this screen been up long enough for a tap to count? The try card and calm visitors never wait. */
function gateOpen(): boolean {
  const { wait, try: isTry, stays } = main().dataset
  // Somebody is writing in it.
  if (stays !== undefined) return false
  return isTry !== undefined || isCalm() || performance.now() - shownAt >= Number(wait)
}

function keepThatAReceiverCame(): void {
  if (main().dataset.screen !== 'thanks') return
  try {
    // After a plain no to the consent question such a flag stays in the tab (screens/shared/visitor/visit-flags.store.ts).
    const refused = localStorage.getItem(CONSENT_KEY)?.includes('"reject"')
    const place = refused ? sessionStorage : localStorage
    place.setItem(CAME_FROM_RECEIVER_KEY, 'yes')
  } catch {
    // Storage is blocked: the visitor is simply a new one.
  }
}

/** Listens for taps from now on, and has `go` lead to where the screen leads. */
export function leadOn(go: Gate['leave']): void {
  continueOnTap({
    next: () => main().dataset.next,
    isOpen: gateOpen,
    linkWaits: () => main().classList.contains('story'),
    leave: (href, fade) => {
      keepThatAReceiverCame()
      go(href, fade)
    },
  })
}

// A page kept by the browser may show a credit that is long gone. Asked for anew, not reloaded: that would offer to send
// the form again that the page may be the answer to.
addEventListener('pageshow', event => {
  if (!event.persisted) return
  // Nor while the answer is on its way.
  main().style.visibility = 'hidden'
  location.replace(location.pathname + location.search)
})
