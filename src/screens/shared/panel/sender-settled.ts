/**
 * What a buyer's page does once it is painted, beside what every page does: panels of text, errors told in the title and
 * taken back once they are mended, and the developer's panel for those who have asked for it. One file for all of them,
 * which a browser keeps.
 */
import '#screens/shared/shell/settled.ts'
import developer from '#screens/shared/developer/developer-panel.ts?own-file'
import { watchErrors } from '#screens/shared/kit/error-title.ts'
import { takeBackMended } from '#screens/shared/kit/take-back.ts'
import { leaveEmptyEntry } from '#screens/shared/panel/history.ts'
import panelFile from '#screens/shared/panel/panel.ts?own-file'
import { DEVELOPER_KEY } from '#wire/browser-names.ts'

/** The panel's code comes when a control is touched, and with it the text. */
const panels = (): Promise<typeof import('#screens/shared/panel/panel.ts')> =>
  import(/* @vite-ignore */ panelFile)
const pathOf = (name: string): string => `/${document.documentElement.lang}/${name}`

/** Opens the panel of a `data-panel` control. @throws when its code or its page cannot be had */
export async function open(control: HTMLElement): Promise<void> {
  const { panel: name = '' } = control.dataset
  const { openPanel } = await panels()
  await openPanel(name, pathOf(name), control)
}

for (const touched of ['pointerover', 'focusin'])
  document.addEventListener(touched, ({ target }) => {
    const name = target instanceof Element && target.closest<HTMLElement>('[data-panel]')?.dataset.panel
    // What fails now is tried again by the tap.
    if (name)
      panels()
        .then(({ fetchPage }) => fetchPage(pathOf(name)))
        .catch(() => {})
  })

leaveEmptyEntry()
addEventListener('popstate', leaveEmptyEntry)

watchErrors()
takeBackMended()
try {
  if (localStorage.getItem(DEVELOPER_KEY)) void import(/* @vite-ignore */ developer)
} catch {
  // Storage is blocked: no such wish is remembered.
}
