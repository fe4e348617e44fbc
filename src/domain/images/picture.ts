/** A picture of the content, as the operator uploaded and cropped it. */
export interface Picture {
  /** The Content Lake's id of the file: `image-{hash of its bytes}-{width}x{height}-{extension}`. */
  readonly asset: string
  /** What is cut off each side, as shares of the whole; all 0 for a picture that is shown whole. */
  readonly crop: Crop
}

export interface Crop {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export const WHOLE: Crop = { top: 0, bottom: 0, left: 0, right: 0 }

/** The largest file of a picture that the Content Lake takes, in bytes. */
export const MOST_PICTURE_BYTES = 20 * 1024 * 1024

/** What pictures are sent as; browsers take the first that they know. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpg'] as const

export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** The widths that a picture is sent in, px: a small phone, most phones, a wide screen or a very sharp one. */
export const PICTURE_WIDTHS = [480, 800, 1200] as const

export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

const ASSET = /^image-([0-9a-f]{40})-(\d{1,5})x(\d{1,5})-([a-z]{2,5})$/

/** Could this text be the id of a picture's file? */
export function isPictureAsset(text: string): boolean {
  return ASSET.test(text)
}

/** The name of the file in the lake's addresses: `{hash}-{width}x{height}.{extension}`. */
export function assetFile({ asset }: Picture): string {
  const [, hash, width, height, extension] = parts(asset)
  return `${hash}-${width}x${height}.${extension}`
}

/** Width and height of what is shown, px of the original. */
export function shownSize({ asset, crop }: Picture): { readonly width: number; readonly height: number } {
  const [, , width, height] = parts(asset)
  return {
    width: Math.max(1, Math.round(Number(width) * (1 - crop.left - crop.right))),
    height: Math.max(1, Math.round(Number(height) * (1 - crop.top - crop.bottom))),
  }
}

/**
 * What tells this picture from every other, for addresses that may be kept for ever: other bytes or another crop
 * make another name.
 */
export function pictureName({ asset, crop }: Picture): string {
  const [, hash] = parts(asset)
  const sides = [crop.top, crop.right, crop.bottom, crop.left].map(share => Math.round(share * 1000))
  return sides.every(side => side === 0) ? `${hash}` : `${hash}-${sides.join('-')}`
}

function parts(asset: string): RegExpExecArray {
  const found = ASSET.exec(asset)
  if (!found) throw new Error('Not the id of a picture')
  return found
}
