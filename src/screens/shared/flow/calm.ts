/** Does nothing on this page wait or move (product.md#waits-and-motion)? */
export function isCalm(): boolean {
  return (
    document.documentElement.classList.contains('calm') ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}
