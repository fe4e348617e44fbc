import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { contrastRatio, type Rgb } from '#domain/themes.ts'

/** More stops than any screen has. */
const MOST_STOPS = 120
/** What a ring must stand out by, from what was there before and from what is beside it (WCAG 2, 1.4.11). */
const LEAST_CONTRAST = 3
/** Where a ring may be: so many px outside the edge of what has it, and so many inside. */
const OUTSIDE = 8
const INSIDE = 4
/** So much of the way around, at one px, is seen at least. */
const LEAST_SHARE = 0.5

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Stop {
  /** What is alike has rings that look alike. */
  readonly kind: string
  /** The control, or the card around it where the control itself is not drawn. */
  readonly box: Box
  /** Something else lies above its middle. */
  readonly isCovered: boolean
}

/**
 * Goes through a screen by Tab and looks at each stop, in pictures taken with and without the focus: is there a ring
 * that can be seen, and is nothing above the control?
 * @param seen the kinds of controls that were looked at before, which are passed over
 * @returns the stops that fail
 */
export async function unseenRings(page: Page, seen: Set<string>): Promise<string[]> {
  const failed: string[] = []
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus({ preventScroll: true })
    document.body.removeAttribute('tabindex')
  })
  for (let count = 0; count < MOST_STOPS; count++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(lookAtFocus)
    if (stop === 'all seen') return failed
    if (stop === 'not ours') continue
    if (stop.isCovered) failed.push(`${stop.kind}: covered`)
    if (seen.has(stop.kind)) continue
    seen.add(stop.kind)
    const share = await shareOfRing(page, stop.box)
    if (share < LEAST_SHARE) failed.push(`${stop.kind}: ${Math.round(share * 100)} % of a ring`)
  }
  throw new Error('Tab finds no end')
}

/** Runs in the page. */
function lookAtFocus(): Stop | 'all seen' | 'not ours' {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return 'all seen'
  const { looked = new WeakSet() } = window as { looked?: WeakSet<Element> }
  Object.assign(window, { looked })
  if (looked.has(focused)) return 'all seen'
  looked.add(focused)
  // Another document's own stops.
  if (focused instanceof HTMLIFrameElement) return 'not ours'
  const drawn =
    getComputedStyle(focused).opacity === '0' ? (focused.closest('.gift, .paper, label') ?? focused) : focused
  // Words that break over lines have a ring around each line: the longest is looked at.
  const { x, y, width, height } = [...drawn.getClientRects()].sort(
    (one, other) => other.width - one.width,
  )[0]!
  const state = ['aria-pressed', 'aria-disabled', 'aria-invalid', 'data-state', 'type', 'data-action'].map(
    name => `${name}=${focused.getAttribute(name)}`,
  )
  const card = focused.closest('.gift, .paper, .switches li, dialog, header, main, footer, aside')
  const kind = [
    focused.localName,
    focused.className,
    ...state,
    `in ${focused.parentElement?.localName}.${focused.parentElement?.className}`,
    `of ${card?.localName}.${card?.className}`,
    `${card?.querySelector(':checked') ? 'chosen' : ''}`,
  ].join(' ')
  const middle = document.elementFromPoint(x + width / 2, y + height / 2)
  const isCovered =
    middle !== null &&
    !drawn.contains(middle) &&
    !middle.contains(drawn) &&
    !focused.closest('label')?.contains(middle)
  return { kind, box: { x, y, width, height }, isCovered }
}

/** How much of the way around this box stands out with the focus, from what is there without it. */
async function shareOfRing(page: Page, box: Box): Promise<number> {
  const { width, height } = page.viewportSize()!
  const [left, top] = [box.x - OUTSIDE, box.y - OUTSIDE].map(at => Math.max(0, Math.floor(at))) as [
    number,
    number,
  ]
  const clip = {
    x: left,
    y: top,
    width: Math.min(width, Math.ceil(box.x + box.width + OUTSIDE)) - left,
    height: Math.min(height, Math.ceil(box.y + box.height + OUTSIDE)) - top,
  }
  if (clip.width <= 0 || clip.height <= 0) return 0
  const take = async (): Promise<Buffer> =>
    sharp(await page.screenshot({ clip, animations: 'disabled' }))
      .removeAlpha()
      .raw()
      .toBuffer()
  const withFocus = await take()
  await page.evaluate(() => {
    const focused = document.activeElement as HTMLElement
    Object.assign(window, { focused })
    focused.blur()
  })
  const without = await take()
  await page.evaluate(() =>
    (window as unknown as { focused: HTMLElement }).focused.focus({ preventScroll: true }),
  )
  const at = (picture: Buffer, x: number, y: number): Rgb => {
    const from = 3 * (y * clip.width + x)
    return [picture[from]!, picture[from + 1]!, picture[from + 2]!]
  }
  const standsOut = (x: number, y: number): boolean => {
    const colour = at(withFocus, x, y)
    if (contrastRatio(colour, at(without, x, y)) < LEAST_CONTRAST) return false
    return [
      [x - 4, y],
      [x + 4, y],
      [x, y - 4],
      [x, y + 4],
    ].some(([nextX, nextY]) => {
      const isInside = nextX! >= 0 && nextY! >= 0 && nextX! < clip.width && nextY! < clip.height
      return isInside && contrastRatio(colour, at(withFocus, nextX!, nextY!)) >= LEAST_CONTRAST
    })
  }
  // The box in the picture, and the four ways along its sides, each pixel of a side judged by all that is across it.
  const [x1, y1] = [Math.round(box.x) - clip.x, Math.round(box.y) - clip.y]
  const [x2, y2] = [x1 + Math.round(box.width), y1 + Math.round(box.height)]
  const across = (edge: number, inwards: 1 | -1): number[] =>
    Array.from({ length: OUTSIDE + INSIDE }, (_, step) => edge + inwards * (step - OUTSIDE))
  const inPicture = ([x, y]: readonly [number, number]): boolean =>
    x >= 0 && y >= 0 && x < clip.width && y < clip.height
  const sides: (readonly [number, number])[][] = []
  for (let x = Math.max(0, x1); x < Math.min(clip.width, x2); x++)
    sides.push(
      across(y1, 1).map(y => [x, y] as const),
      across(y2 - 1, -1).map(y => [x, y] as const),
    )
  for (let y = Math.max(0, y1); y < Math.min(clip.height, y2); y++)
    sides.push(
      across(x1, 1).map(x => [x, y] as const),
      across(x2 - 1, -1).map(x => [x, y] as const),
    )
  const judged = sides.filter(line => line.every(inPicture))
  const good = judged.filter(line => line.some(([x, y]) => standsOut(x, y)))
  return judged.length === 0 ? 0 : good.length / judged.length
}
