import { isPictureAsset, type Picture, shownSize, WHOLE } from '../product.ts'
import type { Verdict } from './texts.ts'

/** The width of what is shown, px: a page of the photo-book is printed from it. */
export const LEAST_WIDTH = 1600

/** The picture's field, as the Studio holds it. */
export interface PictureValue {
  readonly asset?: { readonly _ref?: string } | undefined
  readonly crop?: Picture['crop'] | undefined
}

/** Is what is left of a picture after its crop wide enough? Whether there is a picture is another rule's. */
export function widthVerdict(value: PictureValue | undefined): Verdict {
  const asset = value?.asset?._ref
  if (asset === undefined || !isPictureAsset(asset)) return true
  const { width } = shownSize({ asset, crop: value?.crop ?? WHOLE })
  if (width >= LEAST_WIDTH) return true
  const [what, remedy] = value?.crop
    ? ['What the crop leaves of it', 'crop less, or choose a larger picture']
    : ['It', 'choose a larger picture']
  return `${what} is ${width} pixels wide. The photo book needs at least ${LEAST_WIDTH}: ${remedy}.`
}
