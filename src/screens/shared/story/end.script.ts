/** The recipient's screens behind the story: the list, the thanks, a card that was used or is missing. */
import { leaveAtOnce } from '#screens/shared/flow/tap-to-continue.ts'
import { SCREEN_SHOWN } from '#wire/browser-names.ts'
import { leadOn } from './lead-on.ts'

leadOn((href, fade) => {
  if (!fade) leaveAtOnce()
  location.assign(href)
})

// A tap on the hint before the list, while the list's own code is under way, opens the form beneath as its link does:
// the list takes over what is written there (screens/select-ngo/hint.ts listens once it has come).
document.addEventListener('click', ({ target, defaultPrevented }) => {
  if (defaultPrevented || !(target as Element).closest('main') || (target as Element).closest('a')) return
  const hint = document.querySelector<HTMLElement>('.split-hint:not([data-live])')
  if (hint?.offsetParent) hint.querySelector('a')?.click()
})

// The thanks may have been put in the place of the list, with an address of their own: Back from them asks the server
// what became of the card. A link within the page, and the view that confirms, keep the address.
let shownPath = location.pathname
addEventListener(SCREEN_SHOWN, () => {
  shownPath = location.pathname
})
addEventListener('popstate', () => {
  if (location.pathname !== shownPath) location.reload()
})
