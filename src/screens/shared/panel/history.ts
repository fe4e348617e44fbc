/** An open panel's entry in the tab's history: the same address as the screen beneath it. */
export const PANEL_ENTRY = { panel: true } as const

/** Does the tab stand on a panel's entry? */
export function isPanelEntry(): boolean {
  return (history.state as { panel?: unknown } | null)?.panel === true
}

/** Is there a panel that somebody sees? One that was closed still slides away. */
export const isPanelOpen = (): boolean => document.querySelector('dialog.panel[open]') !== null

/** The step back that is under way, if one is: the browser takes it in its own time. */
let stepping: Promise<void> | undefined

/** Leaves a panel's entry behind. */
export function stepBack(): void {
  stepping = new Promise(resolve => {
    addEventListener('popstate', () => resolve(), { once: true })
    // A page that was left before the step, and comes back from the browser's memory, hears only that it is shown.
    addEventListener('pageshow', ({ persisted }) => persisted && resolve())
  })
  history.back()
}

/** Resolves once no step back is under way: what came between would be taken for what is left. */
export async function steppedBack(): Promise<void> {
  await stepping
}

/** A link followed from a panel takes the panel's place in the history: Back then leads to the screen, once. */
export function followFromPanel(event: MouseEvent): void {
  const link = (event.target as Element).closest('a')
  const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (!link || elsewhere || event.defaultPrevented || link.target || !/^https?:$/.test(link.protocol)) return
  event.preventDefault()
  location.replace(link.href)
}

/** A panel's entry without its panel, after a reload or Forward, would be a step of Back that leads nowhere. */
export function leaveEmptyEntry(): void {
  if (isPanelEntry() && !isPanelOpen()) stepBack()
}
