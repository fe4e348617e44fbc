import { currentWay } from '#screens/shared/flow/way.store.ts'

/**
 * Shows the page as it stands on the visitor's way, which may have changed since its first script ran
 * (screens/shared/shell/boot.script.ts): the stylesheet and the links of the page go by it.
 */
export function showWay(): void {
  document.documentElement.dataset.way = currentWay()
}
