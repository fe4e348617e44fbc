import { type RefObject, useLayoutEffect } from 'react'

/**
 * Gives the rows of a list so much air that the given bar below cuts through no row's buttons while the list stands at its
 * top: a sliver of a button is too small to press. Nothing moves once the list is scrolled.
 */
export function useWholeControls(
  list: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  isShown: boolean,
): void {
  useLayoutEffect(() => {
    if (!isShown) return
    const settle = (): void => {
      if (!list.current || !bar.current || scrollY > 0) return
      list.current.style.setProperty('--air', '0px')
      const edge = bar.current.getBoundingClientRect().top
      const all = [...list.current.querySelectorAll('.ngo-controls')].map(row => row.getBoundingClientRect())
      const cut = all.findIndex(({ top, bottom }) => top < edge && edge < bottom)
      if (cut > 0) list.current.style.setProperty('--air', `${(edge - all[cut]!.top) / cut}px`)
    }
    settle()
    addEventListener('resize', settle)
    return () => removeEventListener('resize', settle)
  }, [list, bar, isShown])
}
