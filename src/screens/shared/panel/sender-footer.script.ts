/**
 * What every buyer's page carries. One script, since each costs a hash in the policy. A `data-panel` control opens its page
 * of text in a side panel; until the code for that is there, and wherever anything fails, it is a link to the page.
 */
import { later } from '#screens/shared/shell/shell.ts'
import settledFile from './sender-settled.ts?own-file'

const settled = later<typeof import('./sender-settled.ts')>(settledFile)

document.addEventListener('click', event => {
  const control = (event.target as Element).closest<HTMLAnchorElement>('a[data-panel]')
  const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
  if (!control || elsewhere || event.defaultPrevented) return
  event.preventDefault()
  settled()
    .then(({ open }) => open(control))
    .catch(() => location.assign(control.href))
})
