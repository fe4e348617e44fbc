/** Does nothing on this page wait or move (decisions §12)? */
export function isCalm(): boolean {
  return (
    document.documentElement.classList.contains('calm') ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}
