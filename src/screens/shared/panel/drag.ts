import { closes } from '#screens/shared/panel/drawer.ts'

/**
 * Lets a panel be dragged away by its head: down where it is a drawer, sideways where it stands at the side. Only
 * a comfort: the button, Escape and a tap beside the panel close it as well.
 */
export function makeDraggable(panel: HTMLDialogElement, head: HTMLElement): void {
  let start: { readonly at: number; readonly time: number; readonly sideways: boolean } | undefined
  const along = (event: PointerEvent, sideways: boolean): number => (sideways ? event.clientX : event.clientY)
  const moved = (event: PointerEvent): number =>
    start ? Math.max(0, along(event, start.sideways) - start.at) : 0
  const endDrag = (): void => {
    start = undefined
    delete panel.dataset.dragged
  }

  head.addEventListener('pointerdown', event => {
    const onControl = event.target instanceof Element && event.target.closest('button, a')
    if (!event.isPrimary || event.button !== 0 || onControl) return
    const sideways = panel.getBoundingClientRect().top < 1
    head.setPointerCapture(event.pointerId)
    start = { at: along(event, sideways), time: event.timeStamp, sideways }
    panel.dataset.dragged = ''
  })
  head.addEventListener('pointermove', event => {
    if (start) panel.style.setProperty('--moved', `${moved(event)}px`)
  })
  head.addEventListener('pointerup', event => {
    if (!start) return
    const { width, height } = panel.getBoundingClientRect()
    const drag = {
      moved: moved(event),
      size: start.sideways ? width : height,
      took: event.timeStamp - start.time,
    }
    endDrag()
    if (closes(drag)) panel.close()
    else panel.style.removeProperty('--moved')
  })
  head.addEventListener('pointercancel', () => {
    endDrag()
    panel.style.removeProperty('--moved')
  })
}
