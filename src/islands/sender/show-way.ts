import { currentWay } from '#stores/way.ts'

/**
 * Shows a page as it stands on the visitor's way. It was published for the short one; links that lead elsewhere on
 * the long one carry that address too (`data-long-href`). What reads differently, the stylesheet shows.
 */
export function showWay(): void {
  const way = currentWay()
  document.documentElement.dataset.way = way
  if (way !== 'long') return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-long-href]'))
    link.setAttribute('href', link.dataset.longHref ?? '')
}
