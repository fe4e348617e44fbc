/**
 * How a panel may be dragged away (product.md#waits-and-motion). Its widths and its resting height stand in
 * screens/shared/panel/panel.css.
 */
export const DRAWER = {
  /** Dragged this share of its own size, it closes. */
  closeThreshold: 0.25,
  /** Thrown this fast, px per ms, it closes however short the way. */
  velocity: 0.4,
} as const

export interface Drag {
  /** How far towards its edge, px; never negative. */
  readonly moved: number
  /** The panel's own size in that direction, px. */
  readonly size: number
  /** How long the finger took, ms. */
  readonly took: number
}

/** Does a panel that is let go of here close, or settle back? */
export function closes({ moved, size, took }: Drag): boolean {
  if (moved <= 0) return false
  return moved >= size * DRAWER.closeThreshold || moved / Math.max(took, 1) >= DRAWER.velocity
}
