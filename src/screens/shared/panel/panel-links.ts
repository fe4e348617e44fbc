import { leaveEmptyEntry } from '#screens/shared/panel/history.ts'
import panelFile from '#screens/shared/panel/panel.ts?own-file'

/**
 * `data-panel` controls open their page of text in a side panel. The panel's code and text come when a control is
 * touched; until then, and wherever anything fails, the control is a link to the page.
 */
const panelControl = (target: EventTarget | null) => {
  const control = target instanceof Element ? target.closest<HTMLElement>('[data-panel]') : null
  const name = control?.dataset.panel
  return control && name ? { control, name, path: `/${document.documentElement.lang}/${name}` } : undefined
}
const panels = (): Promise<typeof import('#screens/shared/panel/panel.ts')> =>
  import(/* @vite-ignore */ panelFile)

for (const touched of ['pointerover', 'focusin'])
  document.addEventListener(touched, ({ target }) => {
    const found = panelControl(target)
    // What fails now is tried again by the tap.
    if (found)
      panels()
        .then(({ fetchPage }) => fetchPage(found.path))
        .catch(() => {})
  })

document.addEventListener('click', event => {
  const found = panelControl(event.target)
  const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
  if (!found || elsewhere || event.defaultPrevented) return
  event.preventDefault()
  panels()
    .then(({ openPanel }) => openPanel(found.name, found.path, found.control))
    .catch(() => location.assign(found.path))
})

leaveEmptyEntry()
addEventListener('popstate', leaveEmptyEntry)
