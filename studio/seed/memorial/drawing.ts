import { between, type Chance } from './chance.ts'

/** The sheet that every motif draws on, in its own units: 3 to 2, as most cameras do. */
export const WIDTH = 1800
export const HEIGHT = 1200

export const n = (value: number): string => value.toFixed(1).replace(/\.0$/, '')

/** A colour between two, `#rrggbb` each; `share` 0 is the first. */
export function mix(first: string, second: string, share: number): string {
  const channel = (colour: string, at: number): number => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map(at =>
    Math.round(channel(first, at) * (1 - share) + channel(second, at) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}

/** A sheet filled from top to bottom with the colours given. */
export function sheet(colours: readonly string[], { top = 0, height = HEIGHT, id = 'sheet' } = {}): string {
  const stops = colours.map(
    (colour, index) => `<stop offset="${n((index / (colours.length - 1)) * 100)}%" stop-color="${colour}"/>`,
  )
  return `<defs><linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient></defs>
<rect y="${n(top)}" width="${WIDTH}" height="${n(height)}" fill="url(#${id})"/>`
}

/** A disc with light around it. */
export function sun(
  x: number,
  y: number,
  radius: number,
  colour: string,
  { reach = 6, disc = 1 } = {},
): string {
  const id = `glow${n(x)}-${n(y)}`.replace(/\./g, '_')
  return `<defs><radialGradient id="${id}"><stop offset="0%" stop-color="${colour}" stop-opacity=".75"/><stop offset="35%" stop-color="${colour}" stop-opacity=".22"/><stop offset="100%" stop-color="${colour}" stop-opacity="0"/></radialGradient></defs>
<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * reach)}" fill="url(#${id})"/>
<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${colour}" opacity="${disc}"/>`
}

/** Points of a line that wanders gently around `y`, from edge to edge. */
export function ridge(
  random: Chance,
  y: number,
  swell: number,
  waves: number,
): readonly (readonly [number, number])[] {
  const parts = Array.from({ length: 4 }, (_, index) => ({
    pace: waves * (index + 1) * between(random, 0.8, 1.25),
    shift: between(random, 0, 2 * Math.PI),
    height: swell / (index + 1) ** 1.35,
  }))
  return Array.from({ length: 61 }, (_, index) => {
    const x = (index / 60) * WIDTH
    const rise = parts.reduce(
      (sum, { pace, shift, height }) => sum + Math.sin((x / WIDTH) * pace * Math.PI + shift) * height,
      0,
    )
    return [x, y + rise] as const
  })
}

/** The ground below a line. */
export function below(points: readonly (readonly [number, number])[], fill: string, extra = ''): string {
  const line = points.map(([x, y]) => `L${n(x)} ${n(y)}`).join('')
  return `<path d="M0 ${HEIGHT}${line}L${WIDTH} ${HEIGHT}Z" fill="${fill}" ${extra}/>`
}

/** A leaf from its stalk at (x, y), pointing in `angle` degrees. */
export function leaf(
  x: number,
  y: number,
  angle: number,
  length: number,
  width: number,
  fill: string,
  extra = '',
): string {
  const half = width / 2
  return `<path transform="translate(${n(x)} ${n(y)}) rotate(${n(angle)})" d="M0 0C${n(length * 0.3)} ${n(-half)} ${n(length * 0.75)} ${n(-half * 0.9)} ${n(length)} 0C${n(length * 0.72)} ${n(half * 0.8)} ${n(length * 0.28)} ${n(half)} 0 0Z" fill="${fill}" ${extra}/>`
}

export const blur = (id: string, deviation: number): string =>
  `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`
