/** What the foot of every buyer's page does: panels of text, errors told in the title, and the developer's panel for those who have asked for it. */
import developer from '#screens/shared/developer/developer-panel.ts?own-file'
import { watchErrors } from '#screens/shared/kit/error-title.ts'
import { DEVELOPER_KEY } from '#wire/browser-names.ts'
import './panel-links.ts'

watchErrors()
try {
  if (localStorage.getItem(DEVELOPER_KEY)) void import(/* @vite-ignore */ developer)
} catch {
  // Storage is blocked: no such wish is remembered.
}
