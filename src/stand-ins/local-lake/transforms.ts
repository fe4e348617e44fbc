import { refusal } from './errors.ts'

/** What a picture can be written as. */
export type Format = 'jpg' | 'png' | 'webp' | 'avif' | 'gif'

/** What a picture is asked to become; lengths in pixels of the output. */
export interface Transform {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly fit: string
  readonly crop: string
  readonly focus: readonly [x: number, y: number]
  /** Part of the original: left, top, width, height. */
  readonly rect: readonly number[] | undefined
  readonly quality: number
  readonly format: Format | undefined
  readonly blur: number | undefined
  readonly sharpen: number | undefined
  readonly flip: string
  readonly turn: number
  readonly background: string | undefined
}

const MOST_PIXELS_A_SIDE = 4096
const FITS: ReadonlySet<string> = new Set(['clip', 'crop', 'fill', 'fillmax', 'max', 'min', 'scale'])
const CROPS: ReadonlySet<string> = new Set([
  'top',
  'bottom',
  'left',
  'right',
  'center',
  'focalpoint',
  'entropy',
])

/**
 * Reads what an address asks for; undefined for the original as it is. Every number is bounded, so that an address
 * cannot ask for more than a picture's worth of work. Refuses values that mean nothing.
 * @param accept the request's Accept header, for `auto=format`
 */
export function readTransform(asked: URLSearchParams, accept: string): Transform | undefined {
  const relevant = [...asked.keys()].filter(name => name !== 'dl')
  if (relevant.length === 0) return undefined
  const dpr = number(asked, 'dpr', 1, 3) ?? 1
  const side = (name: string) => {
    const given = number(asked, name, 1, MOST_PIXELS_A_SIDE)
    return given === undefined ? undefined : Math.min(MOST_PIXELS_A_SIDE, Math.round(given * dpr))
  }
  const rect = asked.get('rect')?.split(',').map(Number)
  if (rect && (rect.length !== 4 || !rect.every(part => Number.isInteger(part) && part >= 0)))
    throw refusal(400, 'rect is four whole numbers: left, top, width, height')
  return {
    width: side('w'),
    height: side('h'),
    fit: oneOf(asked, 'fit', FITS) ?? 'clip',
    crop:
      asked
        .get('crop')
        ?.split(',')
        .find(each => CROPS.has(each)) ?? 'center',
    focus: [number(asked, 'fp-x', 0, 1) ?? 0.5, number(asked, 'fp-y', 0, 1) ?? 0.5],
    rect,
    quality: Math.max(1, number(asked, 'q', 0, 100) ?? 75),
    format: wantedFormat(asked, accept),
    blur: number(asked, 'blur', 1, 2000),
    sharpen: number(asked, 'sharp', 0, 100),
    flip: asked.get('flip') ?? '',
    turn: Number(oneOf(asked, 'or', new Set(['0', '90', '180', '270'])) ?? 0),
    background: colour(asked.get('bg')),
  }
}

function wantedFormat(asked: URLSearchParams, accept: string): Format | undefined {
  const given = oneOf(asked, 'fm', new Set(['jpg', 'jpeg', 'pjpg', 'png', 'webp', 'avif', 'gif']))
  if (given) return given === 'pjpg' || given === 'jpeg' ? 'jpg' : (given as Format)
  if (asked.get('auto') !== 'format') return undefined
  if (accept.includes('image/avif')) return 'avif'
  return accept.includes('image/webp') ? 'webp' : undefined
}

function number(asked: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const given = asked.get(name)
  if (given === null || given === '') return undefined
  const value = Number(given)
  if (Number.isNaN(value) || value < least || value > most)
    throw refusal(400, `${name} must be a number from ${least} to ${most}`)
  return value
}

function oneOf(asked: URLSearchParams, name: string, choices: ReadonlySet<string>): string | undefined {
  const given = asked.get(name)
  if (given === null) return undefined
  if (!choices.has(given)) throw refusal(400, `${name} must be one of ${[...choices].join(', ')}`)
  return given
}

function colour(given: string | null): string | undefined {
  if (given === null) return undefined
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(given))
    throw refusal(400, 'bg must be a colour: fff, ffffff')
  return `#${given}`
}

/** What the picture is written as. @param extension of the original, kept when no other format is asked for */
export function formatOf({ format }: Transform, extension: string): Format {
  return format ?? (extension === 'svg' || extension === 'tiff' ? 'png' : (extension as Format))
}
