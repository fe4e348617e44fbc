import { type RefObject, useLayoutEffect } from 'react'

/**
 * Gives the rows of a list so much air that the given bar below cuts through no row's buttons, nor through the links after the
 * list, while the list stands at its top: a sliver of a button is too small to press. Nothing moves once the list is scrolled.
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
      const after = list.current.nextElementSibling?.firstElementChild ?? []
      const controls = [...list.current.querySelectorAll('.ngo-controls')].concat(after)
      const all = controls.map(row => row.getBoundingClientRect())
      const cut = all.findIndex(({ top, bottom }) => top < edge && edge < bottom)
      if (cut > 0) list.current.style.setProperty('--air', `${(edge - all[cut]!.top) / cut}px`)
    }
    settle()
    addEventListener('resize', settle)
    // What stands above may take another line, or one less, once the display face is there.
    const watch = new ResizeObserver(settle)
    for (const above of list.current?.parentElement?.querySelectorAll('h1, .split-head') ?? [])
      watch.observe(above)
    return () => {
      removeEventListener('resize', settle)
      watch.disconnect()
    }
  }, [list, bar, isShown])
}
