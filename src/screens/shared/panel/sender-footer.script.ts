/**
 * What every screen's switches do, and the foot of a buyer's page: panels of text, errors told in the title, and the
 * developer's panel for those who have asked for it. One script, since each costs a hash in the policy.
 */
import '#screens/shared/shell/shell.script.ts'
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
